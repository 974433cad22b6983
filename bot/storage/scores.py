"""Top fives and statistics, from what is stored: nights that were cashed out after at least one hand."""
# ruff: noqa: S608 - what is built in are this module's own column lists, never a value

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import TypeAlias

from bot.facts import EVENT_PLACES, Score, Stats, Wagered
from bot.storage.bests import COUNTS, GONE, LATEST, ORDER, OWN
from bot.storage.instants import EPOCH, from_ms, to_ms
from bot.storage.sql import Row, Sql, one
from bot.storage.table_hands import SHOWN
from core.cards import Hand, hand_of, parse_cards
from core.ranking import strength

_Best: TypeAlias = tuple[int, int, int]  # person, chips, when it ended, in milliseconds
_HERE = f"s.chat_id = :chat AND s.user_id NOT IN ({GONE})"
_FEW, _SOME = 200, 3000  # nights; a period with so many is read as a whole here, or by the database
_MOST_TIED = 10  # people who share the last place of a list and are shown beyond it


_LATELY = 16  # nights
_SEATS = "SELECT id FROM seats WHERE user_id = :user"
_ORDINARY = f"chat_id > {EVENT_PLACES}"  # nights of contests have other ends and other chips
_SETTLED = "strength IS NOT NULL"  # the words of the partial index
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
    """Ranks count people, not nights; sums are over settled hands, in chips unless they say otherwise."""

    def __init__(self, tx: Sql) -> None:
        self._tx = tx

    def top(
        self, chat_id: int, *, since: datetime | None = None, until: datetime | None = None, limit: int = 5
    ) -> list[Score]:
        """
        Each person once, with the best night that ended from *since* on and before *until*; ranks as 1, 2, 2, 4.

        Whoever shares the last place is there, too, so it may be some more (F108). People who left the chat are left
        out before anything is counted (F109). What goes on is read from the bests that are kept, so that neither
        nights nor people make it slow.
        """
        best = [] if until is not None else self._tx.bests.top(
            chat_id, to_ms(since or EPOCH), limit=limit + _MOST_TIED
        )  # fmt: skip
        best = best or self._from_nights(chat_id, since, until, limit)
        scores: list[Score] = []
        for place, (user_id, chips, closed) in enumerate(best, start=1):
            tied = bool(scores) and scores[-1].chips == chips
            rank = scores[-1].rank if tied else place
            if rank > limit or place > limit + _MOST_TIED:
                break
            scores.append(self._score(user_id, chips, closed, rank=rank))
        return scores

    def _from_nights(self, chat_id: int, since: datetime | None, until: datetime | None, limit: int) -> list[_Best]:
        """A short period is read as a whole; else one row of an index per person is looked at."""
        held = self._holds(chat_id, since, until)
        if held <= _FEW:
            return self._lately(chat_id, since, until)
        read = self._grouped if held <= _SOME else self._everybodys
        return self._highest(chat_id, since, until, limit) or read(chat_id, since, until, limit)

    def place(
        self, chat_id: int, user_id: int, *, since: datetime | None = None, until: datetime | None = None
    ) -> Score | None:
        """Where one person stands, however far down; None without a night that counts, and for who left the chat."""
        first = to_ms(since or EPOCH)
        if until is None and self._tx.bests.kept(chat_id, first):
            own = self._tx.bests.own(chat_id, first, user_id)
            better = 0 if own is None else self._tx.bests.better(chat_id, first, own[0])
        else:
            own = self._own(chat_id, user_id, since, until)
            better = 0 if own is None else self._better(chat_id, own[0], since, until)
        return None if own is None else self._score(user_id, *own, rank=better + 1)

    def _own(
        self, chat_id: int, user_id: int, since: datetime | None, until: datetime | None
    ) -> tuple[int, int] | None:
        """Chips and end of a person's best night."""
        row = self._tx.row(
            f"SELECT n.score, n.closed FROM nights n WHERE {OWN} AND n.user_id = :user"
            f" AND n.user_id NOT IN ({GONE}) {ORDER} LIMIT 1",
            **_period(chat_id, since, until),
            user=user_id,
        )
        return None if row is None else (row["score"], row["closed"])

    def _better(self, chat_id: int, score: int, since: datetime | None, until: datetime | None) -> int:
        """How many people have a night with more chips."""
        period = _period(chat_id, since, until)
        held = self._holds(chat_id, since, until)
        if held <= _FEW:
            return sum(chips > score for _, chips, _ in self._lately(chat_id, since, until))
        counted = self._tx.row(
            f"SELECT COUNT(DISTINCT n.user_id) AS people FROM nights n WHERE {COUNTS} AND +n.score > :score"
            f" AND n.user_id NOT IN ({GONE})"
            if held <= _SOME
            else f"SELECT COUNT(*) AS people FROM seats s WHERE {_HERE} AND EXISTS"
            f" (SELECT 1 FROM nights n WHERE {OWN} AND n.user_id = s.user_id AND n.score > :score)",
            **period,
            score=score,
        )
        return int(one(counted)["people"])

    def _lately(self, chat_id: int, since: datetime | None, until: datetime | None) -> list[_Best]:
        """Everybody's best night of a period, in order."""
        period = _period(chat_id, since, until)
        rows = self._tx.rows(f"SELECT n.user_id, n.score, n.closed, n.id FROM nights n WHERE {COUNTS}", **period)
        order = sorted((-row["score"], row["closed"], row["id"], row["user_id"]) for row in rows)
        return self._once(((user, -score, closed) for score, closed, _, user in order), chat_id)

    def _holds(self, chat_id: int, since: datetime | None, until: datetime | None) -> int:
        """How many nights a period holds, counted no further than decides how it is read; all time holds many."""
        if since is None and self._tx.row(f"SELECT 1 AS n FROM nights n WHERE {COUNTS} LIMIT 1 OFFSET {_FEW}",
                                          **_period(chat_id, since, until)) is not None:  # fmt: skip
            return _SOME + 1
        held = self._tx.row(
            f"SELECT COUNT(*) AS nights FROM (SELECT 1 FROM nights n WHERE {COUNTS} LIMIT {_SOME + 1}) AS counted",
            **_period(chat_id, since, until),
        )
        return int(one(held)["nights"])

    def _grouped(self, chat_id: int, since: datetime | None, until: datetime | None, limit: int) -> list[_Best]:
        """The list from all nights of the period, added up by the database; their order by when they ended."""
        period = _period(chat_id, since, until)
        rows = self._tx.rows(
            f"SELECT n.user_id, MAX(n.score) AS score FROM nights n WHERE {COUNTS} AND n.user_id NOT IN ({GONE})"
            " GROUP BY n.user_id ORDER BY 2 DESC, 1",
            **period,
        )
        best: list[tuple[int, int, int, int]] = []
        for row in rows:
            if len(best) >= limit and -best[limit - 1][0] > row["score"]:
                break
            night = self._tx.row(
                f"SELECT n.closed, n.id FROM nights n WHERE {OWN} AND n.user_id = :user AND n.score = :score"
                " ORDER BY n.closed, n.id LIMIT 1",
                **period,
                user=row["user_id"],
                score=row["score"],
            )
            best.append((-row["score"], one(night)["closed"], one(night)["id"], row["user_id"]))
        return [(user, -score, closed) for score, closed, _, user in sorted(best)]

    def _highest(self, chat_id: int, since: datetime | None, until: datetime | None, limit: int) -> list[_Best] | None:
        """The list from the chat's highest nights alone; None where they are too few people's to tell."""
        rows = self._tx.rows(
            "SELECT n.user_id, n.score, n.closed FROM (SELECT n.user_id, n.score, n.closed, n.id FROM nights n WHERE"
            f" n.chat_id = :chat AND n.score IS NOT NULL {ORDER} LIMIT {_FEW}) AS n"
            f" WHERE n.closed >= :since AND n.closed < :until {ORDER}",
            **_period(chat_id, since, until),
        )
        best = self._once(((row["user_id"], row["score"], row["closed"]) for row in rows), chat_id)
        all_there = len(best) > limit and rows[-1]["score"] < best[limit - 1][1]  # who shares the last place, too
        return best if all_there or len(best) >= limit + _MOST_TIED else None

    def _everybodys(self, chat_id: int, since: datetime | None, until: datetime | None, limit: int) -> list[_Best]:
        """The same from one row per person."""
        rows = self._tx.rows(
            f"SELECT n.user_id, n.score, n.closed FROM (SELECT (SELECT n.id FROM nights n WHERE {OWN}"
            f" AND n.user_id = s.user_id {ORDER} LIMIT 1) AS id FROM seats s WHERE {_HERE}) AS own"
            f" JOIN nights n ON n.id = own.id {ORDER} LIMIT :most",
            **_period(chat_id, since, until),
            most=limit + _MOST_TIED,
        )
        return [(row["user_id"], row["score"], row["closed"]) for row in rows]

    def _once(self, nights: Iterable[_Best], chat_id: int) -> list[_Best]:
        """Each person's first of these nights, without the people who left the chat."""
        gone = {row["user_id"] for row in self._tx.rows(GONE, chat=chat_id)}
        best: dict[int, _Best] = {}
        for night in nights:
            if night[0] not in gone:
                best.setdefault(night[0], night)
        return [*best.values()]

    def stats(self, user_id: int, *, chat_id: int | None = None) -> Stats:
        """Counted from the settled hands and ended nights of a person, in one chat or in all (F80)."""
        seats = _SEATS if chat_id is None else f"{_SEATS} AND chat_id = :chat"
        whose = {"user": user_id} if chat_id is None else {"user": user_id, "chat": chat_id}
        rounds = f"FROM rounds WHERE seat_id IN ({seats}) AND {_SETTLED}"
        nights = f"FROM nights WHERE seat_id IN ({seats}) AND closed IS NOT NULL AND hands >= 1 AND {_ORDINARY}"
        totals = self._tx.rows(
            f"SELECT rules_id, COUNT(*) AS hands, COUNT(decision) AS decisions, MAX(id) AS latest, {_TOTALS},"
            f" MAX(CASE WHEN {SHOWN} THEN strength END) AS strength {rounds} GROUP BY rules_id ORDER BY rules_id",
            **whose,
        )
        sat = one(self._tx.row(f"SELECT COUNT(*) AS nights, MAX(score) AS best {nights}", **whose))
        lately = self._tx.rows(f"SELECT chips {nights} ORDER BY id DESC LIMIT {_LATELY}", **whose)
        strongest = max((row["strength"] for row in totals if row["strength"] is not None), default=None)
        best = None if strongest is None else self._hand(f"{rounds} AND {SHOWN}", strongest, **whose)
        tables = self._tx.table_hands.figures(seats, whose)
        return Stats(
            nights=sat["nights"],
            best_night=sat["best"],
            lately=tuple(row["chips"] for row in reversed(lately)),
            wagered=tuple(map(self._wagered, totals)),
            tables=tables.counted,
            best=_stronger(best, tables.best),
            latest_round=self._later(max((row["latest"] for row in totals), default=None), tables.latest),
        )

    def _later(self, alone: int | None, shared: tuple[int, int] | None) -> int | None:
        """Of the latest hand alone and the latest at a table, with when it was settled: the later one's number."""
        if alone is None or shared is None:
            return alone if shared is None else shared[0]
        settled = one(self._tx.row("SELECT settled FROM rounds WHERE id = :id", id=alone))["settled"]
        return alone if settled >= shared[1] else shared[0]

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
                f"SELECT COUNT(*) AS hands, {_TOTALS}, MAX(CASE WHEN {SHOWN} THEN strength END) AS best {rounds}",
                night=night_id,
            )
        )
        best = None if row["best"] is None else self._hand(f"{rounds} AND {SHOWN}", row["best"], night=night_id)
        hands, net, given_away, shared = self._tx.table_hands.night(night_id)
        return row["hands"] + hands, row["net"] + net, row["given_away"] + given_away, _stronger(best, shared)

    def _score(self, user_id: int, chips: int, closed: int, *, rank: int) -> Score:
        person = self._tx.row("SELECT name FROM people WHERE id = :id", id=user_id)
        return Score(
            rank=rank,
            user_id=user_id,
            name="" if person is None else person["name"],
            chips=chips,
            reached=from_ms(closed),
        )


def _stronger(one_hand: Hand | None, other: Hand | None) -> Hand | None:
    """The better of two; the first where they are alike."""
    if one_hand is None or other is None:
        return one_hand or other
    return other if strength(other) > strength(one_hand) else one_hand


def _period(chat_id: int, since: datetime | None, until: datetime | None) -> dict[str, object]:
    return {
        "chat": chat_id,
        "since": to_ms(since or EPOCH),
        "until": LATEST if until is None else to_ms(until),
    }
