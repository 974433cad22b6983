"""The betting board, and the first board of a night (BOARDS 3.1 and 3.2)."""

from __future__ import annotations

from bot.facts import SPOTS, Face, Round, SoloBoard, Verb
from bot.views import cards, outings
from bot.views.kit import GAP, Key, Keys, Page, View, board_text, chips, rows, sentence
from bot.views.places import place_keys
from bot.views.solo_pieces import change_key, deal_key, note_line, seal_of, tap, title, wager_line
from bot.views.words import spot_name, step_label
from core.betting import Wager, chip_up
from core.rules import SELMINHA, RuleSet, Spot
from core.solo import Betting


def betting(value: SoloBoard, shown: Round, state: Betting, page: Page) -> View:
    """Each spot with its limits, and keys for chips and bets; or the first board of a night, bet already there."""
    if value.board.face in {Face.FIRST, Face.WELCOME}:
        return _first(value, shown, state, page)
    rules = shown.rules
    lines = [title(value, page), outings.line(value, page), note_line(value, page), GAP]
    lines += [_spot_line(spot, state.wager, rules, page) for spot in rules.spots]
    if rules.limits.table is not None:
        lines.append(page.t("All bets together: {most} at most.", most=chips(rules.limits.table, page)))
    if state.wager.ante:
        lines.append(page.t("Play would cost {chips} more.", chips=chips(state.wager.ante, page)))
    text = board_text(page, *lines, seal_of(value.following, page))
    return View(text=text, keys=_betting_keys(value, state.wager, rules, page))


def _spot_line(spot: Spot, wager: Wager, rules: RuleSet, page: Page) -> str:
    limits = rules.limits_of(spot)
    facts = {
        "spot": spot_name(spot, page, rules),
        "chips": chips(wager.on(spot), page),
        "least": chips(limits.least, page),
        "most": chips(limits.most, page),
    }
    if spot is Spot.ANTE and rules.ante_required:
        return page.t("{spot} {chips} ({least} to {most})", **facts)
    return page.t("{spot} {chips} (none, or {least} to {most})", **facts)


def _betting_keys(value: SoloBoard, wager: Wager, rules: RuleSet, page: Page) -> Keys:
    chip = value.seat.chip
    tray = tuple(
        Key(_checked(chips(size, page), on=size == chip, page=page), tap(value, Verb.CHIP, size))
        for size in rules.chips
    )
    spots = tuple(_spot_keys(value, spot, wager, rules, page) for spot in rules.spots)
    sizes = (
        Key(page.t("Half"), tap(value, Verb.HALF)),
        Key(page.t("Double"), tap(value, Verb.DOUBLE)),
        Key(page.t("Max"), tap(value, Verb.MAX)),
        Key(page.t("Clear"), tap(value, Verb.CLEAR)),
    )
    repeat = Key(
        _checked(page.t("Repeat"), on=value.seat.repeat, page=page),
        tap(value, Verb.REPEAT, int(not value.seat.repeat)),
    )
    bet = (repeat, *deal_key(value, page))
    return rows(page, place_keys(value, page), tray, *spots, sizes, bet)


def _checked(label: str, *, on: bool, page: Page) -> str:
    if page.words:
        return page.t("{label}, chosen", label=label) if on else label
    return f"✓ {label}" if on else label


def _spot_keys(value: SoloBoard, spot: Spot, wager: Wager, rules: RuleSet, page: Page) -> tuple[Key, ...]:
    """A chip less and a chip more, or the least bet where the chip is smaller."""
    place, chip = SPOTS.index(spot), value.seat.chip
    up = chip_up(wager, spot, chip, rules)
    return (
        Key(step_label(spot, -chip, rules, page), tap(value, Verb.TAKE, place, chip)),
        Key(step_label(spot, up, rules, page), tap(value, Verb.ADD, place, chip)),
    )


def _first(value: SoloBoard, shown: Round, state: Betting, page: Page) -> View:
    welcome = value.board.face is Face.WELCOME
    head = _welcome(value, shown.rules, page) if welcome else title(value, page)
    lines = [head, outings.line(value, page), note_line(value, page)]
    bet = [wager_line(state.wager, shown.rules, page)]
    if state.wager.ante:
        bet.append(page.t("Play would cost {chips} more", chips=chips(state.wager.ante, page)))
    told = " ".join(sentence(part, page) for part in bet) if page.words else page.dot.join(bet)
    lines += [GAP, told, seal_of(value.following, page)]
    design: tuple[Key, ...] = ()
    if value.night is None or not value.night.hands:
        design = (Key(page.t("Cards: {sample}", sample=cards.key_sample(page)), tap(value, Verb.DESIGN)),)
    return View(
        text=board_text(page, *lines),
        keys=rows(
            page,
            (*change_key(value, page), *design),
            (*place_keys(value, page), Key(page.t("Hands"), tap(value, Verb.HANDS))),
            deal_key(value, page),
        ),
    )


def _welcome(value: SoloBoard, rules: RuleSet, page: Page) -> str:
    usual = rules.dealer_must_qualify and rules.ante_bonus == SELMINHA.ante_bonus
    return "\n".join(
        (
            page.t.n(
                "Three Card Poker, for play money only. You have {count} chip.",
                "Three Card Poker, for play money only. You have {count} chips.",
                value.chips,
            ),
            page.t("Three cards for you, three for the dealer, better hand wins.")
            + " "
            + (
                page.t("Queen-6-4 or better is worth playing; Hint tells you.")
                if usual
                else page.t("Hint tells you what a hand is worth.")
            ),
            page.t("Chips cannot be bought or cashed in. /help · /privacy"),
        )
    )
