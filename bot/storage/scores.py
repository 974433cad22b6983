"""Top fives and statistics, from what is stored: nights that were cashed out after at least one hand."""
# ruff: noqa: S608 - what is built in are this module's own column lists, never a value

from __future__ import annotations

from datetime import datetime

from bot.facts import EVENT_PLACES, Score, Stats, Wagered
from bot.storage.instants import EPOCH, from_ms, to_ms
from bot.storage.sql import Row, Sql, one
from core.cards import Hand, hand_of, parse_cards
from core.ranking import strength

_LATEST = 2**62  # later than every instant that a datetime can hold
# The words of the partial indexes, so that both databases use them.
_COUNTS = "n.chat_id = :chat AND n.score IS NOT NULL AND n.closed >= :since AND n.closed < :until"
_ORDER = "ORDER BY n.score DESC, n.closed, n.id LIMIT 1"


_LATELY = 16  # nights
_SEATS = "SELECT id FROM seats WHERE user_id = :user"
_ORDINARY = f"chat_id > {EVENT_PLACES}"  # nights of contests have other ends and other chips
_SETTLED = "strength IS NOT NULL"  # the words of the partial index
_SHOWN = "(decision IS NULL OR decision <> 'fold')"
_TOTALS = ", ".join(
    f"CAST(COALESCE(SUM({term}), 0) AS BIGINT) AS {name}"
    for name, term in {
        "net": "net",
        "given_away": "given_away",
        "best_choices": "CASE WHEN decision IS NOT NULL AND given_away = 0 THEN 1 ELSE 0 END",
        "ante": "ante",
        "play": "CASE WHEN decision = 'play' THEN ante ELSE 0 END",
        "pair_plus": "pair_plus",
        "six_card": "six_card",
    }.items()
)


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

    def stats(self, user_id: int, *, chat_id: int | None = None) -> Stats:
        """Counted from the settled rounds and ended nights of a person, in one chat or in all (F80)."""
        seats = _SEATS if chat_id is None else f"{_SEATS} AND chat_id = :chat"
        whose = {"user": user_id} if chat_id is None else {"user": user_id, "chat": chat_id}
        rounds = f"FROM rounds WHERE seat_id IN ({seats}) AND {_SETTLED}"
        nights = f"FROM nights WHERE seat_id IN ({seats}) AND closed IS NOT NULL AND hands >= 1 AND {_ORDINARY}"
        totals = self._tx.rows(
            f"SELECT rules_id, COUNT(*) AS hands, COUNT(decision) AS decisions, MAX(id) AS latest, {_TOTALS},"
            f" MAX(CASE WHEN {_SHOWN} THEN strength END) AS strength {rounds} GROUP BY rules_id ORDER BY rules_id",
            **whose,
        )
        sat = one(self._tx.row(f"SELECT COUNT(*) AS nights, MAX(score) AS best {nights}", **whose))
        lately = self._tx.rows(f"SELECT chips {nights} ORDER BY id DESC LIMIT {_LATELY}", **whose)
        best = max((row["strength"] for row in totals if row["strength"] is not None), default=None)
        return Stats(
            nights=sat["nights"],
            best_night=sat["best"],
            lately=tuple(row["chips"] for row in reversed(lately)),
            wagered=tuple(map(self._wagered, totals)),
            best=None if best is None else self._hand(f"{rounds} AND {_SHOWN}", best, **whose),
            latest_round=max((row["latest"] for row in totals), default=None),
        )

    def _wagered(self, row: Row) -> Wagered:
        return Wagered(
            rules=self._tx.rule_sets.get(row["rules_id"]),
            hands=row["hands"],
            net=row["net"],
            given_away=row["given_away"],
            decisions=row["decisions"],
            best_choices=row["best_choices"],
            ante=row["ante"],
            play=row["play"],
            pair_plus=row["pair_plus"],
            six_card=row["six_card"],
        )

    def _hand(self, rounds: str, best: int, **whose: object) -> Hand:
        """The player's cards of the first of these rounds with a hand that strong."""
        row = one(self._tx.row(f"SELECT cards {rounds} AND strength = :best ORDER BY id LIMIT 1", best=best, **whose))
        return hand_of(parse_cards(row["cards"])[:3])

    def night(self, night_id: int) -> tuple[int, int, int, Hand | None]:
        """A night's settled hands, tables included: count, net, chips / 18,424 given away, the best not folded."""
        rounds = f"FROM rounds WHERE night_id = :night AND {_SETTLED}"
        row = one(
            self._tx.row(
                f"SELECT COUNT(*) AS hands, {_TOTALS}, MAX(CASE WHEN {_SHOWN} THEN strength END) AS best {rounds}",
                night=night_id,
            )
        )
        best = None if row["best"] is None else self._hand(f"{rounds} AND {_SHOWN}", row["best"], night=night_id)
        hands, net, given_away, shared = self._tx.tables.night(night_id)
        if shared is not None and (best is None or strength(shared) > strength(best)):
            best = shared
        return row["hands"] + hands, row["net"] + net, row["given_away"] + given_away, best

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
