"""The end of a night: cashing out asks once, and what is told afterwards (BOARDS 3.6)."""

from __future__ import annotations

from bot.facts import Ending, Night, Round, SoloBoard, Summary, Verb
from bot.views import cards, outings, share
from bot.views.coach import given_away_line
from bot.views.figures import luck_line, sparkline, thinned
from bot.views.kit import GAP, Key, Page, Style, View, board_text, chips, name_html, rows, sentence, signed, title_html
from bot.views.places import end_keys
from bot.views.settled import hands_lines, settlement_lines
from bot.views.solo_pieces import next_seal, note_line, spoken_net, stay_key, tap, title
from core.solo import Settled


def leaving(value: SoloBoard, page: Page) -> View:
    """Cash out, asked in place; the yes lies above whatever was tapped before."""
    yes = page.t("Yes, leave with {chips}", chips=chips(value.chips, page))
    text = board_text(
        page,
        title(value, page),
        note_line(value, page),
        GAP,
        page.t("Cash out? The chips you have become your score."),
        *next_seal(value, page),
    )
    keys = (
        Key(yes, tap(value, Verb.LEAVE), style=Style.DANGER),
        Key(page.t("Keep playing"), tap(value, Verb.KEEP)),
    )
    return View(text=text, keys=rows(page, keys, stay_key(value, page)))


def night_over(value: SoloBoard, shown: Round, night: Night, summary: Summary, page: Page) -> View:
    """The night as a whole; below the last hand where that ended it."""
    picture = (Key(page.t("Picture"), tap(value, Verb.PICTURE, round_id=shown.id)),) if summary.hands else ()
    keys = rows(
        page,
        # above all that was tapped last, and above the place of Deal on the board that comes (BOARDS rule 3)
        (Key(page.t("Deal: a new night"), tap(value, Verb.NEW_NIGHT), style=Style.PRIMARY),),
        (Key(page.t("Top five"), tap(value, Verb.TOP, 0)), *picture),
        (*share.night_key(value, night, summary, page), *end_keys(value, page)),
    )
    keys = keys if value.outing is None else outings.end_keys(value, shown, page)
    head = (
        _broke(value, shown, shown.state, night, page)
        if isinstance(shown.state, Settled)
        else _ending(value, night, page)
    )
    lines = (head[0], outings.line(value, page), note_line(value, page), *head[1:])
    if value.outing is None:
        return View(text=board_text(page, *lines, *_summary_lines(summary, value.chat.title, page)), keys=keys)
    return View(text=board_text(page, *lines, GAP, *outings.over_lines(value, night, page)), keys=keys)


def farewell(value: SoloBoard, page: Page) -> View:
    """How a night ended, without keys: for the group that is told of a private one."""
    if value.night is None or value.summary is None:
        return View(text=title(value, page))
    return View(
        text=board_text(
            page, *_ending(value, value.night, page), *_summary_lines(value.summary, value.chat.title, page)
        )
    )


def _ending(value: SoloBoard, night: Night, page: Page) -> tuple[str, ...]:
    """Who leaves with how many chips; or who has too few of them (as after a hand at a table)."""
    name, amount = name_html(value.owner.name, page), page.t.n("{count} chip", "{count} chips", night.chips or 0)
    if night.ending is Ending.BROKE:
        if page.words:
            return page.t("{name}. {chips}", name=name, chips=amount), _too_few(night, page)
        return page.t("{name} · {chips}", name=name, chips=amount), _too_few(night, page)
    left = page.t("{name} leaves with {chips}", name=name, chips=amount)
    return (left if page.words else f"{left} 🏁",)


def _too_few(night: Night, page: Page) -> str:
    over = page.t.n("{count} chip: the night is over.", "{count} chips: the night is over.", night.chips or 0)
    return f"{over} {page.t('The smallest hand needs {chips}.', chips=chips(night.rules.smallest_hand, page))}"


def _broke(value: SoloBoard, shown: Round, state: Settled, night: Night, page: Page) -> tuple[str, ...]:
    """The last hand's board stands; why the night is over comes below it (BOARDS section 8)."""
    left = night.chips or 0
    head = page.t.n("{count} chip", "{count} chips", left)
    if page.words:
        head = f"{sentence(spoken_net(state, page), page)} " + page.t.n(
            "You have {count} chip.", "You have {count} chips.", left
        )
    else:
        head = page.t("{name} · {chips}", name=name_html(value.owner.name, page), chips=head)
        head += f" ({signed(state.settlement.net, page)})"
    coach = given_away_line(shown, page) if page.private and value.owner.coach else ""
    lines = settlement_lines(state, shown.rules, page)
    why = _too_few(night, page) if night.ending is Ending.BROKE else ""
    return (head, GAP, *hands_lines(state, page), GAP, *lines, coach, GAP, why)


def _summary_lines(summary: Summary, group: str, page: Page) -> tuple[str, ...]:
    if not summary.hands:
        return (page.t("No hand was played: this night is not ranked."),)
    hands = [page.t.n("{count} hand", "{count} hands", summary.hands)]
    if summary.rank is not None:
        hands.append(page.t("place {rank} this week in {group}", rank=summary.rank, group=title_html(group)))
    best = page.t("Best hand: {cards}", cards=cards.hand_text(summary.best, page)) if summary.best else ""
    bars = "" if page.words else sparkline(thinned(summary.path))
    return page.dot.join(hands), luck_line(summary.net, summary.given_away, page), best, bars
