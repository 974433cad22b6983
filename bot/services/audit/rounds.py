"""A stored round replayed: seal, deck, cards, settlement, plain columns, and the lines of the ledger that it moved."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TypeVar

from bot.services.audit.findings import Finding, Findings, differs, unless, wrong
from bot.storage import codec
from bot.storage.sql import Row
from core import fair, odds, solo
from core.betting import wager_problem
from core.cards import Hand, cards_text
from core.contests import contest_name
from core.daily import daily_name
from core.errors import AnteRequired, NoBet, RuleError
from core.odds import DEALER_HANDS
from core.rules import RuleSet
from core.settlement import Decision, settle
from core.solo import Betting, Dealt, Settled, State

T = TypeVar("T")
Line = tuple[str, int, int | None, str, int, int]  # why, at, round of the movement; kind, ref, chips of the line

Rules = Callable[[int], RuleSet | None]
"""A rule set by its number; None for one that cannot be read."""

_ENDLESS = 2**62  # chips: whether the stack paid for a bet is the ledger's to say
BROKEN = (OverflowError, ValueError, KeyError, TypeError, IndexError, AttributeError, LookupError, RuleError)


@dataclass(frozen=True, slots=True, kw_only=True)
class Replayed:
    """A round with all that can be read of it."""

    row: Row
    state: State | None  # None if it cannot be read
    malfunction: Row | None  # an operator took it back
    event: Row | None = None  # whose deal it is, where it is one

    @property
    def id(self) -> int:
        """The round's number."""
        return int(self.row["id"])

    @property
    def settled(self) -> bool:
        """Whether it counts as a hand."""
        return isinstance(self.state, Settled) and self.malfunction is None


def replayed(row: Row, malfunction: Row | None, event: Row | None = None) -> Replayed:
    """A stored round with its state, as far as that can be read."""
    return Replayed(row=row, state=readable(codec.decode, row["state"]), malfunction=malfunction, event=event)


def readable(read: Callable[[str], T], text: str) -> T | None:
    """What a stored text says, None if it cannot be read."""
    try:
        return read(text)
    except BROKEN:
        return None


def content(round_: Replayed, rules: RuleSet | None) -> Findings:
    """What the round itself says, apart from where it stands; nothing for one that was taken back."""
    row, state = round_.row, round_.state
    if round_.malfunction is not None:
        return
    yield from _sealed(row) if row["deal"] is None else _shared(row, round_.event)
    if state is None:
        yield _wrong(row, "state", "a state that can be read", row["state"])
        return
    yield from unless(
        codec.encode(state) == row["state"], "rounds", row["id"], "state", codec.encode(state), row["state"]
    )
    for column, right in codec.columns(state).items():
        yield from differs("rounds", row["id"], column, right, row[column])
    yield from _stamps(row, state)
    if rules is None:
        yield _wrong(row, "rules_id", "a rule set that can be read", row["rules_id"])
        return
    yield from _bet(row, state, rules)
    if not isinstance(state, Betting):
        yield from _dealt(row, state, round_.event)
    yield from _paid(row, state, rules)


def _wrong(row: Row, column: str, right: str, found: object) -> Finding:
    return wrong("rounds", row["id"], column, right, found)


def _sealed(row: Row) -> Findings:
    secret, id_ = row["secret"], row["id"]
    yield from differs("rounds", id_, "secret", fair.SECRET_BYTES, len(secret))
    yield from differs("rounds", id_, "commitment", fair.commitment(secret), row["commitment"])
    words = readable(codec.decode_words, row["words"])
    fit = words is not None and all(isinstance(each, str) for each in words)
    yield from unless(
        words is not None and fit and len(words) == 1 and codec.encode_words(words) == row["words"]
        and readable(fair.checked_words, words[0]) == words[0],
        "rounds", id_, "words", "one player's words", row["words"],
    )  # fmt: skip


def _shared(row: Row, event: Row | None) -> Findings:
    """The deal of an event: the secret is the event's alone, the seal is the event's with the seat behind it."""
    id_ = row["id"]
    yield from differs("rounds", id_, "secret", 0, len(row["secret"]))
    if event is None:
        yield _wrong(row, "commitment", "the seal of an event, and whose deal it is", row["commitment"])
        return
    sealed = f"{event['commitment']}/{row['seat_id']}/{row['night_id']}/{row['deal']}"
    yield from differs("rounds", id_, "commitment", sealed, row["commitment"])
    deals = readable(json.loads, event["deals"]) or []
    yield from unless(row["deal"] in deals, "rounds", id_, "deal", f"one of {deals}", row["deal"])
    if not row["void"]:
        yield from differs("rounds", id_, "words", codec.encode_words((_name(event),)), row["words"])


def _name(event: Row) -> str:
    return contest_name(event["id"]) if event["day"] is None else readable(daily_name, event["day"]) or ""


