"""Proofs in the chat (BOARDS 3.8, DESIGN section 4): what is shown holds, and what is not open yet is not shown."""

from __future__ import annotations

import inspect
import json
from dataclasses import replace
from datetime import timedelta

import pytest

from bot.facts import Design, Round
from bot.views import transcripts
from core import fair
from core.betting import Wager
from core.fair import solo_hands, verify
from core.rules import PRESETS, RuleSet, merged
from core.settlement import Decision, settle
from core.solo import Betting, Dealt, Settled
from tests.bot.scenes import NOON, page, round_of

SECRET = bytes(range(32))
BET = Wager(ante=25, pair_plus=5)


def played(
    decision: Decision | None = Decision.PLAY,
    *,
    wager: Wager = BET,
    rules: RuleSet | None = None,
    words: tuple[str, ...] = ("",),
) -> Round:
    rules = rules or PRESETS["selminha"]
    player, dealer = solo_hands(fair.shuffled(SECRET, words, 4821))
    settlement = settle(rules, player, dealer, wager, decision)
    state = Settled(wager=wager, player=player, dealer=dealer, decision=decision, settlement=settlement)
    return replace(
        round_of(state, rules=rules, commitment=fair.commitment(SECRET)),
        secret=SECRET,
        words=words,
        worded=NOON + timedelta(seconds=5),
        dealt=NOON + timedelta(seconds=9),
        settled=NOON + timedelta(seconds=12),
    )


@pytest.mark.parametrize("rules", [*PRESETS.values(), merged({"name": "ours", "ante_bonus": {"straight": 2}})])
@pytest.mark.parametrize("decision", Decision)
@pytest.mark.parametrize("words", [("",), ("Glück & <b>Socken</b>",)])
def test_the_file_holds_with_the_referee_of_the_command(
    rules: RuleSet, decision: Decision, words: tuple[str, ...]
) -> None:
    name, content = transcripts.transcript_file(played(decision, rules=rules, words=words))

    assert name == "hand-4821.json"
    assert isinstance(verify(json.loads(content)), fair.Verified)


def test_p3_a_hand_without_an_ante_holds_too() -> None:
    round_ = played(None, wager=Wager(pair_plus=25), rules=PRESETS["poker-three"])

    assert isinstance(verify(transcripts.transcript(round_)), fair.Verified)


def test_f106_an_open_hand_has_no_transcript() -> None:
    player, dealer = solo_hands(fair.shuffled(SECRET, ("",), 4821))
    for state in (Betting(wager=BET), Dealt(wager=BET, player=player, dealer=dealer)):
        with pytest.raises(ValueError, match="4821"):
            transcripts.transcript(round_of(state))
        told = transcripts.sealed(replace(round_of(state), secret=SECRET), page(), own=True)
        assert SECRET.hex() not in told.text + repr(told.keys)


def test_boards_3_8_the_proof_in_words() -> None:
    text = transcripts.proof(played(), page())

    assert text.splitlines()[:6] == [
        "Hand 4821 was fixed before you bet.",
        "✅ The seal fits the secret that is open now.",
        "✅ Secret and your words give exactly this deck.",
        "✅ Your cards were the first three, the dealer’s the next three.",
        "✅ The chips follow the table’s rules.",
        "Check it without us: <code>q64 verify hand-4821.json</code>",
    ]
    assert "<blockquote expandable>" in text
    assert SECRET.hex() in text
    assert "Fixed in this order (UTC): seal 12:00:00.000, words 12:00:05.000, bet 12:00:09.000." in text


def test_a_proof_that_fails_names_the_step_and_stops() -> None:
    true = played()
    assert isinstance(true.state, Settled)
    forged = replace(true, state=replace(true.state, player=true.state.dealer, dealer=true.state.player))

    lines = transcripts.proof(forged, page()).splitlines()

    assert lines[3].startswith("❌ Your cards")
    assert not any("chips follow" in line for line in lines)


def test_words_of_people_are_escaped_and_isolated() -> None:
    text = transcripts.proof(played(words=("<b>\u202e",)), page())

    assert "\u2068&lt;b&gt;" in text
    assert "<b>" not in text


@pytest.mark.parametrize("design", Design)
def test_proof_and_story_fit_a_message(design: Design) -> None:
    longest = played(words=("𝕎" * 64,))
    own = page(design)

    for text in (
        transcripts.proof(longest, own),
        transcripts.story("𝕎" * 64, longest, own).text,
        transcripts.sealed(longest, own, own=True).text,
    ):
        assert len(text) < 4096
    for row in transcripts.proof_keys(longest, own, board=2**62, back=True):
        assert all(key.tap is None or len(key.tap.pack()) <= 64 for key in row)


def test_a_night_is_one_file_a_hand_a_line() -> None:
    name, content = transcripts.night_file((played(), played(Decision.FOLD)), page())

    assert name == "night-4821-4821.jsonl"
    assert transcripts.checked_lines(content, page()) == "All 2 hands hold."


@pytest.mark.parametrize(
    "spoil, said",
    [
        pytest.param({"secret": "00" * 32}, "The seal does not fit the secret", id="commitment"),
        pytest.param({"words": ["other"]}, "Secret and words give another deck", id="deck"),
        pytest.param({"v": 2}, "This is not a transcript", id="format"),
    ],
)
def test_verify_in_the_chat_says_which_step_fails(spoil: dict[str, object], said: str) -> None:
    assert transcripts.checked({**transcripts.transcript(played()), **spoil}, page()).startswith(said)


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"{", b"[" * 100_000, b"[]", b"null", b"1\n2"])
def test_a_file_that_is_no_transcript_gets_a_sentence(content: bytes) -> None:
    assert transcripts.checked_lines(content, page()) == "This is not a transcript as q64 writes it."


def test_a_file_that_says_two_things_under_one_key_is_no_transcript() -> None:
    sound = json.dumps(transcripts.transcript(played()))
    twice = sound.replace('"v": 1', '"v": 2, "v": 1', 1)

    assert transcripts.checked_lines(sound.encode(), page()) == "Hand 4821 holds: seal, deck, cards and chips."
    assert transcripts.checked_lines(twice.encode(), page()) == "This is not a transcript as q64 writes it."


def test_no_favourites_the_deal_knows_no_player_no_stack_and_no_bet() -> None:
    """What the dealing function is given is all it can know: a secret, words, a number."""
    assert list(inspect.signature(fair.shuffled).parameters) == ["secret", "words", "nonce"]
