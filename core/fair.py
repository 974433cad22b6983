"""Deals that anyone can check: commit, mix in words, shuffle, open, verify (DESIGN section 4, algorithm 1)."""

import hashlib
import hmac
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from struct import Struct
from typing import Final

from core.cards import PACK, Card, Deck, Hand, cards_text, hand_of, parse_card
from core.errors import NotATranscript, RepeatedCard, RuleError, TooFewCards, WordsNotAllowed, WordsTooLong
from core.referee import referee, round_hands

ALGORITHM: Final = 1
SECRET_BYTES: Final = 32
MOST_WORDS: Final = 64  # code points
MOST_NONCE: Final = 2**63 - 1  # a round's id is a 64-bit number
_REFUSED: Final = frozenset({"Cc", "Cs", "Zl", "Zp"})
_HEX: Final = frozenset("0123456789abcdef")
_EIGHT: Final = Struct(">8L")  # a block as 32-bit numbers, the most significant byte first
_NUMBERS: Final = 2**32  # how many numbers a draw is made from


def commitment(secret: bytes) -> str:
    """Lower-case hexadecimal SHA-256 of *secret*, shown before the bet is final (DESIGN, algorithm 1)."""
    return hashlib.sha256(secret).hexdigest()


def checked_words(text: str) -> str:
    """
    The words a player mixes in, as they are stored: NFC, at most 64 code points after it.

    Raises WordsNotAllowed for control characters, surrogates, line and paragraph separators; WordsTooLong.
    Source: DESIGN, algorithm 1.
    """
    words = unicodedata.normalize("NFC", text)
    if len(words) > MOST_WORDS:
        raise WordsTooLong(len(words), MOST_WORDS)
    for character in words:
        category = unicodedata.category(character)
        if category in _REFUSED:
            raise WordsNotAllowed(ord(character), category)
    return words


def _numbers(secret: bytes, words: Sequence[str], nonce: int) -> Iterator[int]:
    """Algorithm 1's endless stream of 32-bit numbers."""
    start = b"q64/1\n%d\n%b\n" % (nonce, b"\n".join(each.encode() for each in words))
    counter = 0
    while True:
        yield from _EIGHT.unpack(hmac.digest(secret, start + b"%d" % counter, "sha256"))
        counter += 1


def shuffled(secret: bytes, words: tuple[str, ...], nonce: int) -> Deck:
    """
    The pack as *secret*, the *words* of the seats and the round's *nonce* order it; nothing else has a say.

    Every order is equally likely, since numbers that would favour one are drawn again. Source: DESIGN, algorithm 1.
    """
    numbers = _numbers(secret, words, nonce)
    deck = list(PACK)
    for last in range(len(deck) - 1, 0, -1):
        choices = last + 1
        fair_below = _NUMBERS - _NUMBERS % choices
        number = next(numbers)
        while number >= fair_below:
            number = next(numbers)
        drawn = number % choices
        deck[last], deck[drawn] = deck[drawn], deck[last]
    return tuple(deck)


def packs(deck: Deck, count: int) -> tuple[Hand, ...]:
    """
    The first *count* packs of three: the seats in action order, the bank's last (CAL; DESIGN, algorithm 1).

    Raises TooFewCards when the deck does not hold so many.
    """
    if not 0 <= 3 * count <= len(deck):
        raise TooFewCards(3 * count, len(deck))
    return tuple(hand_of(deck[first : first + 3]) for first in range(0, 3 * count, 3))


def solo_hands(deck: Deck) -> tuple[Hand, Hand]:
    """The player's hand, then the dealer's (SEL; DESIGN, algorithm 1)."""
    player, dealer = packs(deck, 2)
    return player, dealer


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedRound:
    """What was settled on a deal, in the referee's words (DESIGN, settle)."""

    given: Mapping[str, object]  # what the referee was asked
    settled: Mapping[str, object]  # what the referee answered


@dataclass(frozen=True, slots=True, kw_only=True)
class Transcript:
    """Everything it takes to check one deal, opened after settlement (DESIGN, algorithm 1)."""

    nonce: int
    commitment: str
    secret: bytes
    words: tuple[str, ...]
    deck: Deck
    round: PlayedRound | None = None
    v: int = ALGORITHM


