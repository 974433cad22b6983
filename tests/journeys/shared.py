"""What must be true of boards that many people share, tables, contests and days, after whatever happened."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain

from bot.events import DayBoard, Standings
from bot.facts import Tap
from bot.painter import Picture
from bot.playground.entities import parse_html
from bot.playground.records import Message
from bot.services import announcements, daily, table
from bot.services.standings import standings
from bot.storage import EventBoard, Tx
from bot.tables import GroupTable
from bot.views import daily as daily_views
from bot.views import standings as standing_views
from bot.views import table as table_views
from bot.views.kit import Page, View
from core.cards import parse_cards
from core.table import Deciding
from tests.journeys.aftermath import Aftermath, looks_like
from tests.journeys.felt import cards_in
from tests.journeys.house import Json

_OF_TABLE = re.compile(r"1:q[a-z]:([0-9a-z]+):")
_LATE = 3  # hands that a picture, retried, may be late


@dataclass(frozen=True, slots=True, kw_only=True)
class Dealt:
    """A hand at a table: who held what, and from when on everybody may know."""

    table: int
    dealt: float  # seconds since 1970
    over: float
    own: Mapping[int, frozenset[str]]  # by person
    all: frozenset[str]


@dataclass(slots=True)
class Shared(Aftermath):
    """An evening with tables and events."""

    shown: Counter[str] = field(default_factory=Counter)  # cards seen at tables, by who may see them

    async def tables(self) -> list[GroupTable]:
        def look(tx: Tx) -> list[GroupTable]:
            found = (tx.tables.any(row["id"]) for row in tx.rows("SELECT id FROM tables ORDER BY id"))
            return [place for place in found if place is not None]

        return await self.house.store.read(look)

    async def event_boards(self) -> list[EventBoard]:
        def look(tx: Tx) -> list[EventBoard]:
            found = (tx.events.board_by_id(row["id"]) for row in tx.rows("SELECT id FROM event_boards ORDER BY id"))
            return [board for board in found if board is not None]

        return await self.house.store.read(look)

    async def shared(self) -> list[GroupTable | EventBoard]:
        return [*await self.tables(), *await self.event_boards()]

    async def living(self) -> set[tuple[int, int | None]]:
        shared = await self.shared()
        alone = await Aftermath.living(self)
        return alone | {(each.chat_id, each.message_id) for each in shared if not getattr(each, "ended", False)}

    async def pictures_differ(self, *, strict: bool = False) -> list[str]:
        wrong = await Aftermath.pictures_differ(self, strict=strict)
        for place in await self.shared():
            wrong += await self._differs(place, strict=strict)
        return wrong

    async def _differs(self, place: GroupTable | EventBoard, *, strict: bool) -> list[str]:
        chat = self.world.chats[place.chat_id]
        message = self.world.find(place.chat_id, place.message_id or 0)
        moved = chat.migrated_from is not None and place.message_id is None
        over = isinstance(place, GroupTable) and place.ended
        if not self._reachable(chat) or (message is None and (over or moved)):
            return []
        picture = await self.picture_of(place)
        self.tally["tables" if isinstance(place, GroupTable) else "event boards"] += 1
        if message is None:
            return [f"{place} has no message"]
        if looks_like(message, picture.view):
            return []
        if not strict and await self._in_another_language(place, message):
            self.tally["other language"] += 1
            return []
        return [f"{place}\nshows {message.text!r} {message.keyboard}\nnot {picture.view}"]

    async def picture_of(self, place: GroupTable | EventBoard) -> Picture:
        assert self.house.painter._repaint is not None
        picture = await self.house.painter._repaint(place.board)
        assert picture is not None
        return picture

    async def _in_another_language(self, place: GroupTable | EventBoard, message: Message) -> bool:
        """Whether it is right but for the group's language, which admins chose since."""
        for language in self.house.catalogues.languages:
            page = Page(t=self.house.catalogues.words(language), bot=self.house.name, private=False)
            if looks_like(message, await self._view(place, message, page)):
                return True
        return False

    async def _view(self, place: GroupTable | EventBoard, message: Message, page: Page) -> View:
        if isinstance(place, GroupTable):
            value = await self.house.store.read(table.board_by_id, place.id)
            assert value is not None
            return table_views.board(value, page)
        found = await self.house.store.run(_event, place.id, self)
        if isinstance(found, DayBoard):  # who came into the group since is told of with the next result
            rows = tuple(row for row in found.rows if row.name in (message.text or ""))
            return daily_views.board(replace(found, rows=rows), page)
        assert found is not None
        return standing_views.board(found, page)

    async def repaint_all(self) -> None:
        shared = [place.board for place in await self.shared()]
        await self.turning(self.house.painter.repaint(shared))
        await Aftermath.repaint_all(self)

    def tidier(self, message: Message, tap: Tap, owners: Mapping[int, int]) -> int | None:
        """Anybody in the group can tap an old table."""
        if not tap.verb.value.startswith("q"):
            return Aftermath.tidier(self, message, tap, owners)
        return next(iter(self.world.audience(self.world.chats[message.chat_id])), None)

    # What is told once

    async def told_twice(self) -> list[str]:
        """Ends of contests that a group was told of more than once."""
        ended = await self.house.store.read(
            lambda tx: [row["id"] for row in tx.rows("SELECT id FROM events WHERE chat_id IS NOT NULL AND closed > 0")]
        )
        wrong = []
        for event in ended:
            value = await self.house.store.read(announcements.contest, event)
            if value is None:
                continue
            texts = set()
            for language in self.house.catalogues.languages:
                page = Page(t=self.house.catalogues.words(language), bot=self.house.name, private=False)
                texts.add(parse_html(standing_views.final(value, page).text)[0])
            board = await self.house.store.read(lambda tx, id_=event, at=value.chat.id: tx.events.board(id_, at))  # type: ignore[misc]
            own = board.message_id if board is not None else None
            told = [each for each in self._messages(value.chat.id) if each.text in texts and each.message_id != own]
            self.tally["ends told"] += len(told)
            if len(told) > 1:
                wrong.append(f"contest {event} told {len(told)} times: {told[0].text}")
        return wrong

    def _messages(self, chat_id: int) -> Iterator[Message]:
        chat = self.world.chats[chat_id]
        ids = (chat_id, chat.migrated_from) if chat.migrated_from is not None else (chat_id,)
        return chain.from_iterable(self.world.messages.get(each, {}).values() for each in ids)

    # Whose cards are seen

    async def cards_shown(self) -> list[str]:
        """Answers that show somebody else's cards, and pictures that show any, before the showdown."""
        hands: dict[int, list[Dealt]] = defaultdict(list)
        for hand in await self.house.store.read(_dealt):
            hands[hand.table].append(hand)
        wrong = []
        for call in self.world.log or ():
            told = self._told_at_table(call)
            if told is None:
                continue
            number, who, cards = told
            before = [hand for hand in hands[number] if hand.dealt <= call["at"]][-_LATE:]
            own = any(cards <= hand.own.get(who, frozenset()) for hand in before if who is not None)
            everybody = any(cards <= hand.all for hand in before if hand.over <= call["at"])
            self.shown["own" if own else "over" if everybody else "wrong"] += 1
            if not own and not everybody:
                wrong.append(f"{call['method']} at {call['at']} shows {cards}: {call['params']}")
        return wrong

    def _told_at_table(self, call: Json) -> tuple[int, int | None, set[str]] | None:
        """The table that a call is about, to whom alone it speaks, and the cards in it; none if there are none."""
        params, who = call["params"], None
        cards = cards_in(str(params.get("text", "")))
        if not cards:
            return None
        if call["method"] == "answerCallbackQuery":
            query = self.world.queries[str(params["callback_query_id"])]
            who, found = query.person, _OF_TABLE.match(query.button)
        else:
            found = _OF_TABLE.search(str(params.get("reply_markup", "")))
        return (int(found[1], 36), who, cards) if found else None


