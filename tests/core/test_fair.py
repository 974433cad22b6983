"""Algorithm 1 against a second implementation, and every way in which a transcript can fail (DESIGN section 4)."""

import hashlib
import hmac
import json
import unicodedata
from collections.abc import Callable
from copy import deepcopy
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.cards import PACK, cards_text
from core.errors import NotATranscript, RuleError, TooFewCards, WordsNotAllowed, WordsTooLong
from core.fair import (
    Failed,
    PlayedRound,
    Step,
    Verified,
    checked_words,
    commitment,
    opened,
    packs,
    shuffled,
    single_keys,
    solo_hands,
    transcript_from,
    transcript_mapping,
    verify,
)
from core.referee import referee

SECRET = bytes(range(32))
COMMITMENT = "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"

secrets = st.binary(min_size=32, max_size=32)
nonces = st.integers(0, 2**63 - 1)
word = st.text(st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"]), max_size=64)
many_words = st.lists(word, max_size=9).map(tuple)


def second_deck(secret: bytes, words: tuple[str, ...], nonce: int) -> list[str]:
    """Algorithm 1 once more, from its text alone: cards are strings, and a stream is a list that grows."""
    order = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
    stream: list[int] = []
    counters = count()

    def block() -> None:
        message = b"q64/1\n" + str(nonce).encode("ascii") + b"\n"
        message += b"\n".join([each.encode("utf-8") for each in words]) + b"\n" + str(next(counters)).encode("ascii")
        digest = hmac.new(secret, message, hashlib.sha256).hexdigest()
        stream.extend(int(digest[at : at + 8], 16) for at in range(0, 64, 8))

    def draw(n: int) -> int:
        while True:
            if not stream:
                block()
            x = stream.pop(0)
            if x < 2**32 // n * n:
                return x % n

    i = 51
    while i >= 1:
        j = draw(i + 1)
        order[i], order[j] = order[j], order[i]
        i -= 1
    return order


def test_the_vector_of_the_design() -> None:
    assert commitment(SECRET) == COMMITMENT
    assert cards_text(shuffled(SECRET, ("",), 1)[:9]) == "Qc 9c Js 5s Kd 3c Kc Th 7c"


@given(secrets, many_words, nonces)
def test_a_second_implementation_deals_the_same(secret: bytes, words: tuple[str, ...], nonce: int) -> None:
    assert second_deck(secret, words, nonce) == [str(card) for card in shuffled(secret, words, nonce)]


def test_a_number_that_would_favour_a_card_is_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """For 52 cards numbers from 4,294,967,248 up are refused; only then comes one that takes the second card."""
    numbers = [2**32 - 1, 2**32 // 52 * 52, 2**32 // 52 * 52 - 51, *[0] * 61]
    blocks = [b"".join(each.to_bytes(4, "big") for each in numbers[at : at + 8]) for at in range(0, 64, 8)]
    monkeypatch.setattr(hmac, "digest", lambda *_: blocks.pop(0))

    assert shuffled(SECRET, (), 1)[51] == PACK[1]


@given(secrets, many_words, nonces)
def test_f96_every_card_is_in_the_deck_once(secret: bytes, words: tuple[str, ...], nonce: int) -> None:
    assert sorted(card.index for card in shuffled(secret, words, nonce)) == list(range(52))


@pytest.mark.parametrize(
    "secret, words, nonce",
    [
        pytest.param(bytes(32), ("",), 1, id="another secret"),
        pytest.param(SECRET, ("", ""), 1, id="one seat more"),
        pytest.param(SECRET, ("lucky",), 1, id="other words"),
        pytest.param(SECRET, ("", "cut:3"), 1, id="a cut"),
        pytest.param(SECRET, ("",), 2, id="another round"),
    ],
)
def test_f95_whatever_goes_in_changes_the_deal(secret: bytes, words: tuple[str, ...], nonce: int) -> None:
    assert shuffled(secret, words, nonce) != shuffled(SECRET, ("",), 1)


def test_packs_come_from_the_front_seats_first_bank_last() -> None:
    player, dealer = solo_hands(PACK)

    assert cards_text(player) == "2c 2d 2h"
    assert cards_text(dealer) == "2s 3c 3d"
    assert [cards_text(pack) for pack in packs(PACK, 3)] == ["2c 2d 2h", "2s 3c 3d", "3h 3s 4c"]
    assert packs(PACK, 0) == ()


@pytest.mark.parametrize("count_", [18, -1])
def test_a_deck_does_not_give_more_than_it_has(count_: int) -> None:
    with pytest.raises(TooFewCards):
        packs(PACK, count_)


@pytest.mark.parametrize(
    "text, stored",
    [
        pytest.param("", "", id="empty is the default"),
        pytest.param("cafe\u0301", "caf\u00e9", id="NFC"),
        pytest.param("e\u0301" * 64, "\u00e9" * 64, id="64 code points are counted after NFC"),
        pytest.param("🂡" * 64, "🂡" * 64, id="64 code points, not bytes"),
        pytest.param("  a  ", "  a  ", id="blanks are the player's"),
        pytest.param("👨\u200d👩", "👨\u200d👩", id="a joiner (Cf) is allowed"),
    ],
)
def test_words_are_stored_in_nfc(text: str, stored: str) -> None:
    assert checked_words(text) == stored


@pytest.mark.parametrize(
    "text, category",
    [("a\nb", "Cc"), ("\x00", "Cc"), ("\x7f", "Cc"), ("\ud800", "Cs"), ("a\u2028", "Zl"), ("\u2029b", "Zp")],
)
def test_words_with_control_characters_are_refused(text: str, category: str) -> None:
    with pytest.raises(WordsNotAllowed) as refusal:
        checked_words(text)

    assert refusal.value.category == category


def test_words_of_65_code_points_are_refused() -> None:
    with pytest.raises(WordsTooLong) as refusal:
        checked_words("x" * 65)

    assert (refusal.value.length, refusal.value.most) == (65, 64)


@given(st.text(max_size=80))
def test_checked_words_are_checked_already(text: str) -> None:
    """Checking twice is checking once, and what passes is in NFC."""
    try:
        stored = checked_words(text)
    except RuleError:
        return
    assert checked_words(stored) == stored == unicodedata.normalize("NFC", stored)


def solo(**changed: object) -> dict[str, object]:
    """A transcript of the vector's deal: Qc 9c Js against 5s Kd 3c."""
    given_ = {"rules": "selminha", "player": "Qc 9c Js", "dealer": "5s Kd 3c", "ante": 25, "decision": "play"}
    return _transcript(("",), given_ | changed)


def banked(bank: int | None, words: tuple[str, ...]) -> dict[str, object]:
    """Two seats and the bank on the deck's first three packs."""
    first, second, last = (cards_text(pack) for pack in packs(shuffled(SECRET, words, 1), 3))
    seats = [
        {"name": "Ann", "player": first, "ante": 20, "pair_plus": 10, "decision": "play"},
        {"name": "Bob", "player": second, "ante": 30, "decision": "fold"},
    ]
    return _transcript(words, {"rules": "california", "bank": bank, "banker": last, "seats": seats})


def _transcript(words: tuple[str, ...], given_: dict[str, object]) -> dict[str, object]:
    played = PlayedRound(given=given_, settled=referee(given_))
    return transcript_mapping(opened(SECRET, words, 1, played))


def test_a_transcript_has_the_published_form() -> None:
    mapping = solo()

    assert list(mapping) == ["v", "nonce", "commitment", "secret", "words", "deck", "round"]
    assert mapping["v"] == 1
    assert mapping["secret"] == SECRET.hex()
    assert mapping["commitment"] == COMMITMENT
    assert list(mapping["round"]) == ["in", "out"]  # type: ignore[call-overload]
    assert "round" not in transcript_mapping(opened(SECRET, (), 1))


@pytest.mark.parametrize(
    "mapping",
    [
        pytest.param(transcript_mapping(opened(SECRET, ("",), 1)), id="without a round"),
        pytest.param(solo(), id="solo"),
        pytest.param(solo(player="Js Qc 9c"), id="the order within a hand says nothing"),
        pytest.param(banked(100, ("a", "b", "bank")), id="a player banks"),
        pytest.param(banked(None, ("a", "b")), id="the house banks"),
        pytest.param(banked(20, ("a", "b", "bank", "cut:6")), id="a short bank, a cut"),
        pytest.param(transcript_mapping(opened(SECRET, ("contest/7",), 12)), id="a contest's twelfth deal"),
        pytest.param(transcript_mapping(opened(SECRET, ("x" * 100 + "\n",), 1)), id="words as stored"),
    ],
)
def test_an_honest_transcript_holds(mapping: dict[str, object]) -> None:
    verified = verify(mapping)

    assert isinstance(verified, Verified), verified
    assert transcript_from(mapping) == verified.transcript
    assert verify(transcript_mapping(verified.transcript)) == verified


Change = Callable[[dict[str, object]], object]


def put(*path: str | int, value: object) -> Change:
    """A change of a transcript at one place."""

    def change(mapping: dict[str, object]) -> None:
        inside: object = mapping
        for step in path[:-1]:
            inside = inside[step]  # type: ignore[index]
        inside[path[-1]] = value  # type: ignore[index]

    return change


@pytest.mark.parametrize(
    "change, step, at",
    [
        pytest.param(put("commitment", value="0" * 64), Step.COMMITMENT, "commitment", id="another commitment"),
        pytest.param(put("commitment", value=COMMITMENT.upper()), Step.COMMITMENT, "commitment", id="lower case only"),
        pytest.param(put("secret", value="ff" * 32), Step.COMMITMENT, "commitment", id="another secret"),
        pytest.param(put("words", value=["x"]), Step.DECK, "deck[0]", id="other words"),
        pytest.param(put("nonce", value=2), Step.DECK, "deck[0]", id="another round's nonce"),
        pytest.param(put("deck", 51, value="Qc"), Step.DECK, "deck[51]", id="the last card of the deck"),
        pytest.param(put("round", "in", "player", value="Qc 9c Jh"), Step.CARDS, "round.in.player", id="a card"),
        pytest.param(
            put("round", "in", "player", value="Qc 9c Kd"), Step.CARDS, "round.in.player", id="a card of the dealer"
        ),
        pytest.param(put("round", "in", "player", value="Qc Qc Js"), Step.CARDS, "round.in.player", id="a card twice"),
        pytest.param(
            put("round", "in", "dealer", value="5s Kd 3d"), Step.CARDS, "round.in.dealer", id="the dealer's card"
        ),
        pytest.param(put("round", "in", "ante", value=30), Step.PAYOUT, "round.out.lines.ante", id="another ante"),
        pytest.param(
            put("round", "in", "decision", value="fold"), Step.PAYOUT, "round.out.result", id="another decision"
        ),
        pytest.param(put("round", "out", "net", value=1), Step.PAYOUT, "round.out.net", id="another net"),
        pytest.param(put("round", "out", "net", value=-50.0), Step.PAYOUT, "round.out.net", id="a net with a point"),
        pytest.param(
            put("round", "out", "dealer_qualifies", value=1),
            Step.PAYOUT,
            "round.out.dealer_qualifies",
            id="1 is not true",
        ),
        pytest.param(put("round", "out", "tip", value=1), Step.PAYOUT, "round.out.tip", id="a pay-out more"),
        pytest.param(put("round", "out", value={}), Step.PAYOUT, "round.out.result", id="no pay-outs"),
        pytest.param(
            put("round", "out", "net", value=10**5000), Step.PAYOUT, "round.out.net", id="a net beyond all bounds"
        ),
        pytest.param(put("v", value=2), Step.FORMAT, "v", id="another algorithm"),
        pytest.param(put("v", value=True), Step.FORMAT, "v", id="true is not 1"),
        pytest.param(put("nonce", value="1"), Step.FORMAT, "nonce", id="a nonce in quotes"),
        pytest.param(put("nonce", value=True), Step.FORMAT, "nonce", id="a nonce that is true"),
        pytest.param(put("nonce", value=-1), Step.FORMAT, "nonce", id="a negative nonce"),
        pytest.param(put("nonce", value=10**5000), Step.FORMAT, "nonce", id="a nonce beyond all bounds"),
        pytest.param(put("commitment", value=None), Step.FORMAT, "commitment", id="no commitment"),
        pytest.param(put("secret", value="00" * 31), Step.FORMAT, "secret", id="31 bytes"),
        pytest.param(put("secret", value="0x" + "00" * 31), Step.FORMAT, "secret", id="no hexadecimal digits"),
        pytest.param(put("secret", value=" 1" * 32), Step.FORMAT, "secret", id="blanks"),
        pytest.param(put("words", value=""), Step.FORMAT, "words", id="words not in a list"),
        pytest.param(put("words", value=[1]), Step.FORMAT, "words[0]", id="a number for words"),
        pytest.param(put("words", value=["", "\ud800"]), Step.FORMAT, "words[1]", id="half a character"),
        pytest.param(put("deck", value=["Qc"]), Step.FORMAT, "deck", id="a deck of one"),
        pytest.param(put("deck", 3, value="1x"), Step.FORMAT, "deck[3]", id="no card"),
        pytest.param(put("deck", 3, value=3), Step.FORMAT, "deck[3]", id="a number for a card"),
        pytest.param(put("round", value=[]), Step.FORMAT, "round", id="a round that is none"),
        pytest.param(put("round", value={"in": {}}), Step.FORMAT, "round", id="a round without out"),
        pytest.param(put("round", "out", value=20), Step.FORMAT, "round.out", id="out that is none"),
        pytest.param(put("round", "in", "ante", value="25"), Step.FORMAT, "round.in", id="an ante in quotes"),
        pytest.param(put("round", "in", "player", value="Qc 9c"), Step.FORMAT, "round.in", id="two cards"),
        pytest.param(put("round", "in", "pair_pluss", value=5), Step.FORMAT, "round.in", id="a misspelt bet"),
        pytest.param(put("signed_by", value="me"), Step.FORMAT, "signed_by", id="what nobody checks"),
        pytest.param(lambda mapping: mapping.clear(), Step.FORMAT, "v", id="nothing"),
    ],
)
def test_verify_names_the_first_thing_that_does_not_hold(change: Change, step: Step, at: str) -> None:
    mapping = deepcopy(solo())
    change(mapping)
    failed = verify(mapping)

    assert isinstance(failed, Failed)
    assert (failed.step, failed.at) == (step, at)


@pytest.mark.parametrize("mapping", [None, [], "x", 1, True])
def test_what_is_no_mapping_fails_at_its_format(mapping: object) -> None:
    assert verify(mapping) == Failed(step=Step.FORMAT, at="")
    with pytest.raises(NotATranscript):
        transcript_from(mapping)


@pytest.mark.parametrize(
    "change, step, at",
    [
        pytest.param(put("round", "in", "bank", value=10), Step.PAYOUT, "round.out.banker_net", id="another bank"),
        pytest.param(
            put("round", "out", "seats", 1, "net", value=0), Step.PAYOUT, "round.out.seats[1].net", id="a net"
        ),
        pytest.param(put("round", "out", "seats", value=[]), Step.PAYOUT, "round.out.seats", id="no seats paid"),
        pytest.param(
            put("round", "in", "seats", 0, "name", value="Eve"), Step.PAYOUT, "round.out.seats[0].name", id="a name"
        ),
        pytest.param(
            lambda mapping: mapping["round"]["in"]["seats"].reverse(),
            Step.CARDS,
            "round.in.seats[0].player",
            id="order",
        ),
    ],
)
def test_verify_checks_the_table_too(change: Change, step: Step, at: str) -> None:
    mapping = deepcopy(banked(100, ("", "", "")))
    change(mapping)
    failed = verify(mapping)

    assert isinstance(failed, Failed)
    assert (failed.step, failed.at) == (step, at)


def test_one_key_twice_is_said_by_nobody() -> None:
    assert json.loads('{"v": 1, "round": {"in": 2}}', object_pairs_hook=single_keys) == {"v": 1, "round": {"in": 2}}
    for text in ('{"v": 1, "v": 1}', '{"round": {"in": 1, "out": 2, "in": 3}}'):
        with pytest.raises(ValueError, match=r"in|v"):
            json.loads(text, object_pairs_hook=single_keys)


def test_more_hands_than_a_deck_gives_fail_at_the_cards() -> None:
    mapping = deepcopy(banked(100, ("", "", "")))
    seats = mapping["round"]["in"]["seats"]  # type: ignore[index]
    seats.extend(seats[:1] * 16)
    failed = verify(mapping)

    assert isinstance(failed, Failed)
    assert failed.step is Step.CARDS


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)


@given(st.sampled_from(sorted(solo())), json_values)
def test_verify_raises_nothing(key: str, value: object) -> None:
    mapping = deepcopy(solo())
    mapping[key] = value

    assert isinstance(verify(mapping), Verified | Failed)


ROUND_KEYS = ["rules", "player", "dealer", "ante", "pair_plus", "decision", "result", "lines", "net", "seats", "bank"]


@given(st.sampled_from(["in", "out"]), st.sampled_from(ROUND_KEYS), json_values)
def test_verify_raises_nothing_within_a_round(side: str, key: str, value: object) -> None:
    mapping = deepcopy(solo())
    put("round", side, key, value=value)(mapping)

    assert isinstance(verify(mapping), Verified | Failed)
