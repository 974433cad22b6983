"""`/stats`: a person's own figures in one calm message, and the caption of a night's picture."""

from __future__ import annotations

from fractions import Fraction

from bot.facts import Stats, Tap, Verb
from bot.views import cards
from bot.views.figures import decimal, luck_line, sparkline
from bot.views.kit import Key, Page, View, board_text, capital, chips, name_html, rows, sentence, signed
from core.ranking import Category, is_mini_royal, strength


def stats(figures: Stats, expected: Fraction | None, name: str, page: Page) -> View:
    """
    Hands, nights, net, choices, luck and skill, best hand, return so far beside the expected one; figures first.

    *expected*: what comes back per chip bet with best play on the same bets, Play included.
    """
    if not figures.hands:
        return View(text=page.t("No hand is settled yet. /deal opens your board."))
    title = [name_html(name, page), page.t.n("{count} hand", "{count} hands", figures.hands)]
    if figures.nights:
        title.append(page.t.n("{count} night", "{count} nights", figures.nights))
    lines = [
        " ".join(sentence(part, page) for part in title) if page.words else page.dot.join(title),
        _result(figures, page),
        _at_tables(figures, page),
        _places(figures, page),
        _honours(figures, page),
        _badges(figures, page),
        *_choices(figures, page),
        luck_line(figures.net, figures.given_away, page),
        page.t("Best hand: {cards}", cards=_best(figures, page)) if figures.best else "",
        _return(figures, expected, page),
    ]
    bars = "" if page.words else sparkline(figures.lately)
    if bars:
        lines.append(page.t("Last nights: {bars}", bars=bars))
    if page.private:
        lines.append(page.t("All your tables together. In a group, /stats is about that group."))
    latest = figures.latest_round or 0
    picture = Key(page.t("Picture"), Tap(verb=Verb.PICTURE, round=latest))
    return View(text=board_text(page, *lines), keys=rows(page, (picture,)))


def _result(figures: Stats, page: Page) -> str:
    parts = [page.t("{net} so far", net=signed(figures.net, page))]
    if figures.best_night is not None:
        parts.append(page.t("best night {chips}", chips=chips(figures.best_night, page)))
    return capital(page.dot.join(parts), page)


def _at_tables(figures: Stats, page: Page) -> str:
    """What came of hands alone, at tables, and as the bank there; nothing for who was never at a table."""
    tables = figures.tables
    if not tables.hands and not tables.banked:
        return ""
    told: list[str] = []
    if figures.hands_alone:
        net = signed(figures.net_alone, page)
        told.append(page.t.n("{count} hand alone: {net}", "{count} hands alone: {net}", figures.hands_alone, net=net))
    if tables.hands:
        net = signed(tables.net, page)
        told.append(page.t.n("{count} hand at tables: {net}", "{count} hands at tables: {net}", tables.hands, net=net))
    if tables.banked:
        net = signed(tables.bank_net, page)
        told.append(
            page.t.n("{count} hand as the bank: {net}", "{count} hands as the bank: {net}", tables.banked, net=net)
        )
    return page.dot.join(told)


def _places(figures: Stats, page: Page) -> str:
    """Where the best nights stand in this chat."""
    titles = (page.t("this week"), page.t("this month"), page.t("all time"))
    told = [
        page.t("{period}: place {rank}", period=title, rank=rank)
        for title, rank in zip(titles, figures.places, strict=False)
        if rank is not None
    ]
    return capital(page.dot.join(told), page)


def _honours(figures: Stats, page: Page) -> str:
    told: list[str] = []
    if figures.titles:
        told.append(page.t.n("Champion of {count} month", "Champion of {count} months", figures.titles))
    if figures.days:
        told.append(page.t.n("{count} day of the daily five", "{count} days of the daily five", figures.days))
    return page.dot.join(told)


def _badges(figures: Stats, page: Page) -> str:
    """Feats that the game itself makes rare, each once; they follow from what is stored."""
    told: list[str] = []
    if figures.best is not None and is_mini_royal(figures.best):
        told.append(page.t("mini royal"))
    if figures.best is not None and strength(figures.best).category is Category.STRAIGHT_FLUSH:
        told.append(page.t(cards.CATEGORIES[Category.STRAIGHT_FLUSH]))
    if figures.clean_days:
        told.append(page.t("a daily five of best choices"))
    if figures.contests:
        told.append(page.t.n("{count} contest won", "{count} contests won", figures.contests))
    return page.t("Badges: {badges}", badges=page.dot.join(told)) if told else ""


def _choices(figures: Stats, page: Page) -> tuple[str, ...]:
    if not figures.decisions:
        return ()
    best = page.t.number(figures.best_choices)
    if not figures.given_away:
        return (page.t("Every choice was the best one: {best} of {best}", best=best),)
    return (
        page.t.n(
            "{best} of {count} choice was the best; the rest gave away {chips} chips",
            "{best} of {count} choices were the best; the rest gave away {chips} chips",
            figures.decisions,
            best=best,
            chips=decimal(figures.given_away, page),
        ),
    )


def _best(figures: Stats, page: Page) -> str:
    if figures.best is None:
        return ""
    return cards.hand_text(figures.best, page) + page.dot + cards.hand_name(figures.best, page)


def _return(figures: Stats, expected: Fraction | None, page: Page) -> str:
    """Return per chip of all that was bet: the other meaning of RTP, per chip of the Ante, is another number."""
    if expected is None or not figures.staked:
        return ""
    so_far = 1 + Fraction(figures.net_alone, figures.staked)
    told = {
        "so_far": decimal(100 * so_far, page),
        "staked": chips(figures.staked, page),
        "expected": decimal(100 * expected, page),
    }
    if figures.hands > figures.hands_alone:
        return page.t("Alone, {so_far} % of {staked} chips bet came back; best play gets {expected} %", **told)
    return page.t("{so_far} % of {staked} chips bet came back; best play gets {expected} %", **told)


def night_caption(name: str, path: tuple[int, ...], page: Page) -> str:
    """What the picture of a night shows, in words: it is read by those who cannot see it."""
    hands = page.t.n("{count} hand", "{count} hands", len(path) - 1)
    began, ended = chips(path[0], page), chips(path[-1], page)
    return board_text(
        page,
        page.t("{name}: {hands}, from {began} to {ended} chips ({net})", name=name_html(name, page), hands=hands,
               began=began, ended=ended, net=signed(path[-1] - path[0], page)),
        page.t("Lowest {low}, highest {high}; the dashed line is the start.", low=chips(min(path), page),
               high=chips(max(path), page)),
    )  # fmt: skip
