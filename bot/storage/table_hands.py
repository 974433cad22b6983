"""What each person had in hands at tables that are over: counted by night and by seat."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from bot.facts import AtTables
from bot.storage.sql import Sql, one
from core.cards import Hand, parse_hand

SHOWN = "(decision IS NULL OR decision <> 'fold')"
_STRONGEST = "ORDER BY strength DESC, round_id LIMIT 1"
_CHOSEN = "decision IS NOT NULL AND auto = 0"
_SUMS = {
    "hands": "1 - banked",
    "net": "CASE WHEN banked = 0 THEN net ELSE 0 END",
    "banked": "banked",
    "bank_net": "CASE WHEN banked = 1 THEN net ELSE 0 END",
    "given_away": "given_away",
    "decisions": f"CASE WHEN {_CHOSEN} THEN 1 ELSE 0 END",
    "best_choices": f"CASE WHEN {_CHOSEN} AND given_away = 0 THEN 1 ELSE 0 END",
}
_FIGURES = ", ".join(f"CAST(COALESCE(SUM({term}), 0) AS BIGINT) AS {name}" for name, term in _SUMS.items())


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """What somebody did at tables."""

    counted: AtTables
    best: Hand | None  # of the hands that were not folded, the bank's included
    latest: tuple[int, int] | None  # the latest hand, and when it was settled, in milliseconds


class TableHands:
    """They are written with the hand, by the shelf of tables."""

    def __init__(self, tx: Sql) -> None:
        self._tx = tx

    def figures(self, seats: str, whose: Mapping[str, object]) -> Figures:
        """The hands of these seats, a query with the parameters *whose*, all added up."""
        hands = f"FROM table_hands WHERE seat_id IN ({seats})"
        row = one(self._tx.row(f"SELECT {_FIGURES} {hands}", **whose))
        latest = self._tx.row(f"SELECT round_id, settled {hands} ORDER BY round_id DESC LIMIT 1", **whose)
        return Figures(
            counted=AtTables(**{name: row[name] for name in _SUMS}),
            best=self._best(hands, **whose),
            latest=None if latest is None else (latest["round_id"], latest["settled"]),
        )

    def night(self, night_id: int) -> tuple[int, int, int, Hand | None]:
        """The hands of a night at tables: how many, net in chips, chips / 18,424 given away, the best not folded."""
        hands = "FROM table_hands WHERE night_id = :night"
        row = one(
            self._tx.row(
                "SELECT COUNT(*) AS hands, CAST(COALESCE(SUM(net), 0) AS BIGINT) AS net,"
                f" CAST(COALESCE(SUM(given_away), 0) AS BIGINT) AS given_away {hands}",
                night=night_id,
            )
        )
        return row["hands"], row["net"], row["given_away"], self._best(hands, night=night_id)

    def _best(self, hands: str, **whose: object) -> Hand | None:
        row = self._tx.row(f"SELECT cards {hands} AND {SHOWN} {_STRONGEST}", **whose)
        return None if row is None else parse_hand(row["cards"])

    def part_of(self, user_id: int, round_id: int) -> tuple[int, int] | None:
        """Somebody's seat and night in a hand that is over; None for who was not in it, or has that night no more."""
        row = self._tx.row(
            "SELECT h.seat_id, h.night_id FROM table_hands h JOIN seats s ON s.id = h.seat_id"
            " WHERE h.round_id = :round AND s.user_id = :user AND h.night_id IS NOT NULL",
            round=round_id,
            user=user_id,
        )
        return None if row is None else (row["seat_id"], row["night_id"])
