"""Group tables and the hands dealt there; the table's version guards every change."""
# ruff: noqa: S608 - what is built in are this module's own column lists, never a value

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from bot.storage import codec, table_codec
from bot.storage.errors import StaleTable
from bot.storage.instants import from_ms, from_ms_or_none, to_ms
from bot.storage.sql import Row, Sql, one
from bot.tables import GroupTable, TableRound
from core.cards import cards_text
from core.ranking import strength
from core.rules import RuleSet
from core.table import Player, Showdown, Table

_COLUMNS = (
    "id, chat_id, thread_id, rules_id, state, round_id, shown_id, version, message_id, old_message_id, wanted, painted"
)
_ROUND = "id, table_id, hand, rules_id, secret, commitment, words, cut, cut_by, opened, dealt, settled, void, state"


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """What one seat had in a hand that is over."""

    seat_id: int
    night_id: int | None
    net: int  # chips
    player: Player | None = None  # None: the banker
    given_away: int = 0  # chips / 18,424


class Tables:
    """Tables that have ended are found by nobody any more, but for the painter."""

    def __init__(self, tx: Sql) -> None:
        self._tx = tx

    # Tables

    def live(self, chat_id: int) -> GroupTable | None:
        """The one table of a chat."""
        return self._found("chat_id = :chat AND ended IS NULL", chat=chat_id)

    def get(self, table_id: int) -> GroupTable | None:
        """A live table by its id."""
        return self._found("id = :id AND ended IS NULL", id=table_id)

    def any(self, table_id: int) -> GroupTable | None:
        """A table by its id, live or ended."""
        return self._found("id = :id", id=table_id)

    def at(self, chat_id: int, message_id: int) -> GroupTable | None:
        """The live table that this message shows."""
        return self._found(
            "chat_id = :chat AND message_id = :message AND ended IS NULL", chat=chat_id, message=message_id
        )

    def _found(self, where: str, **facts: object) -> GroupTable | None:
        row = self._tx.row(f"SELECT {_COLUMNS} FROM tables WHERE {where}", **facts)
        return None if row is None else self._table(row)

    def open(
        self, table: Table, *, chat_id: int, thread_id: int | None, secret: bytes, commitment: str, now: datetime
    ) -> GroupTable:
        """A new table with its first hand to come; the database refuses a second one in a chat."""
        id_ = self._tx.insert(
            "INSERT INTO tables (chat_id, thread_id, rules_id, state, version, wanted, painted, opened)"
            " VALUES (:chat, :thread, :rules, :state, 1, 1, 0, :now)",
            chat=chat_id,
            thread=thread_id,
            rules=self._tx.rule_sets.put(table.rules),
            state=table_codec.encode(table),
            now=to_ms(now),
        )
        round_ = self.open_round(id_, table, secret=secret, commitment=commitment, now=now)
        self._tx.execute("UPDATE tables SET round_id = :round WHERE id = :id", id=id_, round=round_.id)
        return GroupTable(id=id_, chat_id=chat_id, thread_id=thread_id, table=table, round_id=round_.id)

    def put(self, place: GroupTable, *, now: datetime) -> GroupTable:
        """
        Store everything but what is painted, which only the painter reports.

        :raises StaleTable: If the table has moved on since it was read.
        """
        changed = self._tx.execute(
            "UPDATE tables SET chat_id = :chat, thread_id = :thread, rules_id = :rules, state = :state,"
            " round_id = :round, shown_id = :shown, version = :seen + 1, message_id = :message,"
            " old_message_id = :old_message, wanted = :wanted, ended = :ended"
            " WHERE id = :id AND version = :seen AND ended IS NULL",
            id=place.id,
            seen=place.version,
            chat=place.chat_id,
            thread=place.thread_id,
            rules=self._tx.rule_sets.put(place.table.rules),
            state=table_codec.encode(place.table),
            round=place.round_id,
            shown=place.shown_id,
            message=place.message_id,
            old_message=place.old_message_id,
            wanted=place.wanted,
            ended=to_ms(now) if place.ended else None,
        )
        if changed != 1:
            raise StaleTable(place.id, place.version)
        return replace(place, version=place.version + 1)

    def _table(self, row: Row) -> GroupTable:
        return GroupTable(
            id=row["id"],
            chat_id=row["chat_id"],
            thread_id=row["thread_id"],
            table=table_codec.decode(row["state"], self._tx.rule_sets.get(row["rules_id"])),
            round_id=row["round_id"],
            shown_id=row["shown_id"],
            version=row["version"],
            message_id=row["message_id"],
            old_message_id=row["old_message_id"],
            wanted=row["wanted"],
            painted=row["painted"],
        )

    # Hands

    def open_round(self, table_id: int, table: Table, *, secret: bytes, commitment: str, now: datetime) -> TableRound:
        """The hand to come, whose id is its nonce; the database refuses a second one."""
        row = self._tx.row(
            "INSERT INTO table_rounds (table_id, hand, rules_id, secret, commitment, words, phase, void, opened)"
            " VALUES (:table, :hand, :rules, :secret, :commitment, :words, 'open', 0, :now)"
            f" RETURNING {_ROUND}",
            table=table_id,
            hand=table.hand,
            rules=self._tx.rule_sets.put(table.rules),
            secret=secret,
            commitment=commitment,
            words=codec.encode_words(()),
            now=to_ms(now),
        )
        return self._round(one(row))

    def round(self, round_id: int) -> TableRound | None:
        """A hand by its id, to come, in play, over or void."""
        row = self._tx.row(f"SELECT {_ROUND} FROM table_rounds WHERE id = :id", id=round_id)
        return None if row is None else self._round(row)

    def by_commitment(self, commitment: str) -> TableRound | None:
        """The hand that was announced by this commitment, lower-case hex."""
        row = self._tx.row(f"SELECT {_ROUND} FROM table_rounds WHERE commitment = :commitment", commitment=commitment)
        return None if row is None else self._round(row)

    def chat_of(self, round_: TableRound) -> int:
        """The chat in which a hand was dealt, by the id that it has now."""
        return int(one(self._tx.row("SELECT chat_id FROM tables WHERE id = :id", id=round_.table_id))["chat_id"])

    def cut(self, round_: TableRound, value: int, *, by: int) -> TableRound:
        """The hand to come is cut, once."""
        self._changed(
            "UPDATE table_rounds SET cut = :cut, cut_by = :seat WHERE id = :id AND cut IS NULL AND phase = 'open'",
            round_,
            cut=value,
            seat=by,
        )
        return replace(round_, cut=value, cut_by=by)

    def deal(
        self, round_: TableRound, *, words: tuple[str, ...], hand: int, rules: RuleSet, now: datetime
    ) -> TableRound:
        """The words are fixed, and the cards with them."""
        self._changed(
            "UPDATE table_rounds SET phase = 'dealt', words = :words, hand = :hand, rules_id = :rules, dealt = :now"
            " WHERE id = :id AND phase = 'open' AND void = 0",
            round_,
            words=codec.encode_words(words),
            hand=hand,
            rules=self._tx.rule_sets.put(rules),
            now=to_ms(now),
        )
        return replace(round_, words=words, hand=hand, rules=rules, dealt=from_ms(to_ms(now)))

    def settle(self, round_: TableRound, showdown: Showdown, parts: list[Part], *, now: datetime) -> TableRound:
        """The hand is over: how it ended, and what everybody had in it, the banker last."""
        self._changed(
            "UPDATE table_rounds SET phase = 'settled', state = :state, settled = :now"
            " WHERE id = :id AND phase = 'dealt' AND void = 0",
            round_,
            state=table_codec.encode_showdown(showdown),
            now=to_ms(now),
        )
        for place, part in enumerate(parts):
            self._add_part(round_, place, part, showdown, now)
        return replace(round_, showdown=showdown, settled=from_ms(to_ms(now)))

    def _add_part(self, round_: TableRound, place: int, part: Part, showdown: Showdown, now: datetime) -> None:
        player = part.player
        hand = showdown.dealer if player is None else player.hand
        self._tx.execute(
            "INSERT INTO table_hands (round_id, place, seat_id, night_id, banked, ante, pair_plus, six_card, cards,"
            " decision, auto, net, given_away, strength, settled) VALUES (:round, :place, :seat, :night, :banked,"
            " :ante, :pair_plus, :six_card, :cards, :decision, :auto, :net, :given_away, :strength, :now)",
            round=round_.id,
            place=place,
            seat=part.seat_id,
            night=part.night_id,
            banked=int(player is None),
            ante=0 if player is None else player.wager.ante,
            pair_plus=0 if player is None else player.wager.pair_plus,
            six_card=0 if player is None else player.wager.six_card,
            cards=cards_text(hand),
            decision=None if player is None or player.decision is None else player.decision.value,
            auto=int(player is not None and player.auto),
            net=part.net,
            given_away=part.given_away,
            strength=strength(hand).value,
            now=to_ms(now),
        )

    def settled_of(self, night_id: int, *, last: int) -> list[TableRound]:
        """The latest hands of a night that are over, in order."""
        rows = self._tx.rows(
            f"SELECT {_ROUND} FROM table_rounds WHERE phase = 'settled' AND id IN"
            " (SELECT round_id FROM table_hands WHERE night_id = :night) ORDER BY id DESC LIMIT :last",
            night=night_id,
            last=last,
        )
        return [self._round(row) for row in reversed(rows)]

    def void(self, round_id: int, *, now: datetime) -> None:
        """A hand that is never dealt, or never settled; its secret is used no more."""
        self._tx.execute(
            "UPDATE table_rounds SET void = 1, voided = :now WHERE id = :id AND phase <> 'settled' AND void = 0",
            id=round_id,
            now=to_ms(now),
        )

    def _changed(self, sql: str, round_: TableRound, **facts: object) -> None:
        if self._tx.execute(sql, id=round_.id, **facts) != 1:
            raise StaleTable(round_.table_id, 0)

    def _round(self, row: Row) -> TableRound:
        return TableRound(
            id=row["id"],
            table_id=row["table_id"],
            hand=row["hand"],
            rules=self._tx.rule_sets.get(row["rules_id"]),
            secret=row["secret"],
            commitment=row["commitment"],
            words=codec.decode_words(row["words"]),
            cut=row["cut"],
            cut_by=row["cut_by"],
            opened=from_ms(row["opened"]),
            dealt=from_ms_or_none(row["dealt"]),
            settled=from_ms_or_none(row["settled"]),
            void=bool(row["void"]),
            showdown=None if row["state"] is None else table_codec.decode_showdown(row["state"]),
        )
