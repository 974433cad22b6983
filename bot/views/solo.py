"""Solo boards (BOARDS section 3): a value becomes text and keys."""

from __future__ import annotations

import html
from dataclasses import replace
from typing import assert_never

from bot.facts import SPOTS, Ending, Face, Night, Round, SoloBoard, Summary, Tap, Verb
from bot.views import cards, outings, share
from bot.views.coach import given_away_line
from bot.views.figures import luck_line, sparkline, thinned
from bot.views.kit import (
    GAP,
    Key,
    Keys,
    Page,
    Style,
    View,
    board_text,
    capital,
    chips,
    deep_link,
    labelled,
    listed,
    name_html,
    rows,
    seal,
    sentence,
    signed,
    title_html,
)
from bot.views.places import door, end_keys, place_keys
from bot.views.ranking import hand_ranking
from bot.views.settled import hands_lines, settlement_lines, spoken_hand
from bot.views.transcripts import proof, proof_keys
from bot.views.words import explain, spot_name, step_label
from core.betting import Wager, chip_up, wager_problem
from core.rules import SELMINHA, RuleSet, Spot
from core.solo import Betting, Dealt, Settled

_NEW_HERE = 3  # hands in which a private board points at Hint


def board(value: SoloBoard, page: Page) -> View:
    """The whole picture of a solo board."""
    shown = value.shown
    if value.board.face in {Face.HANDS, Face.WELCOME_HANDS}:
        return _hands(value, page)
    if shown is None or value.night is None:
        return View(text=_title(value, page))
    if value.board.face is Face.PROOF and isinstance(shown.state, Settled) and shown.secret:
        return View(
            text=board_text(page, _note(value, page), proof(shown, page), *_next_seal(value, page)),
            keys=(*proof_keys(shown, page, board=value.board.id, back=True), *rows(page, _stay_key(value, page))),
        )
    if value.board.face is Face.DOOR:
        return door(value, page)
    if value.summary is not None:
        return _night_over(value, shown, value.night, value.summary, page)
    return _leaving(value, page) if value.board.face is Face.LEAVING else _under_way(value, shown, page)


def _under_way(value: SoloBoard, shown: Round, page: Page) -> View:
    match shown.state:
        case Betting() as state:
            return _betting(value, shown, state, page)
        case Dealt() as state:
            return _dealt(value, shown, state, page)
        case Settled() as state:
            return _settled(value, shown, state, page)
        case state:
            assert_never(state)


# Pieces


def _title(value: SoloBoard, page: Page, note: str = "") -> str:
    amount = page.t.n("{count} chip", "{count} chips", value.chips)
    name = name_html(value.owner.name, page)
    if page.words:
        return sentence(listed(filter(None, (page.t("{name}. {chips}", name=name, chips=amount), note)), page), page)
    return listed(filter(None, (page.t("{name} · {chips}", name=name, chips=amount), note)), page)


def _seal(round_: Round | None, page: Page) -> str:
    return seal(round_.commitment, page) if round_ is not None else ""


def _note(value: SoloBoard, page: Page) -> str:
    if value.note is None:
        return ""
    page = replace(page, rules=value.shown.rules if value.shown is not None else value.chat.rules)
    return page.t("Note: {text}", text=html.escape(explain(value.note, page), quote=False))


def _tap(value: SoloBoard, verb: Verb, *numbers: int, round_id: int | None = None) -> Tap:
    open_id = value.following.id if value.following else value.board.round_id
    return Tap(verb=verb, board=value.board.id, round=open_id if round_id is None else round_id, numbers=numbers)


def _deal_key(value: SoloBoard, page: Page, *, last: Wager | None = None) -> tuple[Key, ...]:
    """
    Deal with its amount, where it would be accepted; the payload names the wager (BOARDS rule 5).

    After a hand whose bets were *last*, a table that asks for no Ante calls the same once more Rebet (P3).
    """
    round_ = value.following
    if round_ is None or not isinstance(round_.state, Betting) or not dealable(round_, value.seat.chips):
        return ()
    wager = round_.state.wager
    label = page.t("Deal {chips}", chips=chips(wager.stake, page))
    if wager == last and not round_.rules.ante_required:
        label = page.t("Rebet") + page.dot + label
    tap = _tap(value, Verb.DEAL, wager.ante, wager.pair_plus, wager.six_card)
    return (Key(label, tap, style=Style.PRIMARY),)


def dealable(round_: Round, stack: int) -> bool:
    """Whether Deal would be accepted: the same check that refuses it."""
    state = round_.state
    return isinstance(state, Betting) and wager_problem(state.wager, rules=round_.rules, stack=stack) is None


