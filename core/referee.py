"""The referee: a round as plain values in, what every bet comes to as plain values out (DESIGN, settle)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, TypeAlias

from core.banking import TableSeat, settle_banked
from core.betting import Wager
from core.cards import PACK, Hand, parse_card
from core.errors import BadAmount, NotARound, UnknownDecision, UnknownKey, WrongHandSize
from core.rules import RuleSet, Spot, resolved
from core.settlement import Decision, Lines, settle

Given: TypeAlias = Mapping[str, object]

MOST_CHIPS: Final = 2**63 - 1  # what a signed 64-bit number holds
_BETS: Final = frozenset({"ante", "pair_plus", "six_card", "decision"})
_SOLO: Final = _BETS | {"rules", "player", "dealer"}
_BANKED: Final = frozenset({"rules", "bank", "banker", "seats"})
_SEAT: Final = _BETS | {"name", "player"}
_DECISIONS: Final = {decision.value: decision for decision in Decision}
_AS_PRINTED: Final = {str(card): card for card in PACK}
"""The common spelling of each card, found at once; parse_card knows the others."""
_NO_RULES: Final = "selminha"


def referee(given: object) -> dict[str, object]:
    """
    Settle one round: *given* and the answer are plain values as JSON has them, chips won or lost per spot.

    With seats, banker and bank the round is banked, else it is solo. Rules are a name or a mapping, selminha where
    nothing is said; a bet that is not named is 0; the bank must be named, null for a house without limit. Strict about
    the rest: keys that are not of the round, or of the other kind of round, are refused, so that no misspelt bet goes
    unseen. Limits, and whether an Ante is required, are the table's business.

    Raises NotARound, UnknownKey, UnknownCard, RepeatedCard, WrongHandSize, BadAmount, BetOff, NoBet, UnknownDecision,
    UnknownRuleSet, BadRuleSet. Source: DESIGN, settle; RULES sections 2 and 3.
    """
    if not isinstance(given, Mapping):
        raise NotARound("")
    return _banked(given) if _is_banked(given) else _solo(given)


def round_hands(given: Given) -> tuple[tuple[str, Hand], ...]:
    """
    The hands of a round, each with its place, in the order in which a deck gives them: the bank's or dealer's last.

    Cards may repeat here. Raises NotARound, UnknownCard, WrongHandSize. Source: DESIGN, algorithm 1.
    """
    if not _is_banked(given):
        return ("player", _hand(given, "player")), ("dealer", _hand(given, "dealer"))
    seats = tuple((f"seats[{n}].player", _hand(seat, "player")) for n, seat in enumerate(_seats(given)))
    return *seats, ("banker", _hand(given, "banker"))


def _is_banked(given: Given) -> bool:
    return "seats" in given or "banker" in given or "bank" in given


def _solo(given: Given) -> dict[str, object]:
    _refuse_unknown(given, _SOLO)
    settled = settle(_rules(given), _hand(given, "player"), _hand(given, "dealer"), _wager(given), _decision(given))
    return {
        "result": settled.result.value,
        "dealer_qualifies": settled.dealer_qualifies,
        "player_category": settled.player.category.value,
        "dealer_category": settled.dealer.category.value,
        "lines": _lines(settled.lines),
        "net": settled.lines.net,
    }


def _banked(given: Given) -> dict[str, object]:
    _refuse_unknown(given, _BANKED)
    named = _seats(given)
    seats = tuple(_seat(seat) for seat in named)
    settled = settle_banked(_rules(given), _bank(given), _hand(given, "banker"), seats)
    return {
        "banker_net": settled.banker_net,
        "seats": [
            {"name": seat["name"], "net": each.net, "lines": _lines(each.lines)}
            for seat, each in zip(named, settled.seats, strict=True)
        ],
    }


def _refuse_unknown(given: Given, known: frozenset[str]) -> None:
    if not given.keys() <= known:
        raise UnknownKey(next(str(key) for key in given if key not in known))


def _seats(given: Given) -> Sequence[Given]:
    seats = given.get("seats")
    if not isinstance(seats, list | tuple) or not seats:
        raise NotARound("seats")
    for n, seat in enumerate(seats):
        if not isinstance(seat, Mapping):
            raise NotARound(f"seats[{n}]")
        if not isinstance(seat.get("name"), str):
            raise NotARound(f"seats[{n}].name")
    return seats


def _seat(given: Given) -> TableSeat:
    _refuse_unknown(given, _SEAT)
    return TableSeat(hand=_hand(given, "player"), wager=_wager(given), decision=_decision(given))


def _hand(given: Given, key: str) -> Hand:
    text = given.get(key)
    if not isinstance(text, str):
        raise NotARound(key)
    cards = [_AS_PRINTED.get(word) or parse_card(word) for word in text.replace(",", " ").split()]
    if len(cards) != 3:
        raise WrongHandSize(len(cards))
    return cards[0], cards[1], cards[2]


def _chips(value: object, spot: str) -> int:
    if type(value) is not int or not 0 <= value <= MOST_CHIPS:  # True is an int to isinstance
        raise BadAmount(spot, value)
    return value


def _wager(given: Given) -> Wager:
    return Wager(
        ante=_chips(given.get("ante", 0), Spot.ANTE),
        pair_plus=_chips(given.get("pair_plus", 0), Spot.PAIR_PLUS),
        six_card=_chips(given.get("six_card", 0), Spot.SIX_CARD),
    )


def _bank(given: Given) -> int | None:
    if "bank" not in given:
        raise NotARound("bank")
    bank = given["bank"]
    return None if bank is None else _chips(bank, "bank")


def _decision(given: Given) -> Decision | None:
    named = given.get("decision")
    if named is None:
        return None
    decision = _DECISIONS.get(named) if isinstance(named, str) else None
    if decision is None:
        raise UnknownDecision(named)
    return decision


def _lines(lines: Lines) -> dict[str, object]:
    return {
        "ante": lines.ante,
        "play": lines.play,
        "ante_bonus": lines.ante_bonus,
        "pair_plus": lines.pair_plus,
        "six_card": lines.six_card,
    }


@dataclass(frozen=True, slots=True)
class _Written:
    """A rule set as it was written: by its text, in which true and 1 differ, it is found again."""

    text: str
    named: object = field(compare=False)


@lru_cache(maxsize=64)
def _resolved(written: _Written) -> RuleSet:
    return resolved(written.named)


def _rules(given: Given) -> RuleSet:
    named = given.get("rules", _NO_RULES)
    return resolved(named) if isinstance(named, str) else _resolved(_Written(repr(named), named))
