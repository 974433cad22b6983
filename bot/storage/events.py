"""Contests and days of the daily five: what is held, who did what in it, and the messages that show it."""
# ruff: noqa: S608 - what is built in are this module's own column lists, never a value

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import orjson

from bot.facts import Event, EventKind
from bot.storage.instants import from_ms, from_ms_or_none, to_ms
from bot.storage.sql import Row, Sql, one
from bot.tables import LAST_BOARD
from core.betting import Wager
from core.rules import RuleSet

_COLUMNS = (
    "id, kind, chat_id, day, rules_id, nights, hands, ante, pair_plus, six_card, buy_in, secret, commitment, deals,"
    " made, opens, ends, closed, called_off, closed_by"
)
_BOARD = "id, event_id, chat_id, thread_id, message_id, old_message_id, wanted, painted, shown, code"


@dataclass(frozen=True, slots=True, kw_only=True)
class EventBoard:
    """The message that shows an event in a group."""

    id: int
    event_id: int
    chat_id: int
    thread_id: int | None
    message_id: int | None = None
    old_message_id: int | None = None
    wanted: int = 1
    painted: int = 0
    shown: datetime  # when its latest picture was made
    code: str  # of the link into the private chat

    @property
    def board(self) -> int:
        """What the painter calls it."""
        return event_board(self.id)


def event_board(board_id: int) -> int:
    """What the painter calls an event's board: those of events lie below every table's."""
    return LAST_BOARD - board_id


def event_board_id(board: int) -> int | None:
    """The event board that a painter means by this number; None if it means another kind."""
    return LAST_BOARD - board if board < LAST_BOARD else None


@dataclass(frozen=True, slots=True, kw_only=True)
class EventNight:
    """A night of an event as it stands: over, or with what it would have if it ended now."""

    user_id: int
    seat_id: int
    night_id: int
    chips: int
    hands: int  # settled
    over: bool
    reached: datetime  # its latest settlement; the end of an event moves nobody behind who has as much


@dataclass(frozen=True, slots=True, kw_only=True)
class EventResult:
    """What one person made of an event, final."""

    user_id: int
    points: int  # chips, or half points
    played: int  # nights, or deals
    reached: datetime
    grid: str = ""  # what a day's choices were worth


