"""Solo boards (BOARDS section 3): a value becomes text and keys."""

from __future__ import annotations

from typing import assert_never

from bot.facts import Face, Round, SoloBoard, Verb
from bot.views import cards, outings, share
from bot.views.coach import given_away_line
from bot.views.figures import sparkline
from bot.views.kit import GAP, Key, Keys, Page, Style, View, board_text, chips, deep_link, rows, sentence, signed
from bot.views.night_end import leaving, night_over
from bot.views.places import door, place_keys
from bot.views.ranking import hand_ranking
from bot.views.settled import hands_lines, settlement_lines, spoken_hand
from bot.views.solo_bets import betting
from bot.views.solo_pieces import (
    change_key,
    deal_key,
    next_seal,
    note_line,
    proof_lines,
    seal_of,
    spoken_net,
    stay_key,
    tap,
    title,
    wager_line,
)
from bot.views.transcripts import proof, proof_keys
from core.solo import Betting, Dealt, Settled

_NEW_HERE = 3  # hands in which a private board points at Hint


def board(value: SoloBoard, page: Page) -> View:
    """The whole picture of a solo board."""
    shown = value.shown
    if value.board.face in {Face.HANDS, Face.WELCOME_HANDS}:
        return _hands(value, page)
    if shown is None or value.night is None:
        return View(text=title(value, page))
    if value.board.face is Face.PROOF and isinstance(shown.state, Settled) and shown.secret:
        return View(
            text=board_text(page, note_line(value, page), proof(shown, page), *next_seal(value, page)),
            keys=(*proof_keys(shown, page, board=value.board.id, back=True), *rows(page, stay_key(value, page))),
        )
    if value.board.face is Face.DOOR:
        return door(value, page)
    if value.summary is not None:
        return night_over(value, shown, value.night, value.summary, page)
    return leaving(value, page) if value.board.face is Face.LEAVING else _under_way(value, shown, page)


def _under_way(value: SoloBoard, shown: Round, page: Page) -> View:
    match shown.state:
        case Betting() as state:
            return betting(value, shown, state, page)
        case Dealt() as state:
            return _dealt(value, shown, state, page)
        case Settled() as state:
            return _settled(value, shown, state, page)
        case state:
            assert_never(state)


def _hands(value: SoloBoard, page: Page) -> View:
    rules = value.shown.rules if value.shown else value.chat.rules
    return View(
        text=board_text(page, note_line(value, page), hand_ranking(rules, page), *next_seal(value, page)),
        keys=rows(page, (Key(page.t("Back"), tap(value, Verb.BACK)),), stay_key(value, page)),
    )


# Dealt


def _dealt(value: SoloBoard, shown: Round, state: Dealt, page: Page) -> View:
    head = title(value, page, page.t("{chips} in play", chips=chips(state.wager.stake, page)))
    if page.words:
        lines = [spoken_hand(state.player, page), page.t("The dealer has three cards face down.")]
    else:
        player, name = cards.hand_text(state.player, page), cards.hand_name(state.player, page)
        lines = [
            page.t("You: {cards} · {name}", cards=player, name=name),
            page.t("Dealer: {cards}", cards=cards.hidden_hand(page)),
        ]
    lines += [GAP, wager_line(state.wager, shown.rules, page), seal_of(shown, page)]
    hint = () if value.outing is not None else (Key(page.t("Hint"), tap(value, Verb.HINT, round_id=shown.id)),)
    if page.words:
        lines.append(page.t("Type play, fold or hint.") if hint else page.t("Type play or fold."))
    elif page.private and value.owner.hands < _NEW_HERE and value.outing is None:
        lines.append(page.t("New here? Tap Hint."))
    return View(
        text=board_text(page, head, outings.line(value, page), note_line(value, page), GAP, *lines),
        keys=rows(
            page,
            (
                Key(page.t("Play {chips}", chips=chips(state.wager.ante, page)), tap(value, Verb.PLAY,
                    round_id=shown.id), style=Style.SUCCESS),
                Key(page.t("Fold"), tap(value, Verb.FOLD, round_id=shown.id), style=Style.DANGER),
            ),
            (*hint, Key(page.t("Hands"), tap(value, Verb.HANDS, round_id=shown.id))),
        ),
    )  # fmt: skip


# Settled


def _settled(value: SoloBoard, shown: Round, state: Settled, page: Page) -> View:
    lines = [_result_title(value, state, page), outings.line(value, page), note_line(value, page)]
    lines += [GAP, *hands_lines(state, page), GAP]
    lines += settlement_lines(state, shown.rules, page)
    if page.private and value.owner.coach:
        lines.append(given_away_line(shown, page))
    lines += [_tonight(value, page), *proof_lines(value, shown, page)]
    return View(text=board_text(page, *lines), keys=_settled_keys(value, shown, state, page))


def _result_title(value: SoloBoard, state: Settled, page: Page) -> str:
    net = signed(state.settlement.net, page)
    if page.words:
        have = page.t.n("You have {count} chip.", "You have {count} chips.", value.chips)
        return f"{sentence(spoken_net(state, page), page)} {have}"
    return f"{title(value, page)} ({net})"


def _tonight(value: SoloBoard, page: Page) -> str:
    night = value.night
    if night is None:
        return ""
    net = signed(value.chips - night.buy_in, page)
    hands = page.t.n("Tonight: {count} hand, {net}", "Tonight: {count} hands, {net}", night.hands, net=net)
    return hands if page.words else f"{hands} {sparkline(value.path)}".rstrip()


def _settled_keys(value: SoloBoard, shown: Round, state: Settled, page: Page) -> Keys:
    fixed = value.outing is not None and value.outing.event.fixed
    new_game = () if shown.rules.ante_required or fixed else (Key(page.t("New game"), tap(value, Verb.CLEAR)),)
    return rows(
        page,
        (*place_keys(value, page), *share.hand_key(shown, state, page)),
        (
            *change_key(value, page),
            *new_game,  # P3: clears chips and cards
            *((Key(page.t("Cash out"), tap(value, Verb.CASH_OUT)),) if value.outing is None else ()),
        ),
        (
            *_proof_key(value, shown, page),
            Key(page.t("Hands"), tap(value, Verb.HANDS, round_id=shown.id)),
        ),
        deal_key(value, page, last=state.wager),
    )


def _proof_key(value: SoloBoard, shown: Round, page: Page) -> tuple[Key, ...]:
    """
    Proof: in private a page of the board, in a group a link (in place it would cost two edits).

    None while the secret is one of an event that goes on.
    """
    if shown.deal is not None and not shown.secret:
        return ()
    if page.private:
        return (Key(page.t("Proof"), tap(value, Verb.PROOF, round_id=shown.id)),)
    return (Key(page.t("Proof"), url=deep_link(page, shown.commitment)),)
