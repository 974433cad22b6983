"""Solo boards (BOARDS section 3): a value becomes text and keys."""

from __future__ import annotations

from fractions import Fraction
from typing import assert_never

from bot.facts import Design, Face, Night, Round, SoloBoard, Summary, Tap, Verb
from bot.views import cards
from bot.views.kit import (
    GAP,
    Key,
    Keys,
    Page,
    Style,
    View,
    chips,
    deep_link,
    ltr,
    name_html,
    rows,
    signed,
    text_of,
    toast,
)
from bot.views.ranking import hand_ranking
from bot.views.words import explain, spot_name, wager_text
from core.betting import Wager, wager_problem
from core.cards import parse_hand
from core.odds import DEALER_HANDS, Advice
from core.ranking import Category, strength
from core.rules import RuleSet, Spot
from core.settlement import Decision, Result, Settlement
from core.solo import Betting, Dealt, Settled

BARS = "▁▂▃▄▅▆▇█"
_SPOTS = tuple(Spot)
_NEW_HERE = 3  # hands in which a private board points at Hint
_SAMPLE = parse_hand("Qh 6c 4d")  # shown on the key that steps through the designs


def board(value: SoloBoard, page: Page) -> View:
    """The whole picture of a solo board."""
    shown = value.shown
    if value.board.face is Face.HANDS:
        return _hands(value, page)
    if shown is None or value.night is None:
        return View(text=_title(value, page))
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
        return page.t("{name}. {chips}", name=name, chips=amount) + (f", {note}." if note else ".")
    return page.t("{name} · {chips}", name=name, chips=amount) + (f", {note}" if note else "")


def short_seal(commitment: str) -> str:
    """The seal for the eye: sixteen digits in fours; the link behind it carries all 64."""
    return " ".join(commitment[start : start + 4] for start in range(0, 16, 4))


def _seal(round_: Round | None, page: Page) -> str:
    if round_ is None:
        return ""
    lock = page.t("Seal") if page.words else "🔒"
    return f'{lock} <a href="{deep_link(page, round_.commitment)}">{short_seal(round_.commitment)}</a>'


def _note(value: SoloBoard, page: Page) -> str:
    return page.t("Note: {text}", text=explain(value.note, page)) if value.note is not None else ""


def _tap(value: SoloBoard, verb: Verb, *numbers: int, round_id: int | None = None) -> Tap:
    open_id = value.following.id if value.following else value.board.round_id
    return Tap(verb=verb, board=value.board.id, round=open_id if round_id is None else round_id, numbers=numbers)


def _deal_key(value: SoloBoard, page: Page) -> tuple[Key, ...]:
    """Deal with its amount, where it would be accepted; the payload names the wager (BOARDS rule 5)."""
    round_ = value.following
    if round_ is None or not isinstance(round_.state, Betting) or not dealable(round_, value.seat.chips):
        return ()
    wager = round_.state.wager
    label = page.t("Deal {chips}", chips=chips(wager.stake, page))
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
    return (", " if page.words else " · ").join(parts) + ("." if page.words else "")


# Betting


def _betting(value: SoloBoard, shown: Round, state: Betting, page: Page) -> View:
    if value.board.face in {Face.FIRST, Face.WELCOME}:
        return _first(value, shown, state, page)
    rules = shown.rules
    lines = [_title(value, page), _note(value, page), GAP]
    lines += [_spot_line(spot, state.wager, rules, page) for spot in rules.spots]
    if rules.limits.table is not None:
        lines.append(page.t("All bets together: {most} at most.", most=chips(rules.limits.table, page)))
    if state.wager.ante:
        lines.append(page.t("Play would cost {chips} more.", chips=chips(state.wager.ante, page)))
    return View(text=text_of(*lines, _seal(value.following, page)), keys=_betting_keys(value, rules, page))


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


def _betting_keys(value: SoloBoard, rules: RuleSet, page: Page) -> Keys:
    chip = value.seat.chip
    tray = tuple(
        Key(_checked(chips(size, page), on=size == chip, page=page), _tap(value, Verb.CHIP, size))
        for size in rules.chips
    )
    spots = tuple(_spot_keys(value, spot, chip, rules, page) for spot in rules.spots)
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
    return rows(page, tray, *spots, sizes, (repeat, *_deal_key(value, page)))