def _stamps(row: Row, state: State) -> Findings:
    id_ = row["id"]
    yield from unless(
        row["worded"] >= row["opened"], "rounds", id_, "worded", f"{row['opened']} or later", row["worded"]
    )
    yield from unless(
        (row["voided"] is not None) == bool(row["void"]), "rounds", id_, "voided", "set if void", row["voided"]
    )
    was_dealt = not isinstance(state, Betting)
    yield from unless((row["dealt"] is not None) == was_dealt, "rounds", id_, "dealt", "set once dealt", row["dealt"])
    is_settled = isinstance(state, Settled)
    yield from unless(
        (row["settled"] is not None) == is_settled, "rounds", id_, "settled", "set once settled", row["settled"]
    )
    if row["dealt"] is not None:
        yield from unless(row["worded"] <= row["dealt"], "rounds", id_, "worded", "before the deal", row["worded"])
    if row["dealt"] is not None and row["settled"] is not None:
        yield from unless(row["dealt"] <= row["settled"], "rounds", id_, "dealt", "before the settlement", row["dealt"])
    yield from unless(row["void"] in {0, 1}, "rounds", id_, "void", "0 or 1", row["void"])
    if row["void"]:
        yield from unless(not is_settled, "rounds", id_, "void", "0 for a settled hand", row["void"])
    decided = isinstance(state, Settled) and state.decision is not None
    least = 1 + was_dealt + decided + bool(row["void"])
    yield from unless(row["version"] >= least, "rounds", id_, "version", f"{least} or more", row["version"])


def _bet(row: Row, state: State, rules: RuleSet) -> Findings:
    problem = wager_problem(state.wager, rules=rules, stack=_ENDLESS)
    draft = isinstance(state, Betting) and isinstance(problem, NoBet | AnteRequired)
    yield from unless(problem is None or draft, "rounds", row["id"], "state", "a bet that the rules allow", problem)


def _dealt(row: Row, state: Dealt | Settled, event: Row | None) -> Findings:
    secret, nonce = (row["secret"], row["id"]) if event is None else (event["secret"], row["deal"])
    words = readable(codec.decode_words, row["words"])
    if words is None:
        return
    try:
        player, dealer = fair.solo_hands(fair.shuffled(secret, words, nonce))
    except (UnicodeEncodeError, AttributeError, TypeError):
        yield _wrong(row, "words", "words that a deck can be made with", row["words"])
        return
    right, found = cards_text((*player, *dealer)), cards_text((*state.player, *state.dealer))
    yield from differs("rounds", row["id"], "cards", right, found)


def _paid(row: Row, state: State, rules: RuleSet) -> Findings:
    if not isinstance(state, Settled):
        yield from differs("rounds", row["id"], "given_away", 0, row["given_away"])
        return
    try:
        right = settle(rules, state.player, state.dealer, state.wager, state.decision)
        lost = 0 if state.decision is None else _lost(state.player, state.decision, rules) * state.wager.ante
    except RuleError as refusal:
        yield _wrong(row, "state", "a hand that can be settled", refusal)
        return
    truth = codec.encode(replace(state, settlement=right))
    yield from unless(right == state.settlement, "rounds", row["id"], "state", truth, row["state"])
    yield from differs("rounds", row["id"], "given_away", lost, row["given_away"])


@lru_cache(maxsize=65_536)
def _lost(player: Hand, decision: Decision, rules: RuleSet) -> int:
    """What a decision with these cards gives away per chip of the Ante, in 1 / 18,424."""
    return int(odds.given_away(player, decision, rules, 1) * DEALER_HANDS)


# The books


def books(round_: Replayed, lines: Iterable[Row]) -> Findings:
    """Held at the deal, paid at the settlement, nothing held when it is over."""
    found = [*lines]
    if round_.malfunction is not None:
        yield from _undone(round_, found)
        return
    if round_.state is None:
        return
    given_back = any(row["why"] == "returned" for row in found)
    right = Counter(_expected(round_.row, round_.state, given_back=given_back))
    there = Counter(map(_line, found))
    for line in (right - there).elements():
        yield Finding(table="rounds", id=round_.id, column="ledger", right=_told(line), found="nothing")
    extra = there - right
    for row in found:
        line = _line(row)
        if extra[line] > 0:
            extra[line] -= 1
            place, none = f"{row['id']}.{row['line']}", f"no such line for round {round_.id}"
            yield Finding(table="entries", id=place, column="", right=none, found=_told(line))


def _expected(row: Row, state: State, *, given_back: bool) -> Iterable[Line]:
    if isinstance(state, Betting):
        return
    seat, id_, need = row["seat_id"], row["id"], state.wager.need
    yield "deal", row["dealt"], id_, "seat", seat, -need
    yield "deal", row["dealt"], id_, "round", id_, need
    if isinstance(state, Settled):
        back = solo.returned(state)
        paid = (("round", id_, -need), ("seat", seat, back), ("house", 0, need - back))
        yield from (("settle", row["settled"], id_, *each) for each in paid if each[2])
    elif row["void"] and given_back:  # its contest ended
        yield "returned", row["voided"], id_, "round", id_, -need
        yield "returned", row["voided"], id_, "seat", seat, need
    elif row["void"]:  # its chat moved, and the older seat won
        yield "moved", row["voided"], None, "round", id_, -need
        yield "moved", row["voided"], None, "mint", 0, need


def _line(row: Row) -> Line:
    return row["why"], row["at"], row["round_id"], row["kind"], row["ref"], row["chips"]


def _told(line: Line) -> str:
    why, at, _, kind, ref, chips = line
    return f"{why} at {at}: {kind} {ref} {chips:+}"


def _undone(round_: Replayed, lines: list[Row]) -> Findings:
    held = sum(row["chips"] for row in lines if (row["kind"], row["ref"]) == ("round", round_.id))
    yield from differs("rounds", round_.id, "ledger", "0 chips held", f"{held} chips held")
    for row in lines:
        if row["why"] == "void":
            yield from differs("movements", row["id"], "at", round_.row["voided"], row["at"])
    undone = {row["id"] for row in lines if row["why"] == "void"}
    yield from unless(len(undone) <= 1, "rounds", round_.id, "ledger", "taken back once", f"{len(undone)} times")
