"""Proofs: what holds, in words, and the digits below (BOARDS 3.8)."""

from __future__ import annotations

import html
import json
from collections.abc import Sequence
from datetime import datetime

from bot.facts import Round, Tap, Verb
from bot.tables import TableProof
from bot.views import table_proof
from bot.views.kit import GAP, Key, Keys, Page, View, ltr, rows, text_of
from bot.views.proving import digits, steps_told
from core.cards import cards_text as plain_cards
from core.fair import Failed, PlayedRound, Step, opened, shuffled, single_keys, transcript_mapping, verify
from core.referee import referee
from core.rules import PRESETS, RuleSet, as_mapping
from core.settlement import Decision
from core.solo import Settled


def transcript(round_: Round) -> dict[str, object]:
    """
    The transcript of a settled hand, as `q64 verify` takes it.

    :raises ValueError: If the hand is not settled: its secret stays where it is.
    """
    state = round_.state
    if not isinstance(state, Settled):
        raise ValueError(round_.id)  # noqa: TRY004 - the round is of the right type, but not far enough
    given = _given(state, round_.rules)
    played = PlayedRound(given=given, settled=referee(given))
    return transcript_mapping(opened(round_.secret, round_.words, round_.nonce, played))


def _given(state: Settled, rules: RuleSet) -> dict[str, object]:
    named = PRESETS.get(rules.name)
    return {
        "rules": rules.name if named == rules else as_mapping(rules),
        "player": plain_cards(state.player),
        "dealer": plain_cards(state.dealer),
        "ante": state.wager.ante,
        "pair_plus": state.wager.pair_plus,
        "six_card": state.wager.six_card,
        "decision": state.decision.value if isinstance(state.decision, Decision) else None,
    }


def transcript_file(round_: Round) -> tuple[str, bytes]:
    """A file's name and content: one transcript, readable."""
    return f"hand-{round_.id}.json", (json.dumps(transcript(round_), ensure_ascii=False) + "\n").encode()


def night_file(hands: Sequence[Round | TableProof], page: Page) -> tuple[str, bytes]:
    """All hands of a night in one file, alone and at tables, a transcript a line."""
    numbers = [hand.round.id if isinstance(hand, TableProof) else hand.id for hand in hands]
    written = (
        table_proof.transcript(hand, page) if isinstance(hand, TableProof) else transcript(hand) for hand in hands
    )
    lines = "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in written)
    return f"night-{numbers[0]}-{numbers[-1]}.jsonl", lines.encode()


def proof(round_: Round, page: Page) -> str:
    """What holds of a settled hand, in words first; digits in an expandable quote."""
    written = transcript(round_)
    outcome = verify(written)
    steps = (
        (Step.COMMITMENT, page.t("The seal fits the secret that is open now.")),
        (Step.DECK, page.t("Secret and your words give exactly this deck.")),
        (Step.CARDS, page.t("Your cards were the first three, the dealer’s the next three.")),
        (Step.PAYOUT, page.t("The chips follow the table’s rules.")),
    )
    broken = outcome.step if isinstance(outcome, Failed) else None
    check = f"<code>q64 verify hand-{round_.id}.json</code>"
    return text_of(
        page.t("Hand {number} was fixed before you bet.", number=round_.id),
        *steps_told(steps, broken, page),
        page.t("Check it without us: {command}", command=ltr(check, page)),
        digits(written, round_.words, page, _times(round_, page)),
    )


def _times(round_: Round, page: Page) -> str:
    """In which order seal, words and bet were fixed; UTC."""
    if round_.dealt is None:
        return ""
    return page.t(
        "Fixed in this order (UTC): seal {seal}, words {words}, bet {bet}.",
        seal=_clock(round_.opened),
        words=_clock(round_.worded or round_.opened),
        bet=_clock(round_.dealt),
    )


def _clock(moment: datetime) -> str:
    return moment.strftime("%H:%M:%S.%f")[:-3]


def proof_keys(round_: Round, page: Page, *, board: int = 0, own: bool = True, back: bool = False) -> Keys:
    """Copy key, file, and the way back to the board."""
    keys = [Key(page.t("Copy secret"), copy=round_.secret.hex())]
    if own:
        keys.append(Key(page.t("File"), Tap(verb=Verb.FILE, board=board, round=round_.id)))
    if back:
        keys.append(Key(page.t("Back"), Tap(verb=Verb.BACK, board=board, round=round_.id)))
    return rows(page, tuple(keys))


