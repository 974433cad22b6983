"""Updates in: per chat in order, chats side by side; what is not ours is turned away, what is done acknowledged."""

from bot.intake.door import KINDS, Visitor, Why
from bot.intake.intake import Intake, NotTaken, Reception
from bot.intake.polling import Source, TwoPollers

__all__ = ["KINDS", "Intake", "NotTaken", "Reception", "Source", "TwoPollers", "Visitor", "Why"]
