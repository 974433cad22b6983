"""Top fives and statistics, from what is stored: nights that were cashed out after at least one hand."""
# ruff: noqa: S608 - what is built in are this module's own column lists, never a value

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from bot.facts import Score
from bot.storage.instants import EPOCH, from_ms, to_ms
from bot.storage.sql import Row, Sql, one

_LATEST = 2**62  # later than every instant that a datetime can hold
# The words of the partial indexes, so that both databases use them.
_COUNTS = "n.chat_id = :chat AND n.score IS NOT NULL AND n.closed >= :since AND n.closed < :until"
_ORDER = "ORDER BY n.score DESC, n.closed, n.id LIMIT 1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Stats:
    """What one seat did so far, all nights together."""

    nights: int = 0  # closed, with a hand at least
    best_night: int | None = None  # chips, cashed out
    hands: int = 0  # settled
    played: int = 0
    folded: int = 0
    won: int = 0  # hands with a net above nought
    net: int = 0  # chips
    given_away: int = 0  # chips / 18,424


class Scores:
    def __init__(self, tx: Sql) -> None:
        self._tx = tx

    def top(
        self, chat_id: int, *, since: datetime | None = None, until: datetime | None = None, limit: int = 5
    ) -> list[Score]:
        """
        Each person once, with the best night that ended from *since* on and before *until*; ranks as 1, 2, 2, 4.

        Walks the index person by person, so its cost does not grow with the nights of those who are not on the list.
        """
        scores: list[Score] = []
        period = _period(chat_id, since, until)
        while len(scores) < limit:
            found = {f"u{place}": score.user_id for place, score in enumerate(scores)}
            others = f" AND n.user_id NOT IN ({', '.join(f':{name}' for name in found)})" if found else ""
            row = self._tx.row(
                f"SELECT n.user_id, n.score, n.closed FROM nights n WHERE {_COUNTS}{others} {_ORDER}",
                **period,
                **found,
            )
            if row is None:
                break
            tied = scores and scores[-1].chips == row["score"]
            scores.append(self._score(row, rank=scores[-1].rank if tied else len(scores) + 1))
        return scores

    def place(
        self, chat_id: int, user_id: int, *, since: datetime | None = None, until: datetime | None = None
    ) -> Score | None:
        """Where one person stands, however far down; None without a night that counts."""
        period = _period(chat_id, since, until)
        row = self._tx.row(
            f"SELECT n.user_id, n.score, n.closed FROM nights n WHERE {_COUNTS} AND n.user_id = :user {_ORDER}",
            **period,
            user=user_id,
        )
        if row is None:
            return None
        better = self._tx.row(
            f"SELECT COUNT(DISTINCT n.user_id) AS people FROM nights n WHERE {_COUNTS} AND n.score > :score",
            **period,
            score=row["score"],
        )
        return self._score(row, rank=one(better)["people"] + 1)

    def stats(self, seat_id: int) -> Stats:
        """Counted from the settled rounds and closed nights of a seat."""
        hands = one(
            self._tx.row(
                "SELECT COUNT(*) AS hands, CAST(COALESCE(SUM(net), 0) AS BIGINT) AS net,"
                " CAST(COALESCE(SUM(given_away), 0) AS BIGINT) AS given_away,"
                " COUNT(CASE WHEN decision = 'play' THEN 1 END) AS played,"
                " COUNT(CASE WHEN decision = 'fold' THEN 1 END) AS folded,"
                " COUNT(CASE WHEN net > 0 THEN 1 END) AS won"
                " FROM rounds WHERE seat_id = :seat AND phase = 'settled'",
                seat=seat_id,
            )
        )
        nights = one(
            self._tx.row(
                "SELECT COUNT(*) AS nights, MAX(CASE WHEN ending = 'cashed' THEN chips END) AS best"
                " FROM nights WHERE seat_id = :seat AND ending IS NOT NULL AND hands >= 1",
                seat=seat_id,
            )
        )
        return Stats(
            nights=nights["nights"],
            best_night=nights["best"],
            hands=hands["hands"],
            played=hands["played"],
            folded=hands["folded"],
            won=hands["won"],
            net=hands["net"],
            given_away=hands["given_away"],
        )

    def _score(self, row: Row, *, rank: int) -> Score:
        person = self._tx.row("SELECT name FROM people WHERE id = :id", id=row["user_id"])
        return Score(
            rank=rank,
            user_id=row["user_id"],
            name="" if person is None else person["name"],
            chips=row["score"],
            reached=from_ms(row["closed"]),
        )


def _period(chat_id: int, since: datetime | None, until: datetime | None) -> dict[str, object]:
    return {
        "chat": chat_id,
        "since": to_ms(since or EPOCH),
        "until": _LATEST if until is None else to_ms(until),
    }
