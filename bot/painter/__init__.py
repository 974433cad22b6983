"""The one door for sends, edits and answers: newest picture per board, budgets per chat, errors as outcomes."""

from bot.painter.budget import TELEGRAM, Limits
from bot.painter.job import Urgency
from bot.painter.leases import Leases
from bot.painter.painter import Painter
from bot.painter.pictures import Picture, PictureStore
from bot.painter.stored import StoredPictures
from bot.painter.stored_leases import StoredLeases

__all__ = [
    "TELEGRAM",
    "Leases",
    "Limits",
    "Painter",
    "Picture",
    "PictureStore",
    "StoredLeases",
    "StoredPictures",
    "Urgency",
]
