"""What a person may read at any time: help; and a group's welcome."""

from __future__ import annotations

from collections.abc import Mapping

from bot.views.kit import GAP, Page, View, _, ltr, text_of
from bot.views.words import spot_name
from core.rules import RuleSet, Spot
from core.workshop import prices

SEL_WORST = "Q-6-4"  # SEL: the worst hand that is worth playing


# Commands that the menus show, and every other that can be typed (BOARDS section 7).
COMMANDS: Mapping[str, str] = {
    "deal": _("open your betting board"),
    "table": _("the group’s table: one of you banks for the others"),
    "top": _("the top five of this chat"),
    "daily": _("today’s five deals, the same for everybody"),
    "contest": _("the group’s contest; admins start one"),
    "hands": _("what beats what, and what it pays"),
    "stats": _("your own figures: hands, luck and skill"),
    "help": _("how to play, and every command"),
    "start": _("sit down to a first hand"),
    "hint": _("what to do with your cards, and what it is worth"),
    "fair": _("how a deal is fixed before the bet, and your words for it"),
    "verify": _("check a hand: its number, a transcript, or a file"),
    "cashout": _("leave with your chips: your score"),
    "rules": _("this chat’s table: limits, pays, exact odds"),
    "settings": _("language, cards, and for admins the group’s choices"),
    "break": _("no bets for a while: /break 7d"),
    "privacy": _("what is stored, why, and how long"),
    "mydata": _("everything stored about you, as a file"),
    "forget": _("erase everything about you"),
}
# What the bot's page says of it.
ABOUT = (
    _("Three Card Poker, for play money only. /deal opens a board of your own; everybody has their own chips."),
    _("Play money only: chips cannot be bought or cashed in."),
)
MENU_PRIVATE = ("deal", "daily", "top", "stats", "hands", "settings", "help")
MENU_GROUP = ("deal", "table", "top", "contest", "hands", "help")
MENU_ADMIN = (*MENU_GROUP, "settings", "rules")


def help_page(page: Page, rules: RuleSet) -> View:
    """`/help`: how a hand goes at this table, SEL's tips as far as they hold there, and the commands."""
    tips = (
        _worth_playing(rules, page),
        page.t("Never fold a pair."),
        page.t("A straight beats a flush."),
        page.t("Not sure? Tap Hint: it tells what play and fold are worth for your cards."),
    )
    more = "\n".join(f"/{name} · {page.t(text)}" for name, text in COMMANDS.items())
    return View(
        text=text_of(
            f"<b>{page.t('Three Card Poker')}</b>",
            _how_it_goes(rules, page),
            GAP,
            *(f"• {tip}" for tip in tips),
            GAP,
            page.t("In a chat: /deal 25 5 opens the board with Ante 25 and {spot} 5. "
                   "You can type play, fold, hint, deal, clear, repeat too.",
                   spot=spot_name(Spot.PAIR_PLUS, page, rules)),
            page.t("Play money only: chips cannot be bought or cashed in."),
            GAP,
            f"<blockquote expandable>{page.t('Commands')}\n{more}</blockquote>",
        )
    )  # fmt: skip


def _how_it_goes(rules: RuleSet, page: Page) -> str:
    if not rules.dealer_must_qualify:
        return page.t(
            "Bet, get three cards, then play (as much again) or fold. The dealer always qualifies: the better hand "
            "takes Ante and Play."
        )
    return page.t(
        "Bet, get three cards, then play (as much again) or fold. The dealer needs queen high or better to "
        "qualify; if not, the Ante pays and Play comes back. Else the better hand takes both."
    )


def _worth_playing(rules: RuleSet, page: Page) -> str:
    """SEL's tip, or the exact line where this table has another one."""
    worst = prices(rules).worst_hand_played
    if worst == SEL_WORST:
        return page.t("Queen-6-4 or better is worth playing.")
    if worst is None:
        return page.t("No hand is worth playing here.")
    return page.t("Worth playing: {hand} or better.", hand=ltr(worst, page))


def welcome_group(page: Page) -> View:
    """Once, when the bot is added to a group."""
    return View(
        text=text_of(
            page.t(
                "Three Card Poker, for play money only. /deal opens a board of your own; everybody has their own chips."
            ),
            page.t("I hear commands, replies to my messages and taps, nothing else."),
        )
    )
