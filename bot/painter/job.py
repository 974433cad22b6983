"""A call that waits for its turn in a chat, whatever it is about."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable
from enum import IntEnum

from bot.painter.budget import Limits
from bot.storage.messages import Standing


class Urgency(IntEnum):
    """The order within a chat's budget (BOARDS section 2)."""

    DEALT = 0  # dealt and settled boards
    STAGE = 1  # a table's stages, words that somebody asked for
    NEW = 2  # a board that has no message yet
    BETTING = 3
    CALM = 4  # standings; taking keys off


class Job(ABC):
    """One call that waits for its turn; of two with the same key only the later one is made."""

    key: Hashable
    chat_id: int
    urgency: Urgency
    since: float = 0.0  # when it began to wait
    due: float = 0.0  # not before
    tries: int = 0
    board: int | None = None  # whose picture it is
    knows: bool = False  # what other processes have done, as of the lease that is held

    @property
    def changes(self) -> int | None:
        """The message that the call changes, if there is one already."""
        return None

    def learn(self, standing: Standing | None, painted_at: float) -> bool:  # noqa: ARG002 - boards look at them
        """What is stored of its board, which nobody else can paint now; False if others did already what it is for."""
        return True

    def earliest(self, limits: Limits) -> float:  # noqa: ARG002 - boards look at them
        """Not before this moment, whatever the budget says; infinity while it has to wait for another call."""
        return self.due

    def needless(self) -> bool:
        """Asked when its turn has come: whether the call would change nothing."""
        return False

    def begin(self) -> None:  # noqa: B027 - most jobs have nothing to note
        """Its turn has come; said at once, before `run` is first resumed."""

    def skip(self) -> None:
        """It was needless."""
        self.drop()

    @abstractmethod
    async def run(self) -> None:
        """Make the call. What goes wrong is dealt with inside."""

    @abstractmethod
    def drop(self) -> None:
        """It will not be made, or not again."""

    def drop_as_moot(self) -> None:
        """There was nothing to do any more."""
        self.drop()

    @property
    @abstractmethod
    def repeatable(self) -> bool:
        """Whether making the call twice does no harm."""

    def waits_again(self) -> bool:
        """After a call that failed: whether this job is still the one to be made."""
        return True

    def renew(self) -> bool:
        """The message is gone: whether a new one takes its place, to be sent by the same job."""
        return False

    @abstractmethod
    def move(self, chat_id: int) -> bool:
        """The chat has a new id, and its messages have none there: whether the call still makes sense."""