def sealed(round_: Round, page: Page, *, own: bool) -> View:
    """`/start <commitment>`: the proof if the hand is settled; before that, what the seal means."""
    if isinstance(round_.state, Settled):
        return View(text=proof(round_, page), keys=proof_keys(round_, page, own=own))
    never = page.t("It was never dealt and will not be: its secret is not used again.") if round_.void else ""
    return View(
        text=text_of(
            page.t("This is the whole seal of hand {number}:", number=round_.id),
            f"<code>{round_.commitment}</code>",
            GAP,
            never
            or page.t(
                "It is the SHA-256 of a secret that already exists and fixes this deal. The secret opens when the "
                "hand is settled; then this link shows the proof."
            ),
        ),
        keys=rows(page, (Key(page.t("Copy seal"), copy=round_.commitment),)),
    )


def story(words: str, example: Round | None, page: Page, *, night: bool = False) -> View:
    """`/fair` in five sentences, with the latest hand as the example, and the words in use; *night*: it has a file."""
    shown = html.escape(words, quote=False)
    lines = [
        f"<b>{page.t('Why nobody can cheat here')}</b>",
        page.t(
            "1. Before you bet, the bot draws a secret and shows its seal, a fingerprint that fits no other secret."
        ),
        page.t("2. Secret, hand number and your own words, if you have any, are all that shuffles the deck."),
        page.t(
            "3. So the cards are fixed before the bet, and the bot cannot know your bet or your words when it draws."
        ),
        page.t("4. After the hand the secret opens, and anybody can compute the same deck from it."),
        page.t("5. Proof on a settled board does it for you; q64 verify and the page /verify do it without us."),
        GAP,
    ]
    if example is not None:
        lines += [_example(example, page), GAP]
    lines.append(
        page.t("Your words: {words}", words=f"\u2068{shown}\u2069")
        if words
        else page.t("You have no words of your own.")
    )
    lines.append(page.t("Change them any time before a deal: /fair lucky socks"))
    return View(
        text=text_of(*lines),
        keys=rows(
            page,
            (Key(page.t("New words"), Tap(verb=Verb.WORDS)),),
            (Key(page.t("File of the last night"), Tap(verb=Verb.NIGHT_FILE)),) if night and page.private else (),
        ),
    )


def _example(round_: Round, page: Page) -> str:
    cards = plain_cards(shuffled(round_.secret, round_.words, round_.id)[:6])
    return page.t(
        "Your hand {number}: seal {seal}…, secret {secret}…, first six cards {cards}.",
        number=round_.id,
        seal=round_.commitment[:8],
        secret=round_.secret.hex()[:8],
        cards=ltr(cards, page),
    )


def checked(mapping: object, page: Page) -> str:
    """What `/verify` says of a transcript that somebody brings."""
    outcome = verify(mapping)
    if not isinstance(outcome, Failed):
        number = outcome.transcript.nonce
        whole = page.t("Hand {number} holds: seal, deck, cards and chips.", number=number)
        deal = page.t("Deal {number} holds: seal and deck.", number=number)
        return deal if outcome.transcript.round is None else whole
    sentence = {
        Step.FORMAT: page.t("This is not a transcript as q64 writes it."),
        Step.COMMITMENT: page.t("The seal does not fit the secret: another secret was announced."),
        Step.DECK: page.t("Secret and words give another deck than the one written here."),
        Step.CARDS: page.t("The hands are not those that the deck gives."),
        Step.PAYOUT: page.t("The chips are not what the rules give."),
    }[outcome.step]
    return f"{sentence} ({html.escape(outcome.at, quote=False)})" if outcome.at else sentence


def read(text: str | bytes) -> object:
    """
    One JSON text as a transcript is read.

    :raises ValueError: If it is no JSON, or says two things under one key.
    :raises RecursionError: If it is nested too deeply.
    """
    return json.loads(text, object_pairs_hook=single_keys)


def checked_lines(content: bytes, page: Page) -> str:
    """What `/verify` says of a file: one transcript, or one a line; the first that fails is named."""
    try:
        lines = [read(line) for line in content.decode().splitlines() if line.strip()]
    except (ValueError, RecursionError):
        try:
            lines = [read(content)]
        except (ValueError, RecursionError):
            return checked(None, page)
    for mapping in lines:
        if isinstance(verify(mapping), Failed):
            return checked(mapping, page)
    if len(lines) == 1:
        return checked(lines[0], page)
    return page.t.n("All {count} hand holds.", "All {count} hands hold.", len(lines)) if lines else checked(None, page)
