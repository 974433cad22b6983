"""
What the commands about the game share, and the hint itself, without typer.

Typer and what it imports take longer to load than a hint takes to compute; so a plain `q64 hint` is answered
here before the command line is built at all.
"""

import json
import sys
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Final

from core.errors import BadRuleSet, Reason, RuleError

if TYPE_CHECKING:  # each command imports the rooms it needs, so that the others start at once
    from core.rules import RuleSet

BAD_INPUT: Final = 1  # exit status
STANDARD: Final = "selminha"


_SAID: Final[Mapping[str, str]] = {
    "UnknownCard": "{text} is not a card",
    "RepeatedCard": "{card} is there twice",
    "WrongHandSize": "a hand has three cards, not {got}",
    "BadRuleSet": "rule set, {key}: {reason}",
    "UnknownRuleSet": "no rule set is called {name}",
    "BetOff": "these rules have no {spot} bet",
    "NoBet": "there is no stake at all",
    "BadAmount": "{spot} must be a whole number of chips from 0 up, in at most 64 bits",
    "NotARound": "{at} is missing, or is not what a round has there",
    "UnknownKey": "{key} has no place in this kind of round",
    "UnknownDecision": "the decision is play or fold where there is an Ante, and none where there is none",
}


def said(error: RuleError) -> dict[str, str]:
    """A refusal for machines: its type, and a sentence."""
    name = type(error).__name__
    kind = "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("_")
    facts = {key: _shown(value) for key, value in vars(error).items()}
    return {"type": kind, "message": _SAID.get(name, kind.replace("_", " ")).format(**facts)}


def _shown(fact: object) -> str:
    """A fact of any kind and length in a few characters."""
    if not isinstance(fact, str):
        return str(fact) if isinstance(fact, int) and fact.bit_length() <= 64 else type(fact).__name__
    return fact[:60] or "the whole"


def refuse(error: RuleError, *, as_json: bool) -> int:
    """Say what was wrong with the input; the exit status of that."""
    words = said(error)
    if as_json:
        print(json.dumps({"error": words}))
    else:
        print(words["message"], file=sys.stderr)
    return BAD_INPUT


class NoSuchRulesError(Exception):
    """Raised when a rule set is asked for by what is neither a preset's name nor a file that can be read."""


def rules_named(named: str) -> "RuleSet":
    """The preset of that name, or the rule set in that file. Raises BadRuleSet, and NoSuchRulesError for neither."""
    from core.rules import PRESETS, merged

    if named in PRESETS:
        return PRESETS[named]
    path = Path(named)
    try:
        written = json.loads(path.read_bytes())
    except OSError:
        raise NoSuchRulesError(f"{named} is neither a file that can be read nor one of {', '.join(PRESETS)}") from None
    except (ValueError, RecursionError):
        raise BadRuleSet("", Reason.NOT_AN_OBJECT) from None
    return merged({"name": path.stem, **written} if isinstance(written, dict) else written)


def exact(number: Fraction) -> dict[str, object]:
    """An exact number for machines; whole ones have their denominator, too."""
    return {"fraction": f"{number.numerator}/{number.denominator}", "value": float(number)}


def print_hint(cards: str, rules: str, *, as_json: bool) -> int:
    """Print what playing and folding *cards* is worth; the exit status. Raises NoSuchRulesError."""
    from core.cards import parse_hand
    from core.odds import DEALER_HANDS, hint

    try:
        advice = hint(parse_hand(cards), rules_named(rules))
    except RuleError as error:
        return refuse(error, as_json=as_json)
    ahead = advice.outcomes
    if as_json:
        outcomes = {"not_qualified": ahead.not_qualified, "win": ahead.win, "tie": ahead.tie, "lose": ahead.lose}
        worth = {"play": exact(advice.play), "fold": exact(advice.fold)}
        print(json.dumps({"advice": advice.advice.value, **worth, "outcomes": outcomes}))
        return 0
    print(f"{advice.advice.value.capitalize()}.")
    print(f"  play  {float(advice.play):+.5f} Antes ({advice.play})")
    print(f"  fold  {float(advice.fold):+.5f} Antes")
    print(
        f"Of {DEALER_HANDS:,} dealer hands {ahead.not_qualified:,} do not qualify; "
        f"you beat {ahead.win:,}, tie {ahead.tie:,}, lose to {ahead.lose:,}."
    )
    return 0


def quick(arguments: Sequence[str]) -> int | None:
    """
    Answer `hint CARDS [--rules …] [--json]` and give its exit status; None for all that typer is to look at.

    Wrong usage and calls for help are typer's.
    """
    if not arguments or arguments[0] != "hint":
        return None
    cards: list[str] = []
    rules, as_json = STANDARD, False
    rest = iter(arguments[1:])
    for argument in rest:
        if argument == "--json":
            as_json = True
        elif argument == "--rules":
            rules = next(rest, "")
        elif argument.startswith("-"):
            return None
        else:
            cards.append(argument)
    try:
        return print_hint(" ".join(cards), rules, as_json=as_json) if cards else None
    except NoSuchRulesError:
        return None
