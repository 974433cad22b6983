"""What a board is to show, and what the painter remembers of the message that shows it."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import inf
from typing import Protocol

from bot.painter.budget import Limits
from bot.painter.job import Job, Urgency
from bot.painter.keyboard import keyboard
from bot.storage.messages import Standing
from bot.views.kit import View

_REMEMBERED = 1024  # boards; one that was forgotten costs a "not modified"


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """One version of a board and where it belongs, as stored by the use case."""

    board: int
    version: int
    view: View
    chat_id: int
    thread_id: int | None = None
    message_id: int | None = None  # none: the board has no message yet, or comes down as a new one
    old_message_id: int | None = None  # its keys are to be taken off once the new message stands
    urgency: Urgency = Urgency.BETTING
    gap: float = 0.0  # seconds between two pictures in a group, where they may wait and the usual gap is shorter
    painted: int = 0  # the version that the message showed, as stored then


class PictureStore(Protocol):
    """The outbox as the painter needs it; each call is one transaction."""

    async def sent(self, board: int, *, chat_id: int, message_id: int, version: int) -> bool:
        """A new message shows this version; False if the board is in another chat by now, or is no more."""

    async def painted(self, versions: Mapping[int, int]) -> None:
        """Which version each board's message shows."""

    async def keys_taken(self, board: int, message_id: int) -> None:
        """A board's old message has no keys any more."""

    async def lives(self, chat_id: int, message_id: int) -> bool:
        """Whether any board stands in this message."""


@dataclass(frozen=True, slots=True)
class Content:
    """What a message shows; two equal contents need no call."""

    text: str
    keys: str  # JSON

    @classmethod
    def of(cls, view: View) -> Content:
        """The text and the ready keyboard of a view."""
        return cls(view.text, keyboard(view.keys))


class BoardState:
    """One board as this process knows it."""

    __slots__ = (
        "busy", "chat_id", "gone", "job", "message_id", "newest", "painted", "painted_at", "place", "placed", "shown",
        "stripping", "unaware", "waiting",
    )  # fmt: skip

    def __init__(self) -> None:
        self.chat_id = 0
        self.message_id: int | None = None
        self.gone: int | None = None  # a message that is no more, in case a picture still names it
        self.shown: int | None = None  # hash of the content on the screen
        self.newest = 0  # the newest version that was to be shown
        self.place: int | None = None  # the chat of that version
        self.placed = 0  # the version with which the board came there, or to another message
        self.painted = 0  # the newest version that this process has shown
        self.painted_at = -inf
        self.busy = False
        self.job: BoardJob | None = None  # the newest picture that waits
        self.stripping: int | None = None  # the old message whose keys are being taken off
        self.unaware = -inf  # pictures up to this version were stored before the message's id was
        self.waiting: list[asyncio.Future[None]] = []  # for the call under way to end

    async def idle(self) -> None:
        """Until no call for this board is under way."""
        while self.busy:
            self.waiting.append(asyncio.get_running_loop().create_future())
            await self.waiting[-1]

    def ended(self) -> None:
        """The call under way has ended, well or not."""
        self.busy = False
        waiting, self.waiting = self.waiting, []
        for each in waiting:
            if not each.done():
                each.set_result(None)

    def target(self, picture: Picture) -> int | None:
        """
        The message to edit, or None to send a new one.

        The picture was stored before this moment; meanwhile its message may have been sent, or sent anew.
        """
        here = self.message_id if self.chat_id == picture.chat_id else None
        if picture.message_id is None:
            return here if here != picture.old_message_id else None
        if here is not None and picture.version <= self.unaware:
            return here
        return here if picture.message_id == self.gone else picture.message_id

    def show(self, picture: Picture, message_id: int, content: Content, now: float) -> None:
        """The message shows this by now; seconds on the lanes' line of time."""
        self.chat_id = picture.chat_id
        self.message_id = message_id
        self.shown = hash(content)
        self.painted_at = now
        self.painted = max(self.painted, picture.version)

    def shows(self, picture: Picture, content: Content) -> bool:
        """Whether the message that the picture is for shows just this already, as far as this process knows."""
        target = self.target(picture)
        return target is not None and target == self.message_id and self.shown == hash(content)

    def lose(self, message_id: int) -> None:
        """The message is no more."""
        self.gone = message_id
        self.shown = None
        if self.message_id == message_id:
            self.message_id = None

    def awaits(self, picture: Picture) -> None:
        """
        From now on *picture* is to be shown; where it stands elsewhere than this process knows, that is forgotten.

        What a call under way may still tell of the old place is then not believed.
        """
        self.newest = picture.version
        if picture.chat_id != self.place:
            self.goes_to(picture.chat_id)
            self.placed = picture.version
        elif picture.message_id not in {None, self.message_id, self.gone} and picture.version > self.unaware:
            self.message_id = self.shown = None
            self.placed = picture.version

    def goes_to(self, chat_id: int) -> None:
        """The board is in another chat, where message ids mean something else, even if it comes back."""
        self.place = chat_id
        self.message_id = self.gone = self.shown = self.stripping = None


