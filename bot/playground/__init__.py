"""A local, strict Bot API with people to play: a bot's whole world on one machine, without token or internet."""

from bot.playground.emulator import emulator
from bot.playground.identity import LOCAL_TOKEN
from bot.playground.people import ClientError, People
from bot.playground.server import Running, serve
from bot.playground.state import forget
from bot.playground.world import World

__all__ = ["LOCAL_TOKEN", "ClientError", "People", "Running", "World", "emulator", "forget", "serve"]