def _checked(label: str, *, on: bool, page: Page) -> str:
    if page.words:
        return page.t("{label}, chosen", label=label) if on else label
    return f"✓ {label}" if on else label


def _spot_keys(value: SoloBoard, spot: Spot, chip: int, rules: RuleSet, page: Page) -> tuple[Key, ...]:
    name, place = spot_name(spot, page, rules), _SPOTS.index(spot)
    return (
        Key(f"{name} {signed(-chip, page)}", _tap(value, Verb.TAKE, place, chip)),
        Key(f"{name} {signed(chip, page)}", _tap(value, Verb.ADD, place, chip)),
    )


def _first(value: SoloBoard, shown: Round, state: Betting, page: Page) -> View:
    lines = [_welcome(value, page)] if value.board.face is Face.WELCOME else [_title(value, page), _note(value, page)]
    bet = _wager_line(state.wager, shown.rules, page)
    cost = page.t("Play would cost {chips} more", chips=chips(state.wager.ante, page))
    lines += [GAP, f"{bet} {cost}." if page.words else f"{bet} · {cost}", _seal(value.following, page)]
    design = Key(page.t("Cards: {sample}", sample=_design_sample(page)), _tap(value, Verb.DESIGN))
    return View(
        text=text_of(*lines),
        keys=rows(
            page,
            (Key(page.t("Change bet"), _tap(value, Verb.CHANGE_BET)), design),
            (Key(page.t("Hands"), _tap(value, Verb.HANDS)),),
            _deal_key(value, page),
        ),
    )


def _design_sample(page: Page) -> str:
    return page.t("in words") if page.design is Design.WORDS else cards.hand_text(_SAMPLE, page)


def _welcome(value: SoloBoard, page: Page) -> str:
    return text_of(
        page.t.n(
            "Three Card Poker, for play money only. You have {count} chip.",
            "Three Card Poker, for play money only. You have {count} chips.",
            value.chips,
        ),
        page.t(
            "Three cards for you, three for the dealer, better hand wins. "
            "Queen-6-4 or better is worth playing; Hint tells you."
        ),
        page.t("Chips cannot be bought or cashed in. /help · /privacy"),
    )


# Dealt