def _event(tx: Tx, board_id: int, evening: Shared) -> DayBoard | Standings | None:
    place = tx.events.board_by_id(board_id)
    event = tx.events.get(place.event_id) if place is not None else None
    if event is None:
        return None
    day = daily.board(tx, board_id, now=evening.clock.now())
    return day[0] if day is not None else standings(tx, event)


def _dealt(tx: Tx) -> list[Dealt]:
    """Every hand that was dealt at a table, in order."""
    people = {row["id"]: row["user_id"] for row in tx.rows("SELECT id, user_id FROM seats")}
    found = []
    for row in tx.rows("SELECT id, table_id, dealt, settled FROM table_rounds WHERE dealt IS NOT NULL ORDER BY id"):
        if row["settled"] is not None:
            parts = tx.rows("SELECT seat_id, cards FROM table_hands WHERE round_id = :id", id=row["id"])
            held = {people[part["seat_id"]]: frozenset(map(str, parse_cards(part["cards"]))) for part in parts}
            dealer = frozenset[str]()
            round_ = tx.tables.round(row["id"])
            if round_ is not None and round_.showdown is not None:
                dealer = frozenset(map(str, round_.showdown.dealer))
        else:
            place = tx.tables.any(row["table_id"])
            assert place is not None
            stage = place.table.stage
            assert isinstance(stage, Deciding)
            held = {people[player.user]: frozenset(map(str, player.hand)) for player in stage.players}
            dealer = frozenset()
        found.append(
            Dealt(
                table=row["table_id"],
                dealt=row["dealt"] / 1000,
                over=row["settled"] / 1000 if row["settled"] is not None else float("inf"),
                own=held,
                all=frozenset(chain(dealer, *held.values())),
            )
        )
    return found
