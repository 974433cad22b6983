"""
The game's speed, as ratios to a plain way on the same machine, and the evenness of its shuffle.

Run: python -m tests.bench.bench_game. Nothing here is asserted by the tests; what must hold stands beside each figure.
"""

import io
import json
import math
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from time import perf_counter
from types import SimpleNamespace
from unittest.mock import patch

import numpy as np

from bot import cli_game
from core.cards import PACK, Hand, cards_text, parse_hand
from core.fair import packs, shuffled
from core.odds import DEALS, Outcomes, _all_held, analysis, hint, outcomes
from core.ranking import QUALIFYING, strength
from core.rules import SELMINHA
from tests.evenness import upper_tail

LINES = 50_000
DECKS = 40_000
SECRET = bytes(range(32))


def seconds(work: Callable[[], object], *, times: int = 5) -> float:
    """The best of some runs."""
    best = math.inf
    for _ in range(times):
        begun = perf_counter()
        work()
        best = min(best, perf_counter() - begun)
    return best


def row(what: str, figure: str, bound: str) -> None:
    print(f"{what:<58}{figure:>22}   {bound}")


# settle


def solo_lines() -> list[str]:
    """Rounds as people play them, cards from as many decks."""
    lines = []
    for nonce in range(LINES // 10):
        hands = packs(shuffled(SECRET, (), nonce), 16)
        for player, dealer in zip(hands[:10], hands[6:], strict=True):
            if set(player) & set(dealer):
                continue
            given = {"rules": "selminha", "player": cards_text(player), "dealer": cards_text(dealer), "ante": 25}
            lines.append(json.dumps(given | {"pair_plus": 5, "six_card": 0, "decision": "play"}))
    return lines


def table_lines() -> list[str]:
    lines = []
    for nonce in range(LINES // 10):
        *hands, banker = packs(shuffled(SECRET, ("table",), nonce), 8)
        seats = [
            {"name": f"seat {n}", "player": cards_text(hand), "ante": 25, "pair_plus": 5, "decision": "play"}
            for n, hand in enumerate(hands)
        ]
        lines.append(json.dumps({"rules": "california", "bank": 300, "banker": cards_text(banker), "seats": seats}))
    return lines


def with_own_rules() -> list[str]:
    own = {"ante_bonus": {"straight": 2}, "pair_plus": {"flush": 3, "mini_royal": 100}, "bonus_if_dealer_wins": False}
    return [line.replace('"selminha"', json.dumps(own)) for line in solo_lines()]


def settle_ratio(lines: list[str]) -> float:
    given = ("\n".join(lines) + "\n").encode()

    def referee() -> None:
        stdin, stdout = SimpleNamespace(buffer=io.BytesIO(given)), SimpleNamespace(buffer=io.BytesIO())
        with patch.object(sys, "stdin", stdin), patch.object(sys, "stdout", stdout):
            cli_game.settle()

    return seconds(referee) / seconds(lambda: [json.dumps(json.loads(line)) for line in lines])


# odds


def brute_edge() -> Fraction:
    """The Ante's edge from every one of the 407,170,400 deals, a player hand at a time, vectorised."""
    hands = list(combinations(PACK, 3))
    values = np.array([strength(hand).value for hand in hands])
    cards = np.array([sum(1 << card.index for card in hand) for hand in hands], dtype=np.int64)
    bonus = np.array([SELMINHA.ante_bonus.odds(strength(hand)) or 0 for hand in hands])
    total = deals = 0
    for mine, held, extra in zip(values.tolist(), cards.tolist(), bonus.tolist(), strict=True):
        theirs = values[(cards & held) == 0]
        qualified = theirs[theirs >= QUALIFYING]
        unqualified = len(theirs) - len(qualified)
        won = unqualified + 2 * int(np.count_nonzero(qualified < mine)) - 2 * int(np.count_nonzero(qualified > mine))
        total += max(won + extra * len(theirs), -len(theirs))
        deals += len(theirs)
    assert deals == DEALS
    return Fraction(-total, deals)


def first_analysis() -> None:
    _all_held.cache_clear()
    analysis(SELMINHA)


def brute_outcomes(hand: Hand) -> Outcomes:
    mine = strength(hand).value
    unqualified = win = tie = lose = 0
    for dealer in combinations([card for card in PACK if card not in hand], 3):
        theirs = strength(dealer).value
        if theirs < QUALIFYING:
            unqualified += 1
        elif theirs < mine:
            win += 1
        elif theirs == mine:
            tie += 1
        else:
            lose += 1
    return Outcomes(not_qualified=unqualified, win=win, tie=tie, lose=lose)


# shuffle


def evenness() -> None:
    """Each card at each place, and each ordered pair at the first two, at the bank's and at the last two places."""
    places = np.zeros((52, 52), dtype=np.int64)
    twos = {at: Counter[tuple[int, int]]() for at in (0, 3, 50)}
    for nonce in range(DECKS):
        deck = [card.index for card in shuffled(SECRET, ("bench",), nonce)]
        places[np.arange(52), deck] += 1
        for at, pairs in twos.items():
            pairs[deck[at], deck[at + 1]] += 1
    expected = DECKS / 52
    chi_square = float(((places - expected) ** 2 / expected).sum())
    row(f"card x place, {DECKS:,} decks", f"p = {upper_tail(chi_square, 51 * 51):.3f}", "not below 0.001")
    expected = DECKS / (52 * 51)
    for at, pairs in twos.items():
        seen = sum((times - expected) ** 2 / expected for times in pairs.values())
        chi_square = seen + (52 * 51 - len(pairs)) * expected
        p = upper_tail(chi_square, 52 * 51 - 1)
        row(f"ordered pairs at places {at + 1} and {at + 2}", f"p = {p:.3f}", "not below 0.001")


# start


def start(code: str) -> float:
    return seconds(lambda: subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL), times=9)  # noqa: S603 - our own words


def main() -> None:
    """Print the table."""
    for what, lines in (("solo", solo_lines()), ("tables of eight", table_lines()), ("own rules", with_own_rules())):
        ratio = settle_ratio(lines)
        row(f"settle, {what}, {len(lines):,} lines : json.loads + dumps", f"{ratio:.2f} times", "at most 10")
    begun = perf_counter()
    edge = brute_edge()
    brute = perf_counter() - begun
    assert edge == analysis(SELMINHA).ante.house_edge
    first = seconds(first_analysis)
    row("all deals in numpy : first analysis", f"{brute / first:.0f} times ({first * 1000:.1f} ms)", "at least 20")
    hand = parse_hand("Qh 6c 4d")
    assert brute_outcomes(hand) == outcomes(hand, SELMINHA)
    one = seconds(lambda: [hint(hand, SELMINHA) for _ in range(1000)]) / 1000
    row("18,424 dealer hands : hint", f"{seconds(lambda: brute_outcomes(hand)) / one:.0f} times", "at least 1,000")
    typer = start("import typer")
    quick = start("from bot.cli_plain import quick; quick(['hint', 'Qh 6c 4d'])")
    row("start of a hint : import typer", f"{quick / typer:.2f} times", "below 2")
    row("one shuffle", f"{seconds(lambda: [shuffled(SECRET, ('',), n) for n in range(500)]) * 2000:.0f} us", "")
    evenness()


if __name__ == "__main__":
    main()