def _wager_line(wager: Wager, rules: RuleSet, page: Page) -> str:
    parts = [
        page.t("{spot} {chips}", spot=spot_name(spot, page, rules), chips=chips(wager.on(spot), page))
        for spot in rules.spots
        if wager.on(spot) or spot is not Spot.SIX_CARD
    ]
    return page.dot.join(parts)


# Betting


def _betting(value: SoloBoard, shown: Round, state: Betting, page: Page) -> View:
    if value.board.face in {Face.FIRST, Face.WELCOME}:
        return _first(value, shown, state, page)
    rules = shown.rules
    lines = [_title(value, page), outings.line(value, page), _note(value, page), GAP]
    lines += [_spot_line(spot, state.wager, rules, page) for spot in rules.spots]
    if rules.limits.table is not None:
        lines.append(page.t("All bets together: {most} at most.", most=chips(rules.limits.table, page)))
    if state.wager.ante:
        lines.append(page.t("Play would cost {chips} more.", chips=chips(state.wager.ante, page)))
    return View(
        text=board_text(page, *lines, _seal(value.following, page)), keys=_betting_keys(value, state.wager, rules, page)
    )


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
        Key(_checked(chips(size, page), on=size == chip, page=page), _tap(value, Verb.CHIP, size))
        for size in rules.chips
    )
    spots = tuple(_spot_keys(value, spot, wager, rules, page) for spot in rules.spots)
    sizes = (
        Key(page.t("Half"), _tap(value, Verb.HALF)),
        Key(page.t("Double"), _tap(value, Verb.DOUBLE)),
        Key(page.t("Max"), _tap(value, Verb.MAX)),
        Key(page.t("Clear"), _tap(value, Verb.CLEAR)),
    )
    repeat = Key(
        _checked(page.t("Repeat"), on=value.seat.repeat, page=page),
        _tap(value, Verb.REPEAT, int(not value.seat.repeat)),
    )
    bet = (repeat, *_deal_key(value, page))
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
        Key(step_label(spot, -chip, rules, page), _tap(value, Verb.TAKE, place, chip)),
        Key(step_label(spot, up, rules, page), _tap(value, Verb.ADD, place, chip)),
    )


def _first(value: SoloBoard, shown: Round, state: Betting, page: Page) -> View:
    welcome = value.board.face is Face.WELCOME
    title = _welcome(value, shown.rules, page) if welcome else _title(value, page)
    lines = [title, outings.line(value, page), _note(value, page)]
    bet = [_wager_line(state.wager, shown.rules, page)]
    if state.wager.ante:
        bet.append(page.t("Play would cost {chips} more", chips=chips(state.wager.ante, page)))
    told = " ".join(sentence(part, page) for part in bet) if page.words else page.dot.join(bet)
    lines += [GAP, told, _seal(value.following, page)]
    design: tuple[Key, ...] = ()
    if value.night is None or not value.night.hands:
        design = (Key(page.t("Cards: {sample}", sample=cards.key_sample(page)), _tap(value, Verb.DESIGN)),)
    return View(
        text=board_text(page, *lines),
        keys=rows(
            page,
            (*_change_key(value, page), *design),
            (*place_keys(value, page), Key(page.t("Hands"), _tap(value, Verb.HANDS))),
            _deal_key(value, page),
        ),
    )


def _change_key(value: SoloBoard, page: Page) -> tuple[Key, ...]:
    """Where everybody has the same bets there is nothing to change."""
    if value.outing is not None and value.outing.event.fixed:
        return ()
    return (Key(page.t("Change bet"), _tap(value, Verb.CHANGE_BET)),)


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


# Dealt


def _dealt(value: SoloBoard, shown: Round, state: Dealt, page: Page) -> View:
    title = _title(value, page, page.t("{chips} in play", chips=chips(state.wager.stake, page)))
    if page.words:
        lines = [spoken_hand(state.player, page), page.t("The dealer has three cards face down.")]
    else:
        player, name = cards.hand_text(state.player, page), cards.hand_name(state.player, page)
        lines = [
            page.t("You: {cards} · {name}", cards=player, name=name),
            page.t("Dealer: {cards}", cards=cards.hidden_hand(page)),
        ]
    lines += [GAP, _wager_line(state.wager, shown.rules, page), _seal(shown, page)]
    if page.words:
        lines.append(page.t("Type play, fold or hint."))
    elif page.private and value.owner.hands < _NEW_HERE and value.outing is None:
        lines.append(page.t("New here? Tap Hint."))
    return View(
        text=board_text(page, title, outings.line(value, page), _note(value, page), GAP, *lines),
        keys=rows(
            page,
            (
                Key(page.t("Play {chips}", chips=chips(state.wager.ante, page)), _tap(value, Verb.PLAY,
                    round_id=shown.id), style=Style.SUCCESS),
                Key(page.t("Fold"), _tap(value, Verb.FOLD, round_id=shown.id), style=Style.DANGER),
            ),
            (
                Key(page.t("Hint"), _tap(value, Verb.HINT, round_id=shown.id)),
                Key(page.t("Hands"), _tap(value, Verb.HANDS, round_id=shown.id)),
            ),
        ),
    )  # fmt: skip


