"""A round's state as JSON, exactly: decode(encode(state)) == state; and beside it the plain columns for queries."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, assert_never

import orjson

from core.betting import Wager
from core.cards import PACK, Card, Hand, cards_text
from core.ranking import STRENGTHS, SixCardCategory
from core.settlement import Decision, Lines, PaidOdds, Result, Settlement
from core.solo import Betting, Dealt, Settled, State

_CARDS: Final[Mapping[str, Card]] = MappingProxyType({str(card): card for card in PACK})


def encode(state: State) -> str:
    """The state as JSON text; what is nought or none is left out, so that a later bet needs no new shape."""
    match state:
        case Betting():
            content = _betting(state)
        case Dealt():
            content = {"phase": "dealt", "wager": _wager(state.wager), "cards": _six(state)}
        case Settled():
            content = _settled(state)
        case _:
            assert_never(state)
    return orjson.dumps(content).decode()


def decode(text: str) -> State:
    """The state that encode() made a text of. Raises ValueError for another phase."""
    stored = orjson.loads(text)
    phase = stored["phase"]
    if phase == "betting":
        last = stored["last"]
        return Betting(
            wager=Wager(**stored["wager"]),
            last=None if last is None else Wager(**last),
        )
    player, dealer = _hands(stored["cards"])
    if phase == "dealt":
        return Dealt(wager=Wager(**stored["wager"]), player=player, dealer=dealer)
    if phase == "settled":
        decision = stored["decision"]
        return Settled(
            wager=Wager(**stored["wager"]),
            player=player,
            dealer=dealer,
            decision=None if decision is None else Decision(decision),
            settlement=settlement_from(stored["settlement"]),
        )
    raise ValueError(phase)


def columns(state: State) -> dict[str, object]:
    """What queries ask for, in plain columns: phase, bets and net in chips, cards, decision, result, strength."""
    settled = state if isinstance(state, Settled) else None
    decision = settled.decision if settled else None
    return {
        "phase": phase(state),
        "ante": state.wager.ante,
        "pair_plus": state.wager.pair_plus,
        "six_card": state.wager.six_card,
        "cards": None if isinstance(state, Betting) else _six(state),
        "decision": None if decision is None else decision.value,
        "result": settled.settlement.result.value if settled else None,
        "net": settled.settlement.net if settled else None,
        "strength": settled.settlement.player.value if settled else None,
    }


def phase(state: State) -> str:
    """The phase as columns and indexes spell it; part of the schema, so not taken from a class's name."""
    if isinstance(state, Betting):
        return "betting"
    return "dealt" if isinstance(state, Dealt) else "settled"


def encode_words(words: tuple[str, ...]) -> str:
    """The words of a shuffle, in order, as JSON text."""
    return orjson.dumps(words).decode()


def decode_words(text: str) -> tuple[str, ...]:
    """The words that encode_words() made a text of."""
    return tuple(orjson.loads(text))


def _six(state: Dealt | Settled) -> str:
    return cards_text((*state.player, *state.dealer))


def _hands(cards: str) -> tuple[Hand, Hand]:
    a, b, c, d, e, f = (_CARDS[card] for card in cards.split(" "))
    return (a, b, c), (d, e, f)


def _wager(wager: Wager) -> dict[str, int]:
    return _without_noughts(ante=wager.ante, pair_plus=wager.pair_plus, six_card=wager.six_card)


def _without_noughts(**chips: int) -> dict[str, int]:
    return {spot: amount for spot, amount in chips.items() if amount}


def _betting(state: Betting) -> dict[str, object]:
    return {
        "phase": "betting",
        "wager": _wager(state.wager),
        "last": None if state.last is None else _wager(state.last),
    }


def _settled(state: Settled) -> dict[str, object]:
    return {
        "phase": "settled",
        "wager": _wager(state.wager),
        "cards": _six(state),
        "decision": None if state.decision is None else state.decision.value,
        "settlement": settlement_mapping(state.settlement),
    }


def settlement_mapping(settlement: Settlement) -> dict[str, object]:
    """What became of one hand, as plain values."""
    lines, odds = settlement.lines, settlement.odds
    paid = {"ante_bonus": odds.ante_bonus, "pair_plus": odds.pair_plus, "six_card": odds.six_card}
    return {
        "result": settlement.result.value,
        "qualifies": settlement.dealer_qualifies,
        "player": settlement.player.value,
        "dealer": settlement.dealer.value,
        "six_card": None if settlement.six_card is None else settlement.six_card.value,
        "lines": _without_noughts(
            ante=lines.ante,
            play=lines.play,
            ante_bonus=lines.ante_bonus,
            pair_plus=lines.pair_plus,
            six_card=lines.six_card,
        ),
        "odds": {line: pays for line, pays in paid.items() if pays is not None},  # a line may pay 0 to 1
    }


def settlement_from(stored: Mapping[str, Any]) -> Settlement:
    """The settlement that settlement_mapping() wrote out."""
    six_card = stored["six_card"]
    return Settlement(
        result=Result(stored["result"]),
        dealer_qualifies=stored["qualifies"],
        player=STRENGTHS[stored["player"] - 1],
        dealer=STRENGTHS[stored["dealer"] - 1],
        six_card=None if six_card is None else SixCardCategory(six_card),
        lines=Lines(**stored["lines"]),
        odds=PaidOdds(**stored["odds"]),
    )
