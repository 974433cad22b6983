"""Boards to look at: values as the services would return them, with cards chosen by the test."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime
from fractions import Fraction
from functools import cache

from bot.facts import Board, Chat, Design, Ending, Face, Night, Person, Round, Seat, SoloBoard, Summary
from bot.i18n import Catalogues, Words
from bot.views.kit import Page, View
from core.betting import Wager
from core.cards import parse_hand
from core.odds import DEALER_HANDS, given_away
from core.rules import RuleSet, preset
from core.settlement import Decision, settle
from core.solo import Betting, Dealt, Settled, State

SELMINHA = preset("selminha")
NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
ANN = Person(id=9_000_000_000_001, name="Ann", hands=12, private=True)
PRIVATE = Chat(id=ANN.id, kind="private", rules=SELMINHA)
GROUP = Chat(id=-1_009_000_000_000_001, kind="supergroup", title="Poker Friends", rules=SELMINHA)
COMMITMENT = "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
NEXT_COMMITMENT = "9c1e07a255d01b3f" + "0" * 48


SUMMARY = Summary(
    hands=31, net=140, given_away=Fraction(11), best=parse_hand("9s 9h 9d"), path=(500, 520, 640), rank=2
)  # fmt: skip
_UNSEEN = dict.fromkeys(range(0x2066, 0x206A)) | {0xA0: " "}  # isolates, and spaces that do not break


def seen(view: View) -> str:
    """The text as it is read, then the keys, a row a line."""
    text = re.sub(r"<[^>]+>", "", view.text)
    return "\n".join([text, *(" ".join(f"[{key.label}]" for key in row) for row in view.keys)]).translate(_UNSEEN)


@cache
def _words(language: str) -> Words:
    return Catalogues().words(language)


def page(design: Design = Design.CLASSIC, language: str = "en", *, private: bool = True) -> Page:
    return Page(t=_words(language), design=design, bot="q64_local_bot", private=private)


def round_of(state: State, *, rules: RuleSet = SELMINHA, number: int = 4821, commitment: str = COMMITMENT) -> Round:
    lost = 0
    if isinstance(state, Settled) and state.decision is not None:
        lost = int(given_away(state.player, state.decision, rules, state.wager.ante) * DEALER_HANDS)
    return Round(
        id=number,
        seat_id=1,
        night_id=1,
        rules=rules,
        secret=bytes(32),
        commitment=commitment,
        words=("",),
        state=state,
        version=1,
        opened=NOON,
        given_away=lost,
    )


def dealt(player: str, dealer: str, wager: Wager) -> Dealt:
    return Dealt(wager=wager, player=parse_hand(player), dealer=parse_hand(dealer))


def settled(player: str, dealer: str, wager: Wager, decision: Decision | None, rules: RuleSet = SELMINHA) -> Settled:
    mine, theirs = parse_hand(player), parse_hand(dealer)
    return Settled(
        wager=wager,
        player=mine,
        dealer=theirs,
        decision=decision,
        settlement=settle(rules, mine, theirs, wager, decision),
    )


def scene(
    state: State,
    *,
    chips: int,
    face: Face = Face.CARDS,
    rules: RuleSet = SELMINHA,
    chat: Chat = PRIVATE,
    owner: Person = ANN,
    next_wager: Wager | None = None,
    note: Exception | None = None,
    hands: int = 12,
    path: tuple[int, ...] = (0, 0, -10, 5, 20),
    chip: int = 25,
) -> SoloBoard:
    """A board of Ann's; *chips* are the free ones of the seat."""
    shown = round_of(state, rules=rules)
    following: Round | None = shown if isinstance(state, Betting) else None
    if isinstance(state, Settled):
        wager = state.wager if next_wager is None else next_wager
        following = round_of(
            Betting(wager=wager, last=state.wager), rules=rules, number=4822, commitment=NEXT_COMMITMENT
        )
    seat = Seat(
        id=1, chat_id=chat.id, user_id=owner.id, chips=chips, night_id=1,
        round_id=following.id if following else shown.id, chip=chip,
    )  # fmt: skip
    return SoloBoard(
        board=Board(id=7, seat_id=1, face=face, round_id=shown.id, chat_id=chat.id, message_id=30),
        seat=seat,
        owner=owner,
        chat=chat,
        night=Night(id=1, seat_id=1, rules=rules, opened=NOON, buy_in=500, hands=hands),
        shown=shown,
        following=following,
        path=path if isinstance(state, Settled) else (),
        note=note,
    )


def ended(value: SoloBoard, summary: Summary, *, chips: int, ending: Ending = Ending.CASHED) -> SoloBoard:
    """The same board after the night's end."""
    assert value.night is not None
    night = replace(value.night, closed=NOON, chips=chips, ending=ending, hands=summary.hands)
    seat = replace(value.seat, chips=0, night_id=None, round_id=None)
    return replace(value, seat=seat, night=night, following=None, summary=summary, path=())