# Settled


def _settled(value: SoloBoard, shown: Round, state: Settled, page: Page) -> View:
    lines = [_result_title(value, state, page), outings.line(value, page), _note(value, page)]
    lines += [GAP, *hands_lines(state, page), GAP]
    lines += settlement_lines(state, shown.rules, page)
    if page.private and value.owner.coach:
        lines.append(given_away_line(shown, page))
    lines += [_tonight(value, page), *_proof_lines(value, shown, page)]
    return View(text=board_text(page, *lines), keys=_settled_keys(value, shown, state, page))


def _result_title(value: SoloBoard, state: Settled, page: Page) -> str:
    net = signed(state.settlement.net, page)
    if page.words:
        have = page.t.n("You have {count} chip.", "You have {count} chips.", value.chips)
        return f"{sentence(_spoken_net(state, page), page)} {have}"
    return f"{_title(value, page)} ({net})"


def _spoken_net(state: Settled, page: Page) -> str:
    net = state.settlement.net
    return capital(signed(net, page), page) if net else page.t("Nothing won, nothing lost")


def _tonight(value: SoloBoard, page: Page) -> str:
    night = value.night
    if night is None:
        return ""
    net = signed(value.chips - night.buy_in, page)
    hands = page.t.n("Tonight: {count} hand, {net}", "Tonight: {count} hands, {net}", night.hands, net=net)
    return hands if page.words else f"{hands} {sparkline(value.path)}".rstrip()


def _proof_lines(value: SoloBoard, shown: Round, page: Page) -> tuple[str, ...]:
    """The hand's number, and the seal of the next deal (BOARDS rule 9)."""
    if shown.deal is not None:
        return outings.proof_lines(value, page)
    hand = page.t("hand {number}", number=shown.id)
    if page.words:
        following = labelled(page.t("Next"), _seal(value.following, page), page) if value.following else ""
        return capital(hand, page), following
    following = f" · {page.t('next')} {_seal(value.following, page)}" if value.following else ""
    return (f"🔓 {hand}{following}",)


def _settled_keys(value: SoloBoard, shown: Round, state: Settled, page: Page) -> Keys:
    fixed = value.outing is not None and value.outing.event.fixed
    new_game = () if shown.rules.ante_required or fixed else (Key(page.t("New game"), _tap(value, Verb.CLEAR)),)
    return rows(
        page,
        (*place_keys(value, page), *share.hand_key(shown, state, page)),
        (
            *_change_key(value, page),
            *new_game,  # P3: clears chips and cards
            *((Key(page.t("Cash out"), _tap(value, Verb.CASH_OUT)),) if value.outing is None else ()),
        ),
        (
            *_proof_key(value, shown, page),
            Key(page.t("Hands"), _tap(value, Verb.HANDS, round_id=shown.id)),
        ),
        _deal_key(value, page, last=state.wager),
    )


def _proof_key(value: SoloBoard, shown: Round, page: Page) -> tuple[Key, ...]:
    """
    Proof: in private a page of the board, in a group a link (in place it would cost two edits).

    None while the secret is one of an event that goes on.
    """
    if shown.deal is not None and not shown.secret:
        return ()
    if page.private:
        return (Key(page.t("Proof"), _tap(value, Verb.PROOF, round_id=shown.id)),)
    return (Key(page.t("Proof"), url=deep_link(page, shown.commitment)),)


def _stay_key(value: SoloBoard, page: Page) -> tuple[Key, ...]:
    """Deal keeps its place under a page: a second tap on Back or Keep playing must not land on it (BOARDS rule 3)."""
    state = value.shown.state if value.shown is not None else None
    return _deal_key(value, page, last=state.wager if isinstance(state, Settled) else None)


def _next_seal(value: SoloBoard, page: Page) -> tuple[str, ...]:
    """Where Deal stands, its seal stands (BOARDS rule 9)."""
    if value.shown is None or not _stay_key(value, page):
        return ()
    settled = isinstance(value.shown.state, Settled)
    return _proof_lines(value, value.shown, page) if settled else (_seal(value.following, page),)


