"""Solo rounds, from commitment to settlement; the version column guards every change."""
# ruff: noqa: S608 - what is built in are this module's own column lists, never a value

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from bot.facts import Night, Round
from bot.storage import codec
from bot.storage.errors import StaleRound
from bot.storage.instants import from_ms, from_ms_or_none, to_ms, to_ms_or_none
from bot.storage.sql import Row, Sql
from core.solo import Betting, Settled, State

_COLUMNS = (
    "id, seat_id, night_id, rules_id, secret, commitment, words, state, version,"
    " opened, worded, dealt, settled, void, given_away, deal"
)
_SEAL = 64  # characters of a commitment


class Rounds:
    """A settled round never changes, but for one that an operator takes back; a void one is never dealt."""

    def __init__(self, tx: Sql) -> None:
        self._tx = tx

    def open(
        self,
        *,
        night: Night,
        secret: bytes,
        words: tuple[str, ...],
        commitment: str,
        state: State,
        now: datetime,
        deal: int | None = None,
    ) -> Round:
        """
        A new round of a night, by its rules, whose id is its nonce; the database refuses a second open one at the seat.

        With *deal* it is that deal of an event: its secret is the event's and not stored here, and its commitment,
        which all rounds of the event share, is stored with seat and night behind it.
        """
        stamp = to_ms(now)
        sealed = commitment if deal is None else f"{commitment}/{night.seat_id}/{night.id}/{deal}"
        id_ = self._tx.insert(
            "INSERT INTO rounds (seat_id, night_id, rules_id, secret, commitment, words, state, version, opened,"
            " worded, void, given_away, deal, phase, ante, pair_plus, six_card, cards, decision, result, net, strength)"
            " VALUES (:seat, :night, (SELECT rules_id FROM nights WHERE id = :night), :secret, :commitment, :words,"
            " :state, 1, :now, :now, 0, 0, :deal, :phase, :ante, :pair_plus, :six_card, :cards, :decision, :result,"
            " :net, :strength)",
            seat=night.seat_id,
            night=night.id,
            secret=secret,
            commitment=sealed,
            words=codec.encode_words(words),
            state=codec.encode(state),
            now=stamp,
            deal=deal,
            **codec.columns(state),
        )
        return Round(
            id=id_,
            seat_id=night.seat_id,
            night_id=night.id,
            rules=night.rules,
            secret=secret,
            commitment=commitment,
            words=words,
            state=state,
            version=1,
            opened=from_ms(stamp),
            worded=from_ms(stamp),
            deal=deal,
        )

    def get(self, round_id: int) -> Round | None:
        """A round by its id, open, settled or void."""
        row = self._tx.row(f"SELECT {_COLUMNS} FROM rounds WHERE id = :id", id=round_id)
        return None if row is None else self._round(row)

    def by_commitment(self, commitment: str) -> Round | None:
        """The round that was announced by this commitment, lower-case hex."""
        row = self._tx.row(f"SELECT {_COLUMNS} FROM rounds WHERE commitment = :commitment", commitment=commitment)
        return None if row is None else self._round(row)

    def settled_of(self, night_id: int) -> list[Round]:
        """The settled rounds of a night in order."""
        rows = self._tx.rows(
            f"SELECT {_COLUMNS} FROM rounds WHERE night_id = :night AND phase = 'settled' ORDER BY id", night=night_id
        )
        return [*map(self._round, rows)]

    def settled_before(self, seat_id: int, hands: int) -> datetime | None:
        """When the hand was settled that lies so many hands back at a seat, alone or at a table; the latest is one."""
        row = self._tx.row(
            "SELECT settled FROM (SELECT * FROM (SELECT settled FROM rounds WHERE seat_id = :seat"
            " AND phase = 'settled' ORDER BY id DESC LIMIT :hands) AS alone"
            " UNION ALL SELECT * FROM (SELECT settled FROM table_hands WHERE seat_id = :seat"
            " ORDER BY round_id DESC LIMIT :hands) AS together) AS hands ORDER BY settled DESC LIMIT 1 OFFSET :skip",
            seat=seat_id,
            hands=hands,
            skip=hands - 1,
        )
        return None if row is None else from_ms_or_none(row["settled"])

    def put(self, round_: Round, *, state: State, now: datetime, given_away: int = 0) -> Round:
        """
        The round with its next state; stamps the deal and the settlement. given_away in chips / 18,424.

        :raises StaleRound: If it has moved on since it was read, or is void.
        """
        if isinstance(state, Betting):
            return self._put_bet(round_, state)
        stamp = from_ms(to_ms(now))
        dealt = round_.dealt or stamp
        settled = stamp if isinstance(state, Settled) else None
        self._change(
            round_,
            "UPDATE rounds SET state = :state, version = :seen + 1, dealt = :dealt, settled = :settled,"
            " given_away = :given_away, phase = :phase, ante = :ante, pair_plus = :pair_plus, six_card = :six_card,"
            " cards = :cards, decision = :decision, result = :result, net = :net, strength = :strength"
            " WHERE id = :id AND version = :seen AND void = 0",
            state=codec.encode(state),
            dealt=to_ms_or_none(dealt),
            settled=to_ms_or_none(settled),
            given_away=given_away,
            **codec.columns(state),
        )
        return replace(
            round_, state=state, version=round_.version + 1, dealt=dealt, settled=settled, given_away=given_away
        )

    def _put_bet(self, round_: Round, state: Betting) -> Round:
        """The commonest change of all: without the columns of the partial index, which need not be touched."""
        self._change(
            round_,
            "UPDATE rounds SET state = :state, version = :seen + 1, ante = :ante, pair_plus = :pair_plus,"
            " six_card = :six_card WHERE id = :id AND version = :seen AND void = 0 AND phase = 'betting'",
            state=codec.encode(state),
            ante=state.wager.ante,
            pair_plus=state.wager.pair_plus,
            six_card=state.wager.six_card,
        )
        return replace(round_, state=state, version=round_.version + 1)

    def latest_settled(self, seat_id: int) -> Round | None:
        """The hand of that seat that was settled last."""
        row = self._tx.row(
            f"SELECT {_COLUMNS} FROM rounds WHERE seat_id = :seat AND phase = 'settled' ORDER BY id DESC LIMIT 1",
            seat=seat_id,
        )
        return None if row is None else self._round(row)

    def set_words(self, round_: Round, words: tuple[str, ...], *, now: datetime) -> Round:
        """
        The round with other words, which can be changed until the deal.

        :raises StaleRound: If it has moved on since it was read, or was dealt.
        """
        self._change(
            round_,
            "UPDATE rounds SET words = :words, worded = :now, version = :seen + 1"
            " WHERE id = :id AND version = :seen AND void = 0 AND phase = 'betting'",
            words=codec.encode_words(words),
            now=to_ms(now),
        )
        return replace(round_, words=words, worded=from_ms(to_ms(now)), version=round_.version + 1)

    def void(self, round_: Round, now: datetime) -> Round:
        """
        A round that is never dealt, or never settled; its secret is used no more.

        :raises StaleRound: If it has moved on since it was read, is settled, or is void already.
        """
        self._change(
            round_,
            "UPDATE rounds SET void = 1, voided = :now, version = :seen + 1"
            " WHERE id = :id AND version = :seen AND void = 0 AND phase <> 'settled'",
            now=to_ms(now),
        )
        return replace(round_, void=True, version=round_.version + 1)

    def _change(self, round_: Round, sql: str, **facts: object) -> None:
        """Compare and swap: one row, or StaleRound."""
        if self._tx.execute(sql, id=round_.id, seen=round_.version, **facts) != 1:
            raise StaleRound(round_.id, round_.version)

    def _round(self, row: Row) -> Round:
        return Round(
            id=row["id"],
            seat_id=row["seat_id"],
            night_id=row["night_id"],
            rules=self._tx.rule_sets.get(row["rules_id"]),
            secret=row["secret"],
            commitment=row["commitment"][:_SEAL],
            words=codec.decode_words(row["words"]),
            state=codec.decode(row["state"]),
            version=row["version"],
            opened=from_ms(row["opened"]),
            worded=from_ms(row["worded"]),
            dealt=from_ms_or_none(row["dealt"]),
            settled=from_ms_or_none(row["settled"]),
            void=bool(row["void"]),
            given_away=row["given_away"],
            deal=row["deal"],
        )
