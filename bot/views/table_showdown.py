"""A hand at the group table that is over: every hand, every net, what the bank could not do, and who banks next."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from bot.facts import Verb
from bot.tables import TableBoard
from bot.views import cards
from bot.views.kit import (
    GAP,
    Key,
    Keys,
    Page,
    Style,
    capital,
    chips,
    deep_link,
    labelled,
    listed,
    rows,
    sentence,
    signed,
)
from bot.views.table_pieces import bank_line, name_of, seal_of, tap, title, until_of
from bot.views.words import spot_name
from core.banking import SettledSeat
from core.rules import RuleSet, Spot
from core.settlement import Decision, Lines
from core.table import HANDS_PER_BANK, House, Player, Showdown, bank_order, house_is_next


def showdown_lines(value: TableBoard, stage: Showdown, page: Page) -> tuple[str, ...]:
    """The dealer, every hand with its net, the bank and who banks next; spot by spot in a quote (BOARDS section 4)."""
    rules = value.shown.rules if value.shown is not None else value.table.rules
    pairs = [*zip(stage.players, stage.settled.seats, strict=True)]
    return (
        title(value, page, over=True),
        bank_line(_dealer(value, stage, page), page),
        GAP,
        *(_result(value, player, settled, page) for player, settled in pairs),
        bank_line(_bank_result(value, stage, page), page),
        *(
            page.t("{name} was away twice: the seat is free.", name=name_of(value, seat, page))
            for seat in stage.gave_up
        ),
        _quoted(_spots(value, player, settled.lines, rules, page) for player, settled in pairs),
    )


def _dealer(value: TableBoard, stage: Showdown, page: Page) -> str:
    name = page.t("The house") if stage.bank.user is None else name_of(value, stage.bank.user, page)
    hand, called = cards.hand_text(stage.dealer, page), cards.hand_name(stage.dealer, page)
    qualifies = stage.settled.seats[0].against_full.dealer_qualifies
    why = page.t("qualifies") if qualifies else page.t("does not qualify")
    if page.words:
        return page.t("{name}: {hand}, {why}. {cards}", name=name, cards=hand, hand=called, why=why)
    return page.t("{name}: {cards} · {hand}, {why}", name=name, cards=hand, hand=called, why=why)


def _result(value: TableBoard, player: Player, settled: SettledSeat, page: Page) -> str:
    name, hand = name_of(value, player.user, page), cards.hand_text(player.hand, page)
    folded = player.decision is Decision.FOLD
    called = page.t("folded") if folded else cards.hand_name(player.hand, page)
    if player.auto:
        called = page.t("{hand}, auto", hand=called)
    net = signed(settled.net, page) + _short(settled, page)
    if page.words:
        return page.t("{name}: {net}. {hand}. {cards}", name=name, net=net, hand=capital(called, page), cards=hand)
    return page.t("{name} {cards} {hand} · {net}", name=name, cards=hand, hand=called, net=net)


def _short(settled: SettledSeat, page: Page) -> str:
    """What the bank could not pay, or could not take."""
    if not settled.short:
        return ""
    full = settled.against_full.net
    if settled.short > 0:
        return " " + page.t("(of {full}: the bank is empty)", full=chips(full, page))
    return " " + page.t("(of {full}: the bank takes no more)", full=signed(full, page))


def _bank_result(value: TableBoard, stage: Showdown, page: Page) -> str:
    """What the bank won or lost, and whose turn it is now."""
    net = signed(stage.settled.banker_net, page)
    if stage.bank.user is None:
        banked = page.t("The house {net}", net=net)
    else:
        banked = page.t("{name} {net}", name=name_of(value, stage.bank.user, page), net=net)
    following = _next_bank(value, page) if isinstance(value.table.stage, Showdown) else ""
    return sentence(f"{banked}{following}", page) if following else banked


def _next_bank(value: TableBoard, page: Page) -> str:
    table = value.table
    if table.house is House.ALWAYS:
        return ""
    if house_is_next(table):
        return page.t(", and banks once more")
    order = bank_order(table, value.stacks)
    again = bool(order) and order[0] == table.rotation.banker and table.rotation.hands < HANDS_PER_BANK
    others = [seat for seat in order if seat != table.rotation.banker]
    then = name_of(value, others[0], page) if others else ""
    if again and then:
        return page.t(", and may bank once more; then {name} is asked", name=then)
    if again:
        return page.t(", and may bank once more")
    return page.t("; now {name} is asked", name=then) if then else page.t("; nobody else can bank")


def _quoted(lines: Iterable[str]) -> str:
    shown = "\n".join(line for line in lines if line)
    return f"<blockquote expandable>{shown}</blockquote>" if shown else ""


def _spots(value: TableBoard, player: Player, lines: Lines, rules: RuleSet, page: Page) -> str:
    """One person's bets, spot by spot, after coverage."""
    nets: Mapping[str, int] = {
        spot_name(Spot.ANTE, page): lines.ante,
        page.t.p("bet", "Play"): lines.play,
        page.t("Ante bonus"): lines.ante_bonus,
        spot_name(Spot.PAIR_PLUS, page, rules): lines.pair_plus,
        spot_name(Spot.SIX_CARD, page): lines.six_card,
    }
    told = listed((_won(spot, net, page) for spot, net in nets.items() if net), page) or page.t("all comes back")
    line = page.t("{name}: {lines}", name=name_of(value, player.user, page), lines=told)
    return sentence(line, page) if page.words else line  # the quote's end is no place for a full stop


def _won(spot: str, net: int, page: Page) -> str:
    """In words a sign after "Pair Plus" would be heard as its name."""
    won = signed(net, page)
    return labelled(spot, won, page) if page.words else page.t("{spot} {chips}", spot=spot, chips=won)


def next_line(value: TableBoard, page: Page) -> str:
    """When the next hand begins."""
    until = until_of(value)
    return page.t("Next hand at {time}, or when all have tapped", time=until) if until else page.t(
        "Next hand when all have tapped"
    )  # fmt: skip


def next_seal(value: TableBoard, page: Page) -> str:
    """The hand's number, and the seal of the next one: Same bet stands here already (BOARDS rule 9)."""
    if value.shown is None:
        return ""
    hand, coming = page.t("hand {number}", number=value.shown.id), seal_of(value, page)
    if page.words:
        return f"{sentence(capital(hand, page), page)} {labelled(page.t('Next'), coming, page)}"
    return f"🔓 {hand} · {page.t('next')} {coming}"


def showdown_keys(value: TableBoard, page: Page) -> Keys:
    """Leaving above, Proof between, the next bet below (BOARDS rule 3)."""
    proof = (Key(page.t("Proof"), url=deep_link(page, value.shown.commitment)),) if value.shown is not None else ()
    return rows(
        page,
        (
            Key(page.t("Leave"), tap(value, Verb.TABLE_LEAVE)),
            Key(page.t("Sit out"), tap(value, Verb.TABLE_SIT_OUT)),
        ),
        proof,
        (
            Key(page.t("Same bet"), tap(value, Verb.TABLE_SAME_BET), style=Style.PRIMARY),
            Key(page.t("Other bet"), tap(value, Verb.TABLE_OTHER_BET)),
        ),
    )