def _hands(value: SoloBoard, page: Page) -> View:
    rules = value.shown.rules if value.shown else value.chat.rules
    return View(
        text=board_text(page, _note(value, page), hand_ranking(rules, page), *_next_seal(value, page)),
        keys=rows(page, (Key(page.t("Back"), _tap(value, Verb.BACK)),), _stay_key(value, page)),
    )


# Leaving


def _leaving(value: SoloBoard, page: Page) -> View:
    yes = page.t("Yes, leave with {chips}", chips=chips(value.chips, page))
    text = board_text(
        page,
        _title(value, page),
        _note(value, page),
        GAP,
        page.t("Cash out? The chips you have become your score."),
        *_next_seal(value, page),
    )
    keys = (
        Key(yes, _tap(value, Verb.LEAVE), style=Style.DANGER),
        Key(page.t("Keep playing"), _tap(value, Verb.KEEP)),
    )
    return View(text=text, keys=rows(page, keys, _stay_key(value, page)))


def _night_over(value: SoloBoard, shown: Round, night: Night, summary: Summary, page: Page) -> View:
    picture = (Key(page.t("Picture"), _tap(value, Verb.PICTURE, round_id=shown.id)),) if summary.hands else ()
    keys = rows(
        page,
        # above all that was tapped last, and above the place of Deal on the board that comes (BOARDS rule 3)
        (Key(page.t("Deal: a new night"), _tap(value, Verb.NEW_NIGHT), style=Style.PRIMARY),),
        (Key(page.t("Top five"), _tap(value, Verb.TOP, 0)), *picture),
        (*share.night_key(value, night, summary, page), *end_keys(value, page)),
    )
    keys = keys if value.outing is None else outings.end_keys(value, shown, page)
    head = (
        _broke(value, shown, shown.state, night, page)
        if isinstance(shown.state, Settled)
        else (_farewell(value, night, page),)
    )
    lines = (head[0], outings.line(value, page), _note(value, page), *head[1:])
    if value.outing is None:
        return View(text=board_text(page, *lines, *_summary_lines(summary, value.chat.title, page)), keys=keys)
    return View(text=board_text(page, *lines, GAP, *outings.over_lines(value, night, page)), keys=keys)


def farewell(value: SoloBoard, page: Page) -> View:
    """How a night ended, without keys: for the group that is told of a private one."""
    if value.night is None or value.summary is None:
        return View(text=_title(value, page))
    return View(
        text=board_text(
            page, _farewell(value, value.night, page), *_summary_lines(value.summary, value.chat.title, page)
        )
    )


def _farewell(value: SoloBoard, night: Night, page: Page) -> str:
    amount = page.t.n("{count} chip", "{count} chips", night.chips or 0)
    left = page.t("{name} leaves with {chips}", name=name_html(value.owner.name, page), chips=amount)
    return left if page.words else f"{left} 🏁"


def _broke(value: SoloBoard, shown: Round, state: Settled, night: Night, page: Page) -> tuple[str, ...]:
    """The last hand's board stands; why the night is over comes below it (BOARDS section 8)."""
    left = night.chips or 0
    title = page.t.n("{count} chip", "{count} chips", left)
    if page.words:
        title = f"{sentence(_spoken_net(state, page), page)} " + page.t.n(
            "You have {count} chip.", "You have {count} chips.", left
        )
    else:
        title = page.t("{name} · {chips}", name=name_html(value.owner.name, page), chips=title)
        title += f" ({signed(state.settlement.net, page)})"
    over = page.t.n("{count} chip: the night is over.", "{count} chips: the night is over.", left)
    least = page.t("The smallest hand needs {chips}.", chips=chips(shown.rules.smallest_hand, page))
    coach = given_away_line(shown, page) if page.private and value.owner.coach else ""
    lines = settlement_lines(state, shown.rules, page)
    why = f"{over} {least}" if night.ending is Ending.BROKE else ""
    return (title, GAP, *hands_lines(state, page), GAP, *lines, coach, GAP, why)


def _summary_lines(summary: Summary, group: str, page: Page) -> tuple[str, ...]:
    if not summary.hands:
        return (page.t("No hand was played: this night is not ranked."),)
    hands = [page.t.n("{count} hand", "{count} hands", summary.hands)]
    if summary.rank is not None:
        hands.append(page.t("place {rank} this week in {group}", rank=summary.rank, group=title_html(group)))
    best = page.t("Best hand: {cards}", cards=cards.hand_text(summary.best, page)) if summary.best else ""
    bars = "" if page.words else sparkline(thinned(summary.path))
    return page.dot.join(hands), luck_line(summary.net, summary.given_away, page), best, bars
