"""Where handlers work: the rooms they call, and how a value becomes a picture for its readers."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Concatenate, ParamSpec, TypeVar

from bot.facts import Chat, Clock, Face, Person, SoloBoard, Who
from bot.handlers.admins import Admins
from bot.handlers.cooldown import Cooldown
from bot.handlers.event_pictures import event_picture
from bot.i18n import Catalogues
from bot.painter import Painter, Picture, Urgency
from bot.services import people, solo, table
from bot.services.people import Reader
from bot.storage import StorageUnavailable, Store, Tx, event_board_id
from bot.tables import TableBoard, TableTold, table_of
from bot.telemetry import transaction_begins
from bot.views import solo as solo_views
from bot.views import table as table_views
from bot.views.kit import Page, View
from core.solo import Betting
from core.table import Lobby

P = ParamSpec("P")
R = TypeVar("R")

TABLE_GAP = 12.0  # seconds between two pictures of one stage of a table: with eight people about two a stage


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """The rooms of one bot, and who reads what: pages for boards, for messages, for toasts."""

    store: Store
    painter: Painter
    clock: Clock
    catalogues: Catalogues
    bot_id: int
    bot_name: str  # username
    operator: str
    admins: Admins
    chance: Callable[[], bytes]  # 32 bytes nobody can foresee
    pictures: Cooldown = field(default_factory=Cooldown)  # who had a chart of a night lately
    files: Cooldown = field(default_factory=lambda: Cooldown(60.0))  # who had everything about themselves lately
    nights: Cooldown = field(default_factory=lambda: Cooldown(10.0))  # who had a night's transcripts lately
    checks: Cooldown = field(default_factory=lambda: Cooldown(10.0))  # who had a file of transcripts checked lately

    async def run(self, use_case: Callable[Concatenate[Tx, P], R], /, *args: P.args, **kwargs: P.kwargs) -> R:
        """Run a use case; from here on the update is not cancelled any more."""
        transaction_begins()
        return await self.store.run(use_case, *args, **kwargs)

    def page(self, person: Person | None, chat: Chat | None, *, private: bool, app_language: str = "") -> Page:
        """Boards speak the group's language, private chats the person's."""
        person = person or Person(id=0, app_language=app_language)
        own = (person.language, person.app_language)
        wishes = own if private or chat is None else (chat.language, *own)
        return Page(t=self.catalogues.chosen(*wishes), design=person.design, bot=self.bot_name, private=private)

    def board_page(self, value: SoloBoard) -> Page:
        return self.page(value.owner, value.chat, private=value.board.chat_id == value.owner.id)

    def toast_page(self, value: SoloBoard) -> Page:
        """Toasts speak the tapper's language; only the owner gets as far as a value."""
        return self.page(value.owner, None, private=value.board.chat_id == value.owner.id)

    async def reader_page(self, who: Who) -> Page:
        """For answers that only the person reads; in the app's language where what they chose cannot be read."""
        return self.page(
            (await self._reader(who)).person,
            None,
            private=who.chat_kind == "private",
            app_language=who.app_language,
        )

    async def here_page(self, who: Who) -> Page:
        """For a message where somebody spoke, which a whole group may read; with the rules of that chat, if known."""
        reader = await self._reader(who)
        page = self.page(reader.person, reader.chat, private=who.chat_kind == "private", app_language=who.app_language)
        return replace(page, rules=reader.chat.rules if reader.chat is not None else None)

    async def _reader(self, who: Who) -> Reader:
        with suppress(StorageUnavailable):
            return await self.store.read(people.reader, who)
        return Reader(person=None, chat=None)

    async def table_page(self, who: Who) -> Page:
        """The reader's page, for sentences about the rules of the table or board in the message."""
        page = await self.reader_page(who)
        with suppress(StorageUnavailable):
            return replace(page, rules=await self.store.read(solo.rules_at, who))
        return page

    def picture(self, value: SoloBoard) -> Picture:
        board = value.board
        quiet = value.shown is not None and isinstance(value.shown.state, Betting)
        fresh = board.message_id is None
        over = board.face is Face.LEFT  # it waits in turn with pages that somebody opens, behind hands
        return Picture(
            board=board.id,
            version=board.wanted,
            view=solo_views.board(value, self.board_page(value)),
            chat_id=board.chat_id,
            thread_id=board.thread_id,
            message_id=board.message_id,
            old_message_id=board.old_message_id,
            painted=board.painted,
            urgency=_urgency(fresh=fresh, quiet=quiet, over=over),
        )

    def say(self, who: Who, view: View) -> None:
        """Words that the person asked for, where they asked; sent aside, when the chat's budget allows."""
        self.painter.aside(self.painter.send(who.chat_id, view, thread_id=who.thread_id))

    def give(self, who: Who, name: str, content: bytes) -> None:
        """A file that the person asked for, where they asked."""
        self.painter.aside(self.painter.document(who.chat_id, name, content, thread_id=who.thread_id))

    def edit(self, who: Who, view: View) -> None:
        """Another page in the message that was tapped, unless a board has come to stand there meanwhile."""
        if who.message_id is not None:
            self.painter.aside(self.painter.edit(who.chat_id, who.message_id, view))

    def sign(self, who: Who, emoji: str) -> None:
        """A reaction on what the person wrote."""
        if who.message_id is not None:
            self.painter.aside(self.painter.react(who.chat_id, who.message_id, emoji))

    async def tidy(self, who: Who) -> None:
        """A dead key was tapped: a living board is painted again, an event left alone, the rest loses its keys."""
        if who.message_id is None:
            return
        chat_id, message_id = who.chat_id, who.message_id
        value = await self.store.read(solo.board_at, chat_id, message_id)
        shared = await self.store.read(table.board_at, chat_id, message_id) if value is None else None
        if shared is not None:
            self.painter.show(self.table_picture(shared))
        elif value is not None:
            self.show(value)
        else:
            self.painter.aside(self.painter.take_keys_off(chat_id, message_id))

    def show(self, value: SoloBoard, *, doubtful: bool = False) -> None:
        """*doubtful*: it seems to stand there already, and its owner asks for it."""
        self.painter.show(self.picture(value), doubtful=doubtful)
        for chat_id, message_id in value.left:
            self.painter.aside(self.painter.take_keys_off(chat_id, message_id))

    def table_picture(self, value: TableBoard, *, turned: bool = True) -> Picture:
        """What happens within a stage may wait a little, a new stage does not."""
        place = value.place
        fresh = place.message_id is None
        return Picture(
            board=place.board,
            version=place.wanted,
            view=table_views.board(value, self.group_page(value.chat)),
            chat_id=place.chat_id,
            thread_id=place.thread_id,
            message_id=place.message_id,
            old_message_id=place.old_message_id,
            painted=place.painted,
            urgency=Urgency.NEW if fresh else Urgency.STAGE if turned else Urgency.BETTING,
            gap=0.0 if isinstance(place.table.stage, Lobby) else TABLE_GAP,  # who waits for Start waits no longer
        )

    def show_table(self, told: TableTold) -> None:
        if not told.unchanged:
            self.painter.show(self.table_picture(told.board, turned=told.turned))
        if told.solo:
            self.painter.aside(self.painter.repaint(told.solo))
        if told.stale:
            self.painter.aside(self.painter.repaint(told.stale, calmly=True))

    async def event_picture(self, board_id: int) -> Picture | None:
        """The picture of an event's message from what is stored."""
        return await event_picture(self.store, board_id, self.group_page, self.clock.now())

    def group_page(self, chat: Chat) -> Page:
        """For what a whole group reads."""
        return self.page(None, chat, private=False)

    async def repaint(self, board_id: int) -> Picture | None:
        """A board's picture from what is stored."""
        if (event_board := event_board_id(board_id)) is not None:
            return await self.event_picture(event_board)
        if (table_id := table_of(board_id)) is not None:
            shared = await self.store.read(table.board_by_id, table_id)
            return self.table_picture(shared) if shared is not None else None
        value = await self.store.read(solo.board_of, board_id)
        return self.picture(value) if value is not None else None


def _urgency(*, fresh: bool, quiet: bool, over: bool) -> Urgency:
    if fresh:
        return Urgency.NEW
    return Urgency.STAGE if over else Urgency.BETTING if quiet else Urgency.DEALT