class Album:
    """The boards that this process remembers, least recently painted first."""

    def __init__(self) -> None:
        self._states: OrderedDict[int, BoardState] = OrderedDict()

    def of(self, board: int) -> BoardState:
        """What is remembered of a board, a blank page if nothing is."""
        state = self._states.get(board)
        if state is None:
            state = self._states[board] = BoardState()
            self._shorten()
        self._states.move_to_end(board)
        return state

    def forget_content(self, chat_id: int, message_id: int) -> None:
        """Something else than a picture changes this message: what a board showed there is not there any more."""
        for state in self._states.values():
            if state.message_id == message_id and state.chat_id == chat_id:
                state.shown = None

    def _shorten(self) -> None:
        while len(self._states) > _REMEMBERED:
            oldest = next(iter(self._states))
            if (state := self._states[oldest]).busy or state.job is not None:
                return
            del self._states[oldest]


class BoardJob(Job):
    """The newest picture of one board, waiting for its turn."""

    def __init__(self, painter: BoardPainter, state: BoardState, picture: Picture) -> None:
        self.key = ("board", picture.board)
        self.chat_id = picture.chat_id
        self.urgency = picture.urgency
        self.state = state
        self.picture = picture
        self.board = picture.board
        self.outdated = False  # another process has stored a newer picture
        self.asked: float | None = None  # when the tap came that asked for it
        self.target: int | None = None  # the message that the call edits
        self._painter = painter
        self._content: Content | None = None

    @property
    def content(self) -> Content:
        """Made when it is first asked for: most pictures are replaced before their turn."""
        if self._content is None:
            self._content = Content.of(self.picture.view)
        return self._content

    @property
    def changes(self) -> int | None:
        return self.state.target(self.picture)

    def earliest(self, limits: Limits) -> float:
        """While a call for this board is under way, infinity: its end looks again."""
        if self.state.busy:
            return inf
        return max(self.due, self.state.painted_at + self._gap(limits))

    def _gap(self, limits: Limits) -> float:
        if self.chat_id > 0 or self.state.target(self.picture) is None:
            return 0.0
        usual = {Urgency.BETTING: limits.betting_gap, Urgency.CALM: limits.calm_gap}.get(self.urgency, 0.0)
        return max(usual, self.picture.gap) if usual else 0.0

    def learn(self, standing: Standing | None, painted_at: float) -> bool:
        """Nobody else can paint the board now: whether another process has painted this version or a newer one."""
        if standing is None:
            return True
        state, picture = self.state, self.picture
        if standing.painted > state.painted:
            state.shown = None
            if standing.painted > picture.painted and standing.painted >= picture.version:
                return False
        state.painted_at = max(state.painted_at, painted_at)
        self.outdated = standing.wanted > picture.version
        if standing.chat_id == picture.chat_id and (standing.message_id is None or standing.message_id != state.gone):
            if (state.chat_id, state.message_id) != (standing.chat_id, standing.message_id):
                state.chat_id, state.message_id, state.shown = standing.chat_id, standing.message_id, None
            if standing.message_id is not None:
                self.picture = replace(picture, message_id=standing.message_id)
        return True

    def renew_picture(self, picture: Picture) -> None:
        """Show this one instead, under the same lease."""
        self.picture = picture
        self.outdated = False
        self._content = None

    def needless(self) -> bool:
        return not self.outdated and self.state.shows(self.picture, self.content)

    def follow(self, before: BoardJob) -> None:
        """Take the place of an older picture that waited: it was never seen, but its wait counts."""
        self.urgency = min(self.urgency, before.urgency)
        self.since = before.since
        self.tries = before.tries
        self.asked = self.asked if before.asked is None else before.asked

    @property
    def repeatable(self) -> bool:
        """An edit is; a message that may have arrived is not sent again before the person acts."""
        return self.target is not None

    def waits_again(self) -> bool:
        """Unless a newer picture waits by now; that one knows how often this one failed."""
        if self.state.job is not None and self.state.job is not self:
            self.state.job.tries = self.tries
            return False
        self.state.job = self
        return True

    def renew(self) -> bool:
        if self.target is None:
            return False
        self.state.lose(self.target)
        self.urgency = min(self.urgency, Urgency.NEW)
        return True

    def move(self, chat_id: int) -> bool:
        """The group became a supergroup: the board needs a new message there."""
        self.chat_id = chat_id
        self.picture = replace(self.picture, chat_id=chat_id, thread_id=None, message_id=None, old_message_id=None)
        self.state.goes_to(chat_id)
        return self.waits_again()

    def begin(self) -> None:
        self.state.busy = True
        self._leave_queue()

    async def run(self) -> None:
        await self._painter.paint(self)

    def skip(self) -> None:
        self._leave_queue()
        self._painter.equal(self)

    def drop(self) -> None:
        self._leave_queue()

    def _leave_queue(self) -> None:
        if self.state.job is self:
            self.state.job = None


class BoardPainter(Protocol):
    """What a waiting picture needs of the painter."""

    async def paint(self, job: BoardJob) -> None: ...

    def equal(self, job: BoardJob) -> None: ...