def _dealt(value: SoloBoard, shown: Round, state: Dealt, page: Page) -> View:
    title = _title(value, page, page.t("{chips} in play", chips=chips(state.wager.stake, page)))
    player, name = cards.hand_text(state.player, page), cards.hand_name(state.player, page)
    if page.words:
        lines = [
            page.t("Your cards: {cards}. {name}. ({ranks})", cards=player, name=_capital(name),
                   ranks=cards.ranks_text(state.player)),
            page.t("The dealer has three cards face down."),
        ]  # fmt: skip
    else:
        lines = [
            page.t("You: {cards} · {name}", cards=player, name=name),
            page.t("Dealer: {cards}", cards=cards.hidden_hand(page)),
        ]
    lines += [GAP, _wager_line(state.wager, shown.rules, page), _seal(shown, page)]
    if page.words:
        lines.append(page.t("Type play, fold or hint."))
    elif page.private and value.owner.hands < _NEW_HERE:
        lines.append(page.t("New here? Tap Hint."))
    return View(
        text=text_of(title, _note(value, page), GAP, *lines),
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


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def hint_alert(dealt: Dealt, advice: Advice, page: Page) -> str:
    """Hint: what to do, and what play and fold are worth in chips (an alert; 200 characters)."""
    play = page.t("PLAY") if advice.advice is Decision.PLAY else page.t("FOLD")
    ante = dealt.wager.ante
    worth = page.t(
        "{advice}. On average: play {play}, fold {fold} chips.",
        advice=play,
        play=page.t.decimal(advice.play * ante),
        fold=page.t.decimal(advice.fold * ante),
    )
    shares = {
        key: page.t.decimal(Fraction(100 * count, DEALER_HANDS), 1)
        for key, count in (
            ("unqualified", advice.outcomes.not_qualified),
            ("win", advice.outcomes.win),
            ("tie", advice.outcomes.tie),
            ("lose", advice.outcomes.lose),
        )
    }
    odds = page.t("Dealer does not qualify {unqualified} %, you win {win} %, tie {tie} %, lose {lose} %.", **shares)
    return toast(worth, odds, _side_bets(dealt, page))


def _side_bets(dealt: Dealt, page: Page) -> str:
    pair_plus = dealt.wager.pair_plus
    if not pair_plus:
        return ""
    if _no_pair(dealt):
        return page.t("Pair Plus {chips} is lost either way.", chips=chips(pair_plus, page))
    return page.t("Pair Plus {chips} wins if you play.", chips=chips(pair_plus, page))


def _no_pair(dealt: Dealt) -> bool:
    return strength(dealt.player).category is Category.HIGH_CARD


# Settled


def _settled(value: SoloBoard, shown: Round, state: Settled, page: Page) -> View:
    lines = [_result_title(value, state, page), _note(value, page), GAP]
    lines += [*_hands_lines(state, page), GAP]
    lines += list(settlement_lines(state, shown.rules, page))
    if page.private and value.owner.coach:
        lines.append(given_away_line(shown, page))
    lines += [_tonight(value, page), _proof_line(value, shown, page)]
    return View(text=text_of(*lines), keys=_settled_keys(value, page))


def _result_title(value: SoloBoard, state: Settled, page: Page) -> str:
    net = signed(state.settlement.net, page)
    if page.words:
        have = page.t.n("You have {count} chip.", "You have {count} chips.", value.chips)
        return f"{_capital(net)}. {have}"
    return f"{_title(value, page)} ({net})"


def _hands_lines(state: Settled, page: Page) -> tuple[str, str]:
    folded = state.decision is Decision.FOLD
    mine = cards.hand_text(state.player, page)
    name = page.t("folded") if folded else cards.hand_name(state.player, page)
    theirs = cards.hand_text(state.dealer, page)
    verdict = cards.hand_name(state.dealer, page) + _verdict(state.settlement, page)
    end = "." if page.words else ""
    return (
        page.t("You: {cards} · {name}", cards=mine, name=name) + end,
        (page.t("Dealer had: {cards} · {name}", cards=theirs, name=verdict) if folded else
         page.t("Dealer: {cards} · {name}", cards=theirs, name=verdict)) + end,
    )  # fmt: skip


def _verdict(settlement: Settlement, page: Page) -> str:
    match settlement.result:
        case Result.NOT_QUALIFIED:
            return ", " + page.t("does not qualify")
        case Result.WIN:
            return ", " + page.t("you win")
        case Result.LOSE:
            return ", " + page.t("wins")
        case Result.TIE:
            return ", " + page.t("a tie")
        case _:
            return ""


def settlement_lines(state: Settled, rules: RuleSet, page: Page) -> tuple[str, ...]:
    """One line for each bet: what it was, what it won or lost, and why."""
    wager, settlement = state.wager, state.settlement
    lines, odds = settlement.lines, settlement.odds
    hand = page.t(cards.CATEGORIES[settlement.player.category])
    shown: list[str] = []
    if wager.ante:
        shown.append(_line(spot_name(Spot.ANTE, page), wager.ante, lines.ante, page))
    if wager.ante and state.decision is Decision.PLAY:
        shown.append(_line(page.t("Play"), wager.ante, lines.play, page))
    if odds.ante_bonus is not None:
        net = signed(lines.ante_bonus, page)
        shown.append(page.t("Ante bonus, {hand} {odds} to 1: {net}", hand=hand, odds=odds.ante_bonus, net=net))
    if wager.pair_plus:
        folded = state.decision is Decision.FOLD
        why = page.t("lost with the fold") if folded else page.t("no pair") if odds.pair_plus is None else ""
        bet = _bet(spot_name(Spot.PAIR_PLUS, page, rules), wager.pair_plus, page)
        shown.append(_side_line(bet, lines.pair_plus, hand, odds.pair_plus, page, why=why))
    if wager.six_card and settlement.six_card is not None:
        best = page.t(cards.SIX_CARD_CATEGORIES[settlement.six_card])
        bet = _bet(spot_name(Spot.SIX_CARD, page), wager.six_card, page)
        shown.append(_side_line(bet, lines.six_card, best, odds.six_card, page, why=best))
    return tuple(f"{line}." if page.words else line for line in shown)


def _bet(spot: str, stake: int, page: Page) -> str:
    return page.t("{spot} {chips}", spot=spot, chips=chips(stake, page))


def _line(spot: str, stake: int, net: int, page: Page) -> str:
    bet = _bet(spot, stake, page)
    return page.t("{bet}: {net}", bet=bet, net=signed(net, page)) if net else page.t("{bet}: comes back", bet=bet)


def _side_line(bet: str, net: int, hand: str, odds: int | None, page: Page, *, why: str) -> str:
    won = signed(net, page)
    if odds is None:
        return page.t("{bet}: {net}, {why}", bet=bet, net=won, why=why)
    return page.t("{bet}, {hand} {odds} to 1: {net}", bet=bet, hand=hand, odds=odds, net=won)


def given_away_line(round_: Round, page: Page) -> str:
    """What a choice gave away; nothing after the best one."""
    state = round_.state
    if not round_.given_away or not isinstance(state, Settled):
        return ""
    lost = page.t.decimal(Fraction(round_.given_away, DEALER_HANDS))
    ranks = cards.ranks_text(state.player)
    if state.decision is Decision.FOLD:
        return page.t("Folding gave away {chips} chips ({hand} is a hand to play).", chips=lost, hand=ranks)
    return page.t("Playing gave away {chips} chips ({hand} is a hand to fold).", chips=lost, hand=ranks)


def _tonight(value: SoloBoard, page: Page) -> str:
    night = value.night
    if night is None:
        return ""
    net = signed(value.chips - night.buy_in, page)
    hands = page.t.n("Tonight: {count} hand, {net}", "Tonight: {count} hands, {net}", night.hands, net=net)
    return f"{hands}." if page.words else f"{hands} {sparkline(value.path)}".rstrip()


def sparkline(path: tuple[int, ...]) -> str:
    """A path of chips as bars; nothing for fewer than two hands."""
    if len(path) < 3:
        return ""
    low, high = min(path), max(path)
    return "".join(BARS[(chip - low) * (len(BARS) - 1) // max(high - low, 1)] for chip in path)


def _proof_line(value: SoloBoard, shown: Round, page: Page) -> str:
    hand = page.t("hand {number}", number=shown.id)
    if page.words:
        return _capital(hand) + (
            ". " + page.t("Next") + ": " + _seal(value.following, page) if value.following else "."
        )
    following = f" · {page.t('next')} {_seal(value.following, page)}" if value.following else ""
    return f"🔓 {hand}{following}"


def _settled_keys(value: SoloBoard, page: Page) -> Keys:
    shown = value.board.round_id
    return rows(
        page,
        (
            Key(page.t("Change bet"), _tap(value, Verb.CHANGE_BET)),
            Key(page.t("Cash out"), _tap(value, Verb.CASH_OUT)),
        ),
        (Key(page.t("Hands"), _tap(value, Verb.HANDS, round_id=shown)),),
        _deal_key(value, page),
    )


def _hands(value: SoloBoard, page: Page) -> View:
    rules = value.shown.rules if value.shown else value.chat.rules
    return View(text=hand_ranking(rules, page), keys=rows(page, (Key(page.t("Back"), _tap(value, Verb.BACK)),)))


# Leaving


def _leaving(value: SoloBoard, page: Page) -> View:
    yes = page.t("Yes, leave with {chips}", chips=chips(value.chips, page))
    text = text_of(_title(value, page), GAP, page.t("Cash out? The chips you have become your score."))
    keys = (
        Key(yes, _tap(value, Verb.LEAVE), style=Style.DANGER),
        Key(page.t("Keep playing"), _tap(value, Verb.KEEP)),
    )
    return View(text=text, keys=rows(page, keys))


def _night_over(value: SoloBoard, shown: Round, night: Night, summary: Summary, page: Page) -> View:
    keys = rows(
        page,
        (Key(page.t("Top five"), _tap(value, Verb.TOP, 0)),),
        (Key(page.t("Deal: a new night"), _tap(value, Verb.NEW_NIGHT), style=Style.PRIMARY),),
    )
    name = name_html(value.owner.name, page)
    left = night.chips or 0
    if isinstance(shown.state, Settled):
        ended = page.t.n("{count} chip: the night is over.", "{count} chips: the night is over.", left)
        hand = (*_hands_lines(shown.state, page), GAP, *settlement_lines(shown.state, shown.rules, page))
        head = (f"{name} · {ended} ({signed(shown.state.settlement.net, page)})", GAP, *hand, GAP)
    else:
        amount = page.t.n("{count} chip", "{count} chips", left)
        head = (page.t("{name} leaves with {chips}", name=name, chips=amount) + ("." if page.words else " 🏁"),)
    return View(text=text_of(*head, *_summary_lines(summary, page)), keys=keys)


def _summary_lines(summary: Summary, page: Page) -> tuple[str, ...]:
    hands = page.t.n("{count} hand", "{count} hands", summary.hands)
    if summary.rank is not None:
        hands += " · " + page.t("place {rank} of all time here", rank=summary.rank)
    if not summary.hands:
        return (page.t("No hand was played: this night is not ranked."),)
    skill = -summary.given_away
    told = page.t(
        "The cards gave {luck}, your choices {skill}.",
        luck=_signed_decimal(summary.luck, page),
        skill=_signed_decimal(skill, page),
    )
    best = page.t("Best hand: {cards}", cards=cards.hand_text(summary.best, page)) if summary.best else ""
    bars = "" if page.words else sparkline(_thinned(summary.path))
    return (hands, told, best, bars)


def _signed_decimal(value: Fraction, page: Page) -> str:
    text = page.t.decimal(value, 0 if value == int(value) else 2)
    return ltr(f"+{text}" if value > 0 else text, page)


def _thinned(path: tuple[int, ...], most: int = 16) -> tuple[int, ...]:
    """At most *most* points of a path, the first and the last among them."""
    if len(path) <= most:
        return path
    return tuple(path[place * (len(path) - 1) // (most - 1)] for place in range(most))


# Toasts: the fast picture


def tapped(value: SoloBoard, verb: Verb, page: Page) -> str:
    """What the toast says after a tap: the new state in under 200 characters (BOARDS rule 4)."""
    shown = value.shown
    match verb, shown.state if shown else None:
        case Verb.ADD | Verb.TAKE | Verb.HALF | Verb.DOUBLE | Verb.MAX | Verb.CLEAR | Verb.REPEAT, Betting() as betting:
            return _bet_toast(value.seat.chips, betting.wager, page)
        case Verb.CHIP, _:
            return page.t("Chips of {chips}.", chips=chips(value.seat.chip, page))
        case Verb.DEAL, Dealt() as dealt:
            hand, name = cards.hand_text(dealt.player, page), cards.hand_name(dealt.player, page)
            cost = chips(dealt.wager.ante, page)
            return toast(page.t("{cards} · {name}. Play {chips} or fold?", cards=hand, name=name, chips=cost))
        case Verb.DEAL | Verb.PLAY | Verb.FOLD, Settled() as settled if shown is not None:
            return _result_toast(value, shown, settled, page)
        case Verb.LEAVE, _ if value.night is not None:
            amount = page.t.n("{count} chip", "{count} chips", value.night.chips or 0)
            return page.t("You leave with {chips}.", chips=amount)
        case _:
            return ""


def _bet_toast(stack: int, wager: Wager, page: Page) -> str:
    if not wager.stake:
        return page.t("No bet on the table.")
    bet, left = wager_text(wager, page), chips(stack - wager.stake, page)
    if not wager.cover:
        return page.t("{bet}. {left} left.", bet=bet, left=left)
    cover = chips(wager.cover, page)
    return page.t("{bet}. {left} left, {cover} of them for Play.", bet=bet, left=left, cover=cover)


def _result_toast(value: SoloBoard, shown: Round, state: Settled, page: Page) -> str:
    have = value.night.chips if value.night and value.night.closed else value.chips
    net = page.t("{net}, you have {chips}.", net=signed(state.settlement.net, page), chips=chips(have or 0, page))
    coach = given_away_line(shown, page) if value.owner.coach else ""
    return toast(_dealer_toast(state, page), net, coach)


def _dealer_toast(state: Settled, page: Page) -> str:
    dealer, name = cards.hand_text(state.dealer, page), cards.hand_name(state.dealer, page)
    match state.settlement.result:
        case Result.NOT_QUALIFIED:
            return page.t("Dealer {cards} does not qualify.", cards=dealer)
        case Result.WIN:
            return page.t("Dealer {cards}, {name}: you win.", cards=dealer, name=name)
        case Result.LOSE:
            return page.t("Dealer {cards}, {name}: the dealer wins.", cards=dealer, name=name)
        case Result.TIE:
            return page.t("Dealer {cards}, {name}: a tie.", cards=dealer, name=name)
        case Result.FOLD:
            return page.t("Folded.")
        case _:
            return page.t("You: {cards} · {name}", cards=cards.hand_text(state.player, page),
                          name=cards.hand_name(state.player, page)) + "."  # fmt: skip