class Events:
    """Contests have a chat, days of the daily five a day; the seats of both stand at a place of their own."""

    def __init__(self, tx: Sql) -> None:
        self._tx = tx

    # Events

    def add(
        self,
        *,
        kind: EventKind,
        chat_id: int | None,
        rules: RuleSet,
        nights: int,
        hands: int,
        buy_in: int,
        opens: datetime,
        ends: datetime,
        now: datetime,
        wager: Wager | None = None,
        day: str = "",
        secret: bytes = b"",
        commitment: str = "",
    ) -> Event | None:
        """A new event, buy-in in chips; None if a contest runs in that chat already, or the day is there."""
        bets = wager or Wager()
        row = self._tx.row(
            "INSERT INTO events (kind, chat_id, slot, day, rules_id, nights, hands, ante, pair_plus, six_card, buy_in,"
            " secret, commitment, deals, made, opens, ends, called_off, closed_by)"
            " VALUES (:kind, :chat, :chat, :day, :rules, :nights, :hands, :ante, :pair_plus, :six_card, :buy_in,"
            f" :secret, :commitment, '[]', :now, :opens, :ends, 0, 0) ON CONFLICT DO NOTHING RETURNING {_COLUMNS}",
            kind=kind.value,
            chat=chat_id,
            day=day or None,
            rules=self._tx.rule_sets.put(rules),
            nights=nights,
            hands=hands,
            ante=bets.ante,
            pair_plus=bets.pair_plus,
            six_card=bets.six_card,
            buy_in=buy_in,
            secret=secret,
            commitment=commitment or None,
            now=to_ms(now),
            opens=to_ms(opens),
            ends=to_ms(ends),
        )
        return None if row is None else self._event(row)

    def set_deals(self, event_id: int, deals: tuple[int, ...]) -> None:
        """The numbers of an event's deals in the order of play, once."""
        self._tx.execute(
            "UPDATE events SET deals = :deals WHERE id = :id AND deals = '[]'",
            id=event_id,
            deals=orjson.dumps(deals).decode(),
        )

    def get(self, event_id: int) -> Event | None:
        """An event by its id, running or over."""
        return self._found("id = :id", id=event_id)

    def running(self, chat_id: int) -> Event | None:
        """The contest that is not closed yet in a chat."""
        return self._found("chat_id = :chat AND closed IS NULL ORDER BY id LIMIT 1", chat=chat_id)

    def latest(self, chat_id: int) -> Event | None:
        """The chat's latest contest, running or over, unless it was called off."""
        return self._found("chat_id = :chat AND called_off = 0 ORDER BY id DESC LIMIT 1", chat=chat_id)

    def on_day(self, day: str) -> Event | None:
        """The daily five of a day, as 2026-11-30."""
        return self._found("day = :day", day=day)

    def days_due(self, now: datetime) -> list[Event]:
        """Days of the daily five that are over and not closed yet, in order."""
        rows = self._tx.rows(
            f"SELECT {_COLUMNS} FROM events WHERE day IS NOT NULL AND closed IS NULL AND ends <= :now ORDER BY ends",
            now=to_ms(now),
        )
        return [*map(self._event, rows)]

    def by_commitment(self, commitment: str) -> Event | None:
        """The event whose deals were announced by this commitment, lower-case hex."""
        return self._found("commitment = :commitment", commitment=commitment)

    def hold(self, event_id: int) -> bool:
        """Keep an event from being closed beside this transaction; False if it is closed."""
        return bool(self._tx.execute("UPDATE events SET slot = slot WHERE id = :id AND closed IS NULL", id=event_id))

    def close(self, event_id: int, *, called_off: bool, by: int, now: datetime) -> bool:
        """The one change from open to closed; False if somebody was first (F113)."""
        return bool(
            self._tx.execute(
                "UPDATE events SET closed = :now, slot = NULL, called_off = :called_off, closed_by = :by"
                " WHERE id = :id AND closed IS NULL",
                id=event_id,
                now=to_ms(now),
                called_off=int(called_off),
                by=by,
            )
        )

    def _found(self, where: str, **facts: object) -> Event | None:
        row = self._tx.row(f"SELECT {_COLUMNS} FROM events WHERE {where}", **facts)
        return None if row is None else self._event(row)

    def _event(self, row: Row) -> Event:
        return Event(
            id=row["id"],
            kind=EventKind(row["kind"]),
            chat_id=row["chat_id"],
            rules=self._tx.rule_sets.get(row["rules_id"]),
            nights=row["nights"],
            hands=row["hands"],
            wager=Wager(ante=row["ante"], pair_plus=row["pair_plus"], six_card=row["six_card"]),
            buy_in=row["buy_in"],
            day=row["day"] or "",
            secret=bytes(row["secret"]),
            commitment=row["commitment"] or "",
            deals=tuple(orjson.loads(row["deals"])),
            made=from_ms(row["made"]),
            opens=from_ms(row["opens"]),
            ends=from_ms(row["ends"]),
            closed=from_ms_or_none(row["closed"]),
            called_off=bool(row["called_off"]),
            closed_by=row["closed_by"],
        )

    # Who did what

    def nights(self, place: int) -> list[EventNight]:
        """All nights at an event's place with a settled hand, in order; what a dealt hand holds counts as chips."""
        rows = self._tx.rows(
            "SELECT s.user_id, n.seat_id, n.id, n.hands, n.closed,"
            " COALESCE(n.chips, s.chips + COALESCE((SELECT 2 * r.ante + r.pair_plus + r.six_card FROM rounds r"
            " WHERE r.id = s.round_id AND r.phase = 'dealt'), 0)) AS chips,"
            " COALESCE((SELECT MAX(r.settled) FROM rounds r WHERE r.night_id = n.id), n.closed) AS reached"
            " FROM seats s JOIN nights n ON n.seat_id = s.id WHERE s.chat_id = :place AND n.hands >= 1 ORDER BY n.id",
            place=place,
        )
        return [
            EventNight(
                user_id=row["user_id"],
                seat_id=row["seat_id"],
                night_id=row["id"],
                chips=row["chips"],
                hands=row["hands"],
                over=row["closed"] is not None,
                reached=from_ms(row["reached"]),
            )
            for row in rows
        ]

    def nets(self, place: int) -> dict[int, dict[int, int]]:
        """By person and number of the deal, what it won or lost, in chips."""
        found: dict[int, dict[int, int]] = {}
        for row in self._tx.rows(
            "SELECT s.user_id, r.deal, r.net FROM seats s JOIN rounds r ON r.seat_id = s.id"
            " WHERE s.chat_id = :place AND r.phase = 'settled' AND r.deal IS NOT NULL ORDER BY r.id",
            place=place,
        ):
            found.setdefault(row["user_id"], {})[row["deal"]] = row["net"]
        return found

    def seated(self, place: int) -> list[int]:
        """The seats at an event's place where a night is under way."""
        rows = self._tx.rows(
            "SELECT id FROM seats WHERE chat_id = :place AND night_id IS NOT NULL ORDER BY id", place=place
        )
        return [row["id"] for row in rows]

    # Results

    def add_result(self, event_id: int, result: EventResult) -> bool:
        """True for the first of a person, which stays."""
        return bool(
            self._tx.execute(
                "INSERT INTO event_results (event_id, user_id, points, played, reached, grid)"
                " VALUES (:event, :user, :points, :played, :reached, :grid) ON CONFLICT DO NOTHING",
                event=event_id,
                user=result.user_id,
                points=result.points,
                played=result.played,
                reached=to_ms(result.reached),
                grid=result.grid,
            )
        )

    def results(self, event_id: int) -> list[EventResult]:
        """All results of an event, best first."""
        rows = self._tx.rows(
            "SELECT user_id, points, played, reached, grid FROM event_results WHERE event_id = :event"
            " ORDER BY points DESC, reached, user_id",
            event=event_id,
        )
        return [*map(_result, rows)]

    def result_of(self, event_id: int, user_id: int) -> EventResult | None:
        """One person's result; None while there is none."""
        row = self._tx.row(
            "SELECT user_id, points, played, reached, grid FROM event_results"
            " WHERE event_id = :event AND user_id = :user",
            event=event_id,
            user=user_id,
        )
        return None if row is None else _result(row)

    def results_in(self, event_id: int, chat_id: int) -> list[EventResult]:
        """Those of the people who have a seat in that chat, too."""
        rows = self._tx.rows(
            "SELECT e.user_id, e.points, e.played, e.reached, e.grid FROM event_results e"
            " JOIN seats s ON s.user_id = e.user_id AND s.chat_id = :chat AND s.gone IS NULL WHERE e.event_id = :event"
            " ORDER BY e.points DESC, e.reached, e.user_id",
            event=event_id,
            chat=chat_id,
        )
        return [*map(_result, rows)]

    def totals(self, event_id: int) -> tuple[int, int]:
        """How many have finished an event, and their points together."""
        row = one(
            self._tx.row(
                "SELECT COUNT(*) AS people, CAST(COALESCE(SUM(points), 0) AS BIGINT) AS points FROM event_results"
                " WHERE event_id = :event",
                event=event_id,
            )
        )
        return int(row["people"]), int(row["points"])

    def days(self, user_id: int, month: str) -> list[str]:
        """The days of a month, as 2026-11, that a person played."""
        rows = self._tx.rows(
            "SELECT e.day FROM event_results r JOIN events e ON e.id = r.event_id"
            " WHERE r.user_id = :user AND e.day LIKE :month ORDER BY e.day",
            user=user_id,
            month=f"{month}-%",
        )
        return [row["day"] for row in rows]

    def days_played(self, user_id: int, *, grid: str | None = None) -> int:
        """How many days somebody played; with *grid* those that went exactly so."""
        row = self._tx.row(
            "SELECT COUNT(*) AS days FROM event_results r JOIN events e ON e.id = r.event_id"
            " WHERE r.user_id = :user AND e.day IS NOT NULL" + ("" if grid is None else " AND r.grid = :grid"),
            **({"user": user_id} if grid is None else {"user": user_id, "grid": grid}),
        )
        return int(one(row)["days"])

    def contests_won(self, user_id: int) -> int:
        """In how many contests somebody has the most points, or as many, and somebody else has fewer."""
        row = self._tx.row(
            "SELECT COUNT(*) AS won FROM event_results r JOIN events e ON e.id = r.event_id"
            " WHERE r.user_id = :user AND e.day IS NULL"
            " AND NOT EXISTS (SELECT 1 FROM event_results b WHERE b.event_id = r.event_id AND b.points > r.points)"
            " AND EXISTS (SELECT 1 FROM event_results b WHERE b.event_id = r.event_id AND b.points < r.points)",
            user=user_id,
        )
        return int(one(row)["won"])

    # Boards

    def board(self, event_id: int, chat_id: int) -> EventBoard | None:
        """The message that shows an event in a chat."""
        return self._board_where("event_id = :event AND chat_id = :chat", event=event_id, chat=chat_id)

    def board_by_id(self, board_id: int) -> EventBoard | None:
        """By its own id, not by the painter's number."""
        return self._board_where("id = :id", id=board_id)

    def board_by_code(self, code: str) -> EventBoard | None:
        """The one whose link into the private chat carries this code."""
        return self._board_where("code = :code", code=code)

    def board_at(self, chat_id: int, message_id: int) -> EventBoard | None:
        """The event that this message shows."""
        return self._board_where("chat_id = :chat AND message_id = :message", chat=chat_id, message=message_id)

    def boards(self, event_id: int) -> list[EventBoard]:
        """All messages that show an event, in the order in which they were opened."""
        rows = self._tx.rows(f"SELECT {_BOARD} FROM event_boards WHERE event_id = :event ORDER BY id", event=event_id)
        return [*map(_board, rows)]

    def open_board(
        self, event_id: int, chat_id: int, *, thread_id: int | None, message_id: int | None, code: str
    ) -> EventBoard:
        """The one message of an event in a group, new or the one it has; *message_id* is one that is there already."""
        row = self._tx.row(
            "INSERT INTO event_boards (event_id, chat_id, thread_id, message_id, wanted, painted, shown, code)"
            f" VALUES (:event, :chat, :thread, :message, 1, 0, 0, :code) ON CONFLICT DO NOTHING RETURNING {_BOARD}",
            event=event_id,
            chat=chat_id,
            thread=thread_id,
            message=message_id,
            code=code,
        )
        found = _board(row) if row is not None else self.board(event_id, chat_id)
        if found is None:
            raise LookupError(event_id, chat_id)
        return found

    def put_board(self, board: EventBoard) -> EventBoard:
        """Store where it stands, and how many pictures are wanted."""
        self._tx.execute(
            "UPDATE event_boards SET thread_id = :thread, message_id = :message, old_message_id = :old,"
            " wanted = :wanted WHERE id = :id",
            id=board.id,
            thread=board.thread_id,
            message=board.message_id,
            old=board.old_message_id,
            wanted=board.wanted,
        )
        return board

    def want(self, board_id: int) -> None:
        """One more picture is wanted."""
        self._tx.execute("UPDATE event_boards SET wanted = wanted + 1 WHERE id = :id", id=board_id)

    def show(self, board_id: int, now: datetime) -> None:
        """Its picture is made at this moment."""
        self._tx.execute("UPDATE event_boards SET shown = :now WHERE id = :id", id=board_id, now=to_ms(now))

    def _board_where(self, where: str, **facts: object) -> EventBoard | None:
        row = self._tx.row(f"SELECT {_BOARD} FROM event_boards WHERE {where}", **facts)
        return None if row is None else _board(row)


def _board(row: Row) -> EventBoard:
    return EventBoard(
        id=row["id"],
        event_id=row["event_id"],
        chat_id=row["chat_id"],
        thread_id=row["thread_id"],
        message_id=row["message_id"],
        old_message_id=row["old_message_id"],
        wanted=row["wanted"],
        painted=row["painted"],
        shown=from_ms(row["shown"]),
        code=row["code"],
    )


def _result(row: Row) -> EventResult:
    return EventResult(
        user_id=row["user_id"],
        points=row["points"],
        played=row["played"],
        reached=from_ms(row["reached"]),
        grid=row["grid"],
    )
