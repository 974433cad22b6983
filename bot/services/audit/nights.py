"""Nights with their rounds: the chain of hands, the count of them, and the score."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain

from bot.facts import Ending
from bot.services.audit import rounds
from bot.services.audit.findings import Findings, differs, unless, wrong
from bot.services.audit.rounds import Replayed, Rules, replayed
from bot.storage.inspection import Inspection
from bot.storage.sql import Row
from core import solo
from core.betting import Wager
from core.rules import RuleSet
from core.solo import Betting

Step = Callable[[int], None]


@dataclass(slots=True, kw_only=True)
class Walk:
    """One night, round by round."""

    night: Row
    hands: int = 0  # those at tables are known from the start
    rounds: int = 0
    taken_back: bool = False
    before: Replayed | None = None

    def take(self, round_: Replayed) -> Findings:
        """The next round of the night."""
        row, night = round_.row, self.night
        yield from differs("rounds", row["id"], "seat_id", night["seat_id"], row["seat_id"])
        yield from differs("rounds", row["id"], "rules_id", night["rules_id"], row["rules_id"])
        yield from self._opened(round_)
        yield from self._last_bet(round_)
        if row["voided"] is not None and round_.malfunction is None:
            yield from differs("rounds", row["id"], "voided", night["closed"], row["voided"])
        self.rounds += 1
        self.hands += round_.settled
        self.taken_back |= round_.malfunction is not None
        self.before = round_

    def _opened(self, round_: Replayed) -> Findings:
        before = self.before
        right = self.night["opened"] if before is None else (before.row["settled"] or before.row["voided"])
        if before is not None and before.malfunction is not None:  # it went on, or was taken back after its settlement
            yield from unless(
                round_.row["opened"] >= before.row["opened"],
                "rounds",
                round_.id,
                "opened",
                "in order",
                round_.row["opened"],
            )
        else:
            yield from differs("rounds", round_.id, "opened", right, round_.row["opened"])

    def _last_bet(self, round_: Replayed) -> Findings:
        """The bet of the hand before, which Repeat brings back."""
        before = self.before
        if not isinstance(round_.state, Betting) or (
            before is not None and (before.malfunction or before.state is None)
        ):
            return
        right = before.state.wager if before is not None and before.state is not None else None
        if round_.malfunction is None:
            yield from differs(
                "rounds", round_.id, "state", f"last bet {_bet(right)}", f"last bet {_bet(round_.state.last)}"
            )

    def end(self, score: int, rules: RuleSet | None) -> Findings:
        """What the night itself says, when all its rounds are known."""
        night, id_ = self.night, self.night["id"]
        yield from unless(self.rounds, "nights", id_, "id", "a night with rounds", "none")
        yield from differs("nights", id_, "hands", self.hands, night["hands"])
        yield from differs("nights", id_, "chips", score, night["chips"] or 0)
        if night["closed"] is None:
            yield from differs("nights", id_, "ending", None, night["ending"])
            yield from differs("nights", id_, "score", None, night["score"])
            return
        counts = night["ending"] == Ending.CASHED and night["hands"] >= 1
        yield from differs("nights", id_, "score", night["chips"] if counts else None, night["score"])
        if night["ending"] is not None and rules is not None and not self.taken_back:
            over = solo.night_is_over(night["chips"], rules)
            yield from differs(
                "nights", id_, "ending", (Ending.BROKE if over else Ending.CASHED).value, night["ending"]
            )
        yield from self._closed()

    def _closed(self) -> Findings:
        """A night ends with its last hand, or with the round that was not dealt any more."""
        if self.before is None or self.taken_back:
            return
        row, night = self.before.row, self.night
        yield from differs("nights", night["id"], "closed", row["voided"] or row["settled"], night["closed"])


def _bet(wager: Wager | None) -> str:
    return "none" if wager is None else f"{wager.ante}/{wager.pair_plus}/{wager.six_card}"


@dataclass(slots=True, kw_only=True)
class Nights:
    """All nights, and all rounds: two streams in the same order."""

    look: Inspection
    rules: Rules
    step: Step
    _waiting: Iterator[tuple[Replayed, list[Row]]] = field(init=False)
    _next: tuple[Replayed, list[Row]] | None = field(init=False, default=None)

    def check(self) -> Findings:
        """What is wrong with any night or any round."""
        self._waiting = chain.from_iterable(map(self._replayed, self.look.rounds_by_night()))
        self._next = next(self._waiting, None)
        for page in self.look.pages("nights"):
            yield from self._page(page)
            self.step(len(page))
        while self._next is not None:  # rounds of nights that do not exist
            round_, _ = self._next
            yield wrong("rounds", round_.id, "night_id", "a night that exists", round_.row["night_id"])
            self._next = next(self._waiting, None)

    def _replayed(self, page: Sequence[Row]) -> Iterator[tuple[Replayed, list[Row]]]:
        ids = [row["id"] for row in page]
        lines, taken_back = self.look.lines_of_rounds(ids), self.look.by_id("malfunctions", ids, "round_id")
        events = self.look.events_sealed(row["commitment"] for row in page if row["deal"] is not None)
        for row in page:
            event = events.get(row["commitment"].partition("/")[0])
            yield replayed(row, taken_back.get(row["id"]), event), lines.get(row["id"], [])
        self.step(len(page))

    def _page(self, page: Sequence[Row]) -> Findings:
        ids = [row["id"] for row in page]
        scores, bought = self.look.balances("score", ids), self.look.bought_in(ids)
        homes, shared = self.look.homes(row["seat_id"] for row in page), self.look.hands_at_tables(ids)
        for night in page:
            walk, rules = Walk(night=night, hands=shared.get(night["id"], 0)), self.rules(night["rules_id"])
            yield from _place(night, homes.get(night["seat_id"]))
            booked = night["id"] in bought
            yield from unless(
                booked, "nights", night["id"], "buy_in", "a buy-in in the ledger at its start", night["buy_in"]
            )
            while self._next is not None and self._next[0].row["night_id"] <= night["id"]:
                yield from self._round(walk)
            yield from walk.end(scores.get(night["id"], 0), rules)

    def _round(self, walk: Walk) -> Findings:
        assert self._next is not None  # noqa: S101 - the caller has looked
        round_, lines = self._next
        self._next = next(self._waiting, None)
        yield from rounds.content(round_, self.rules(round_.row["rules_id"]))
        yield from rounds.books(round_, lines)
        if round_.row["night_id"] == walk.night["id"]:
            yield from walk.take(round_)
        else:
            yield wrong("rounds", round_.id, "night_id", "a night that exists", round_.row["night_id"])


def _place(night: Row, home: tuple[int, int] | None) -> Findings:
    if home is None:
        yield wrong("nights", night["id"], "seat_id", "a seat that exists", night["seat_id"])
        return
    chat_id, user_id = home
    yield from differs("nights", night["id"], "chat_id", chat_id, night["chat_id"])
    yield from differs("nights", night["id"], "user_id", user_id, night["user_id"])