def opened(secret: bytes, words: tuple[str, ...], nonce: int, played: PlayedRound | None = None) -> Transcript:
    """The transcript of a deal that is settled; before that, the secret stays where it is (DESIGN, algorithm 1)."""
    deck = shuffled(secret, words, nonce)
    return Transcript(nonce=nonce, commitment=commitment(secret), secret=secret, words=words, deck=deck, round=played)


def transcript_mapping(transcript: Transcript) -> dict[str, object]:
    """*transcript* as plain values, in the order of its published form (DESIGN, algorithm 1)."""
    mapping: dict[str, object] = {
        "v": transcript.v,
        "nonce": transcript.nonce,
        "commitment": transcript.commitment,
        "secret": transcript.secret.hex(),
        "words": list(transcript.words),
        "deck": [str(card) for card in transcript.deck],
    }
    if transcript.round is not None:
        mapping["round"] = {"in": dict(transcript.round.given), "out": dict(transcript.round.settled)}
    return mapping


def single_keys(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """
    An object of a transcript, for whoever reads its JSON (`object_pairs_hook`).

    :raises ValueError: If it says two things under one key: readers would differ on which of them counts.
    """
    mapping = dict(pairs)
    if len(mapping) != len(pairs):
        raise ValueError(pairs)
    return mapping


def transcript_from(mapping: object) -> Transcript:
    """
    The transcript that *mapping* writes out; whether it tells the truth is verify's question.

    Words are taken as stored. Raises NotATranscript, naming the place, for whatever is missing, unknown or of the
    wrong kind: what nobody checks has no place in a transcript. Source: DESIGN, algorithm 1.
    """
    if not isinstance(mapping, Mapping):
        raise NotATranscript("")
    known = ("v", "nonce", "commitment", "secret", "words", "deck", "round")
    for key in mapping:
        if key not in known:
            raise NotATranscript(str(key))
    if type(mapping.get("v")) is not int or mapping["v"] != ALGORITHM:
        raise NotATranscript("v")
    return Transcript(
        nonce=_nonce(mapping.get("nonce")),
        commitment=_text(mapping.get("commitment"), "commitment"),
        secret=_secret(mapping.get("secret")),
        words=_words(mapping.get("words")),
        deck=_deck(mapping.get("deck")),
        round=_round(mapping.get("round")),
    )


def _text(value: object, at: str) -> str:
    if not isinstance(value, str):
        raise NotATranscript(at)
    return value


def _list(value: object, at: str) -> Sequence[object]:
    if not isinstance(value, list | tuple):
        raise NotATranscript(at)
    return value


def _nonce(value: object) -> int:
    if type(value) is not int or not 0 <= value <= MOST_NONCE:
        raise NotATranscript("nonce")
    return value


def _secret(value: object) -> bytes:
    text = _text(value, "secret").lower()
    if len(text) != 2 * SECRET_BYTES or not _HEX.issuperset(text):
        raise NotATranscript("secret")
    return bytes.fromhex(text)


def _words(value: object) -> tuple[str, ...]:
    words = tuple(_text(each, f"words[{place}]") for place, each in enumerate(_list(value, "words")))
    for place, each in enumerate(words):
        try:
            each.encode()
        except UnicodeEncodeError:  # half a surrogate pair
            raise NotATranscript(f"words[{place}]") from None
    return words


def _deck(value: object) -> Deck:
    cards = _list(value, "deck")
    if len(cards) != len(PACK):
        raise NotATranscript("deck")
    deck: list[Card] = []
    for place, each in enumerate(cards):
        at = f"deck[{place}]"
        try:
            deck.append(parse_card(_text(each, at)))
        except RuleError:
            raise NotATranscript(at) from None
    return tuple(deck)


def _round(value: object) -> PlayedRound | None:
    if value is None:
        return None
    if not isinstance(value, Mapping) or set(value) != {"in", "out"}:
        raise NotATranscript("round")
    for key in ("in", "out"):
        if not isinstance(value[key], Mapping):
            raise NotATranscript(f"round.{key}")
    return PlayedRound(given=value["in"], settled=value["out"])


class Step(StrEnum):
    """What verify looks at, in this order (DESIGN, shapes)."""

    FORMAT = "format"
    COMMITMENT = "commitment"
    DECK = "deck"
    CARDS = "cards"
    PAYOUT = "payout"


@dataclass(frozen=True, slots=True, kw_only=True)
class Verified:
    """The transcript holds."""

    transcript: Transcript


@dataclass(frozen=True, slots=True, kw_only=True)
class Failed:
    """The first thing that does not hold."""

    step: Step
    at: str  # where in the transcript, as "deck[4]" or "round.out.net"
    right: str = ""  # what would hold there; empty for a wrong format
    found: str = ""  # what stands there
    refusal: RuleError | None = None  # why the referee would not settle the round


def verify(mapping: object) -> Verified | Failed:
    """
    Whether a transcript's commitment, deck and, where there is a round, cards and pay-outs all hold.

    Raises nothing: what cannot be read has failed at its format. Source: DESIGN, algorithm 1 and verify.
    """
    try:
        transcript = transcript_from(mapping)
    except NotATranscript as error:
        return Failed(step=Step.FORMAT, at=error.at)
    right = commitment(transcript.secret)
    if transcript.round is None:
        return _deal_problem(transcript, right) or Verified(transcript=transcript)
    return _round_checked(transcript, transcript.round, right)


def _deal_problem(transcript: Transcript, right: str) -> Failed | None:
    if transcript.commitment != right:
        return Failed(step=Step.COMMITMENT, at="commitment", right=right, found=transcript.commitment)
    deck = shuffled(transcript.secret, transcript.words, transcript.nonce)
    for place, (dealt, written) in enumerate(zip(deck, transcript.deck, strict=True)):
        if dealt != written:
            return Failed(step=Step.DECK, at=f"deck[{place}]", right=str(dealt), found=str(written))
    return None


def _round_checked(transcript: Transcript, played: PlayedRound, right: str) -> Verified | Failed:
    settled: Mapping[str, object] = {}
    try:
        hands = round_hands(played.given)
        settled = referee(played.given)
    except RepeatedCard:
        pass  # no deck deals a card twice: the cards will not match
    except RuleError as refusal:
        return Failed(step=Step.FORMAT, at="round.in", refusal=refusal)
    problem = _deal_problem(transcript, right) or _cards_problem(hands, transcript.deck)
    if problem is None and (at := _difference(settled, played.settled, "round.out")):
        problem = Failed(step=Step.PAYOUT, at=at[0], right=at[1], found=at[2])
    return problem or Verified(transcript=transcript)


def _cards_problem(hands: Sequence[tuple[str, Sequence[Card]]], deck: Deck) -> Failed | None:
    """The first hand that the deck does not give; within a hand the order of the cards says nothing."""
    if 3 * len(hands) > len(deck):
        return Failed(step=Step.CARDS, at="round.in", right=str(len(deck)), found=str(3 * len(hands)))
    for (at, held), dealt in zip(hands, packs(deck, len(hands)), strict=True):
        if sorted(card.index for card in held) != sorted(card.index for card in dealt):
            return Failed(
                step=Step.CARDS,
                at=f"round.in.{at}",
                right=cards_text(dealt),
                found=cards_text(held),
            )
    return None


def _difference(right: object, found: object, at: str) -> tuple[str, str, str] | None:
    """Where two plain values differ first, and how; 1, 1.0 and true are three things here."""
    if isinstance(right, Mapping) and isinstance(found, Mapping):
        for key in (*right, *(key for key in found if key not in right)):
            if key not in right or key not in found:
                return f"{at}.{key}", _shown(right.get(key)), _shown(found.get(key))
            if deeper := _difference(right[key], found[key], f"{at}.{key}"):
                return deeper
        return None
    if isinstance(right, list | tuple) and isinstance(found, list | tuple) and len(right) == len(found):
        pairs = enumerate(zip(right, found, strict=True))
        return next(filter(None, (_difference(a, b, f"{at}[{place}]") for place, (a, b) in pairs)), None)
    return None if type(right) is type(found) and right == found else (at, _shown(right), _shown(found))


def _shown(value: object) -> str:
    """A plain value in a few characters, whatever it is; None is what is not there."""
    if value is None:
        return "nothing"
    if isinstance(value, bool | float) or (isinstance(value, int) and value.bit_length() <= 64):
        return str(value)
    return value[:40] if isinstance(value, str) else type(value).__name__
