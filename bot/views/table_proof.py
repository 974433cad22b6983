"""Proofs of hands at a table: what holds, in words, and the digits below (BOARDS 3.8; DESIGN section 4)."""

from __future__ import annotations

import json
from collections.abc import Mapping

from bot.facts import Tap, Verb
from bot.tables import TableProof, TableRound
from bot.views.kit import GAP, Key, Keys, Page, View, ltr, plain_name, rows, text_of
from bot.views.proving import digits, steps_told
from core.cards import cards_text
from core.fair import Failed, PlayedRound, Step, opened, transcript_mapping, verify
from core.referee import referee
from core.rules import PRESETS, as_mapping
from core.table import Showdown


def transcript(found: TableProof, page: Page) -> dict[str, object]:
    """
    The transcript of a hand that is over, as `q64 verify` takes it.

    :raises ValueError: If it is not over: its secret stays where it is.
    """
    round_ = found.round
    if round_.showdown is None:
        raise ValueError(round_.id)
    given = _given(round_, round_.showdown, found.names, page)
    played = PlayedRound(given=given, settled=referee(given))
    return transcript_mapping(opened(round_.secret, round_.words, round_.id, played))


def _given(round_: TableRound, over: Showdown, names: Mapping[int, str], page: Page) -> dict[str, object]:
    rules = round_.rules
    return {
        "rules": rules.name if PRESETS.get(rules.name) == rules else as_mapping(rules),
        "bank": over.bank.chips,
        "banker": cards_text(over.dealer),
        "seats": [
            {
                "name": _spoken(names.get(player.user, ""), page, player.user),
                "player": cards_text(player.hand),
                "ante": player.wager.ante,
                "pair_plus": player.wager.pair_plus,
                "six_card": player.wager.six_card,
                "decision": player.decision.value if player.decision is not None else None,
            }
            for player in over.players
        ],
    }


def _spoken(raw: str, page: Page, seat: int) -> str:
    return plain_name(raw, page, seat).strip("\u2068\u2069")


def transcript_file(found: TableProof, page: Page) -> tuple[str, bytes]:
    """A file's name and content: one transcript, readable."""
    written = json.dumps(transcript(found, page), ensure_ascii=False)
    return f"hand-{found.round.id}.json", (written + "\n").encode()


def proof(found: TableProof, page: Page) -> View:
    """What holds of a hand that is over, with the keys below."""
    round_ = found.round
    written = transcript(found, page)
    outcome = verify(written)
    broken = outcome.step if isinstance(outcome, Failed) else None
    check = f"<code>q64 verify hand-{round_.id}.json</code>"
    text = text_of(
        page.t("Hand {number} was fixed before anybody bet.", number=round_.id),
        *steps_told(_steps(page), broken, page),
        page.t("Check it without us: {command}", command=ltr(check, page)),
        digits(written, round_.words, page),
    )
    return View(text=text, keys=_keys(found, page))


def _steps(page: Page) -> tuple[tuple[Step, str], ...]:
    return (
        (Step.COMMITMENT, page.t("The seal fits the secret that is open now.")),
        (Step.DECK, page.t("Secret and everybody’s words give exactly this deck.")),
        (Step.CARDS, page.t("The hands went round from the banker’s left, the bank’s last.")),
        (Step.PAYOUT, page.t("The chips follow the table’s rules, as far as the bank went.")),
    )


def _keys(found: TableProof, page: Page) -> Keys:
    keys = [Key(page.t("Copy secret"), copy=found.round.secret.hex())]
    if found.member:
        keys.append(Key(page.t("File"), Tap(verb=Verb.FILE, round=found.round.id)))
    return rows(page, tuple(keys))


def sealed(found: TableProof, page: Page) -> View:
    """`/start <commitment>`: the proof if the hand is over; before that, what the seal means."""
    round_ = found.round
    if round_.showdown is not None:
        return proof(found, page)
    meaning = (
        page.t("It was never dealt and will not be: its secret is not used again.")
        if round_.void
        else page.t(
            "It is the SHA-256 of a secret that already exists and fixes this deal. The secret opens when the "
            "hand is settled; then this link shows the proof."
        )
    )
    return View(
        text=text_of(
            page.t("This is the whole seal of hand {number}:", number=round_.id),
            f"<code>{round_.commitment}</code>",
            GAP,
            meaning,
        ),
        keys=rows(page, (Key(page.t("Copy seal"), copy=round_.commitment),)),
    )
