"""Every picture, toast, alert, refusal and page there is, as functions of the page it is painted on."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import timedelta
from fractions import Fraction
from functools import cache, partial
from itertools import product
from typing import Any

from bot import refusals
from bot.events import CONTESTS, Crown, DayBoard, DayPage, DayRow, OwnNight, OwnNights, SeasonEnd, Standings, Terms
from bot.facts import AtTables, Design, Ending, EventKind, Face, Outing, Score, SoloBoard, Stats, Summary, Verb
from bot.options import REGIONS, REGIONS_FROM, Options, RulesPage, Setting, SettingsPage
from bot.periods import Period
from bot.tables import TableProof, TableTold
from bot.views import (
    contests,
    daily,
    night_end,
    own_data,
    passport,
    people,
    places,
    settings,
    share,
    solo,
    standings,
    stats,
    table,
    table_proof,
    table_toasts,
    transcripts,
)
from bot.views.coach import hint_alert
from bot.views.kit import Page, View
from bot.views.ranking import hand_ranking, hand_ranking_alert
from bot.views.toasts import tapped
from bot.views.words import explain, wager_text
from core import errors
from core import table_moves as moves
from core.betting import Wager
from core.cards import parse_hand
from core.daily import Quality
from core.fair import commitment
from core.odds import DEALER_HANDS, hint
from core.rules import PRESETS, RuleSet, Spot, preset
from core.settlement import Decision
from core.solo import Betting
from core.table import Betting as TableBetting
from core.table import Deciding, House, Player, Showdown, Table, Wish
from core.workshop import OWN_NAME, Part
from tests.bot import test_views_events as events
from tests.bot import test_views_figures as figures
from tests.bot import test_views_settings as choices
from tests.bot import test_views_table as stages
from tests.bot.scenes import (
    ANN,
    COMMITMENT,
    GROUP,
    NOON,
    PRIVATE,
    SELMINHA,
    dealt,
    ended,
    page,
    round_of,
    scene,
    settled,
)
from tests.bot.tables import NAMES, banked, bet, board, seated, stacks, timed
from tests.bot.tables import dealt as table_dealt
from tests.bot.test_transcripts import played

Made = View | str
Exhibit = tuple[str, Callable[[Page], Made]]

BET = Wager(ante=25, pair_plus=5)
ALL_BETS = Wager(ante=100, pair_plus=50, six_card=25)
P3, SIX = preset("poker-three"), preset("six-card")
LANGUAGES = {"en": "English", "pt_BR": "português (Brasil)", "ar": "العربية"}
PLAY, FOLD = Decision.PLAY, Decision.FOLD
_SUMMARY = Summary(
    hands=31, net=140, given_away=Fraction(1135, 100), best=parse_hand("9s 9h 9d"), path=(500, 520, 480, 640), rank=2,
    last=(4821, COMMITMENT),
)  # fmt: skip
_HANDS = ("Qh 6c 4d", "9s 9h 9d", "7c 6d 5h", "Kc 9c 3c", "5c 5d 2h", "Ah Kh Qh", "5h 3c 2d")
_TABLE_VERBS = tuple(verb for verb in Verb if verb.name.startswith("TABLE_"))
_VERBS = tuple(verb for verb in Verb if verb not in _TABLE_VERBS)
_NOT_SAID = (errors.RuleError, refusals.Refusal)
_FACTS: Mapping[str, Any] = {
    "spot": "pair_plus", "chips": 1250, "least": 5, "most": 1000, "step": 5, "total": 1200, "need": 130, "have": 95,
    "most_ante": 40, "chip": 500, "wanted": "betting", "phase": "deciding", "got": 3, "length": 70, "code_point": 10,
    "category": "Cc", "at": "round", "key": "limits.ante", "reason": errors.Reason.TOO_MANY, "decision": "play",
    "user": 7, "number": 4821, "text": "31st", "owner": "Bob", "wager": BET, "seconds": 9,
    "until": NOON + timedelta(days=7), "name": "Bob", "hands": 20, "card": "Qh",
}  # fmt: skip


@cache
def gallery() -> tuple[Exhibit, ...]:
    """All of it, built once; of those that read alike in English, in signs and in words, one."""
    rooms = (
        _boards,
        _toasts,
        _coach,
        _refusals,
        _tables,
        _contests,
        _days,
        _records,
        _settings,
        _rules,
        _proofs,
        _pages,
    )
    seen: dict[tuple[Made, ...], Exhibit] = {}
    for room in rooms:
        for name, make in room():
            seen.setdefault(tuple(make(page(design)) for design in (Design.CLASSIC, Design.WORDS)), (name, make))
    return tuple(seen.values())


def _shown(name: str, make: Callable[..., Made], *args: object, **facts: object) -> Exhibit:
    """`make(*args, page, **facts)`, with the page behind the arguments, as most views have it."""
    return name, lambda page: make(*args, page, **facts)


def _told(name: str, make: Callable[..., str], *args: object, **facts: object) -> Exhibit:
    """The same where the text is that of a message."""
    return name, lambda page: View(text=make(*args, page, **facts))


def _in_group(make: Callable[..., Made]) -> Callable[..., Made]:
    """The same on the page of a group."""
    return lambda *args, **facts: make(*args[:-1], replace(args[-1], private=False), **facts)


# Solo boards


def _states(rules: RuleSet) -> Iterator[tuple[str, Any]]:
    bet = ALL_BETS if rules.six_card is not None else BET
    yield "betting", Betting(wager=bet)
    yield "empty", Betting(wager=Wager())
    for hand in _HANDS:
        yield f"dealt {hand}", dealt(hand, "Js Td 8c", bet)
    for hand, dealer, decision in product(_HANDS, ("Js Td 8c", "Ks Td 8c", "6s 6d 4c", "Qs 6d 4s"), (PLAY, FOLD)):
        if not {*hand.split()} & {*dealer.split()}:
            yield f"settled {hand} {dealer} {decision}", settled(hand, dealer, bet, decision, rules)


def _solo() -> Iterator[tuple[str, SoloBoard]]:
    for rules in PRESETS.values():
        for name, state in _states(rules):
            yield f"{rules.name} {name}", scene(state, chips=1470, rules=rules)
    betting, over = Betting(wager=BET), settled("Qh 6c 4d", "Js Td 8c", BET, PLAY)
    for face in Face:
        yield f"face {face}", replace(scene(betting, chips=1500, face=face), door="d" * 26)
        yield f"settled {face}", scene(over, chips=1520, face=face)
    for rank in "23456789TJQKA":
        pair = f"{rank}h {rank}c {'3d' if rank == '2' else '2d'}"
        yield (
            f"pair {rank}",
            scene(settled(pair, "Kd Td 8d" if rank not in "KT8" else "Qs Jd 7c", BET, PLAY), chips=520),
        )
    for high in ("5h 3c 2d", "6h 3c 2d", "7h 3c 2d", "8h 3c 2d", "9h 3c 2d", "Th 3c 2d", "Jh 3c 2d", "Kh 3c 2d"):
        yield f"high {high}", scene(settled(high, "As Td 8s", BET, PLAY), chips=520)
    yield "nothing won", scene(settled("Qh 6c 4h", "Qs 6d 4c", Wager(ante=25), PLAY), chips=500)
    yield "pair plus alone", scene(
        settled("9h 9c 4d", "Ks 9d 4c", Wager(pair_plus=30), None, preset("poker-three")), chips=530,
        rules=preset("poker-three"),
    )  # fmt: skip
    yield "odd rules", scene(betting, chips=500, face=Face.WELCOME, rules=replace(SELMINHA, dealer_must_qualify=False))
    yield "new here", scene(dealt("Qh 6c 4d", "Js Td 8c", BET), chips=445, owner=replace(ANN, hands=0))
    yield "note", scene(betting, chips=500, face=Face.BET, note=refusals.NotYourBoard("<b>Bob & Co"))
    yield "one chip", scene(betting, chips=1, face=Face.BET)
    yield "two tables", replace(scene(over, chips=520), tables=2)
    yield "no door", replace(scene(betting, chips=500, face=Face.DOOR, chat=replace(GROUP, awake_boards=0)), door="d")
    yield from _over()
    yield from _outings()


def _over() -> Iterator[tuple[str, SoloBoard]]:
    left = scene(Betting(wager=BET), chips=640, face=Face.LEFT, chat=GROUP)
    lost = scene(settled("Kh 9c 4d", "As 9d 4c", BET, FOLD), chips=5)
    yield "left", ended(left, _SUMMARY, chips=640)
    yield "left unranked", ended(left, replace(_SUMMARY, hands=0, rank=None), chips=500)
    yield "broke", ended(lost, _SUMMARY, chips=5, ending=Ending.BROKE)
    yield "broke at a table", ended(left, _SUMMARY, chips=5, ending=Ending.BROKE)
    away = ended(replace(left, board=replace(left.board, chat_id=ANN.id)), _SUMMARY, chips=640)
    yield "over in private", away


def _outings() -> Iterator[tuple[str, SoloBoard]]:
    closed = replace(events.EVENT, closed=events.ENDS)
    deals = replace(events.EVENT, kind=EventKind.SAME_DEALS, nights=1, hands=12, deals=(1, 2), commitment=COMMITMENT)
    points = replace(deals, kind=EventKind.MATCHPOINTS, wager=BET)
    for event in (events.EVENT, closed, replace(closed, called_off=True), deals, points, events.DAY,
                  replace(events.DAY, closed=NOON)):  # fmt: skip
        outing = Outing(event=event, group="Poker & Friends", night=2, left=1)
        for state in (
            Betting(wager=BET),
            dealt("Qh 6c 4d", "Js Td 8c", BET),
            settled("Qh 6c 4d", "Js Td 8c", BET, PLAY),
        ):
            yield (
                f"outing {event.kind} {state}",
                replace(scene(state, chips=520, hands=5, face=Face.FIRST), outing=outing),
            )
        over = scene(settled("Qh 6c 4d", "Js Td 8c", BET, PLAY), chips=520)
        grid = events.GRID if event.kind is EventKind.DAILY else None
        for hands in (5, 20):
            summary = replace(_SUMMARY, hands=hands, rank=None)
            yield (
                f"outing over {event.kind} {hands}",
                replace(ended(over, summary, chips=520), outing=replace(outing, grid=grid)),
            )


def _boards() -> Iterator[Exhibit]:
    for name, value in _solo():
        yield _shown(f"solo {name}", solo.board, value)
        yield f"group {name}", partial(_in_group(solo.board), value)
    over = ended(scene(Betting(wager=BET), chips=640, chat=GROUP), _SUMMARY, chips=640)
    yield _shown("farewell", night_end.farewell, over)
    yield _shown("away", places.away, scene(Betting(wager=BET), chips=500, chat=GROUP), "c" * 26)
    yield _shown("door", places.door, scene(Betting(wager=BET), chips=500, chat=GROUP, face=Face.DOOR))


def _toasts() -> Iterator[Exhibit]:
    for name, value in _solo():
        for verb in _VERBS:
            yield f"toast {verb} {name}", partial(tapped, value, verb)
    for name, value in _solo():
        if value.outing is not None or name in {"left", "two tables"}:
            yield _shown(f"toast of another table {name}", places.which_table, value)
    off = scene(Betting(wager=BET), chips=500)
    off = replace(off, seat=replace(off.seat, repeat=False))
    yield "toast repeat off", partial(tapped, off, Verb.REPEAT)
    alone = scene(Betting(wager=Wager(pair_plus=30)), chips=500, rules=preset("poker-three"))
    yield "toast alone", partial(tapped, alone, Verb.ADD)


def _coach() -> Iterator[Exhibit]:
    yield _shown("hands without Pair Plus", hand_ranking_alert, replace(SELMINHA, pair_plus=None))
    for rules, hand in product(PRESETS.values(), _HANDS):
        bets = [BET, Wager(ante=100)]
        if rules.six_card is not None:
            bets += [ALL_BETS, Wager(ante=100, six_card=25)]
        for wager in bets:
            state = dealt(hand, "Js Td 8c", wager)
            yield _shown(f"hint {rules.name} {hand}", hint_alert, state, hint(state.player, rules), rules)
        yield _told(f"hands {rules.name}", hand_ranking, rules)
        yield _shown(f"hands alert {rules.name}", hand_ranking_alert, rules)


def _refusals() -> Iterator[Exhibit]:
    for room in (errors, refusals):
        for kind in vars(room).values():
            if inspect.isclass(kind) and issubclass(kind, _NOT_SAID) and kind not in _NOT_SAID:
                yield from _said(kind)
    for over in (
        errors.BetTooLarge(spot="ante", chips=500, most=100),
        errors.ChipNotUsable(chip=500, spot="ante", most=100),
    ):
        yield _shown("over the limit", table_toasts.over_limit, over)
    yield _shown("no books", explain, OSError())
    yield _shown("no wager", wager_text, Wager())


def _said(kind: type[Exception]) -> Iterator[Exhibit]:
    """A refusal with all facts there are, and with those that change its words."""
    fields: dict[str, Any] = (
        {field.name: _FACTS[field.name] for field in dataclasses.fields(kind)} if dataclasses.is_dataclass(kind) else {}
    )
    variants: list[dict[str, Any]] = [{}]
    variants += [{"spot": spot} for spot in ("ante", "six_card", "") if "spot" in fields]
    variants += [{"phase": phase} for phase in _PHASES if "phase" in fields]
    variants += [{"reason": reason} for reason in errors.Reason if "reason" in fields]
    variants += [{"key": key} for key in ("hands", "nights", "deals", "length") if kind is errors.BadContest]
    variants += [{"key": ""}] if kind is errors.BadRuleSet else []
    variants += [{name: value} for name, value in (("most_ante", 0), ("chips", -5), ("owner", ""), ("most", 1))
                 if name in fields]  # fmt: skip
    for change in variants:
        refusal = kind(**{**fields, **change})
        yield _shown(f"{kind.__name__} {change}", explain, refusal)
        yield f"{kind.__name__} {change}, a small table", partial(_at_a_small_table, refusal)


def _at_a_small_table(refusal: Exception, page: Page) -> str:
    return explain(refusal, replace(page, rules=replace(SELMINHA, pair_plus=None), private=False))


_PHASES = ("lobby", "offered", "unbanked", "betting", "showdown", "ended", "elsewhere")


# The group table


def _stages() -> Iterator[tuple[str, Table]]:
    for number, stage in enumerate(stages.every_stage()):
        yield f"stage {number}", stage
        yield f"stage {number} untimed", replace(stage, deadline=None)
        yield f"stage {number} closing", replace(stage, closing=True)
    second = replace(stages.betting(), rotation=replace(stages.betting().rotation, hands=1))
    yield "second of two", second
    yield "one", seated(1)
    yield "nobody", seated()
    house = seated(1, 2, house=House.ALWAYS)
    yield "the house", (house := timed(moves.start(house, 1, stacks=stacks(house))))
    dealt_ = table_dealt(bet(house, ann=(25, 5), bob=(25, 0)), "5h 6c 7d", "Qh 8c 2d", "Qs 9d 4c")
    yield "the house dealt", dealt_
    yield "the house over", timed(moves.expire(dealt_, stacks=stacks(dealt_)))
    yield "asked house", (asked := timed(moves.ask_house(stages.unbanked(), 1, stacks=stacks(stages.unbanked()))))
    yield "asked house, second", replace(asked, rotation=replace(asked.rotation, hands=1))
    yield "red", seated(1, 2, hand=8)
    asked = table_dealt(bet(asked, ann=(25, 5), bob=(25, 5)), "5h 6c 7d", "Qh 8c 2d", "Qs 9d 4c")
    yield "the house once", asked
    yield "the house once more", timed(moves.expire(asked, stacks=stacks(asked)))
    over = stages.showdown()
    yield "next bank", replace(over, rotation=replace(over.rotation, hands=2))
    yield "red offered", replace(stages.every_stage()[2], hand=8)
    alone = timed(moves.start(seated(1, 2, rules=P3, house=House.ALWAYS), 1, stacks={1: 500, 2: 500}))
    yield "Pair Plus alone", table_dealt(bet(alone, ann=(25, 0), bob=(0, 5)), "5h 6c 7d", "Qh 8c 2d", "Qs 9d 4c")
    poor = stages.betting()
    assert isinstance(poor.stage, TableBetting)
    yield "poor", replace(poor, stage=replace(poor.stage, awaited=()))
    for bank in (20, 500):
        yield f"bank {bank}", stages.showdown(bank)
    short = banked(seated(5, 2, 3), 5, 50)
    short = table_dealt(bet(short, bob=(30, 0), cy=(10, 5)), "Qh 8c 2d", "Jd 7s 2h", "As Ad 4c")
    yield "short", timed(moves.expire(short, stacks=stacks(short)))
    away = banked(seated(5, 1, 2), 5, 300)
    away = replace(away, seats=tuple(replace(seat, absences=1) for seat in away.seats))
    away = table_dealt(bet(away, ann=(25, 0)), "Qh 8c 2d", "Qs 9d 4c")
    yield "gave up", timed(moves.expire(away, stacks=stacks(away)))


def _cards(stage: Table, seat: int) -> Player | None:
    over = stage.stage
    players = over.players if isinstance(over, Deciding | Showdown) else ()
    return next((player for player in players if player.user == seat), None)


def _tables() -> Iterator[Exhibit]:
    for name, stage in _stages():
        for names in ({}, {1: "", 2: "<i>Bob & Co</i>"}):
            value = board(stage, names={**NAMES, **names})
            cut = replace(value, coming=replace(value.coming, cut=4, cut_by=1)) if value.coming else value
            yield f"table {name}", partial(_in_group(table.board), cut)
        for seat, verb, turned in product((1, 2, 3, 4), _TABLE_VERBS, (False, True)):
            told = TableTold(board=board(stage), seat=seat, cards=_cards(stage, seat), peeked=not turned, turned=turned)
            yield f"table toast {name} {verb}", partial(table_toasts.tapped, told, verb)
    over = stages.showdown()
    alone = replace(over, rotation=replace(over.rotation, hands=2))
    yield "nobody banks", partial(_in_group(table.board), board(alone, ann=0, bob=0, cy=0, dee=0, eve=0))
    wished = timed(moves.wish_next(over, 1, Wish.SAME_BET, stacks=stacks(over)))
    yield "wish", partial(table_toasts.tapped, TableTold(board=board(wished), seat=1), Verb.TABLE_SAME_BET)
    building = moves.add_chip(stages.betting(), 5, Spot.ANTE, 25, stack=500).table
    yield "draft", partial(table_toasts.tapped, TableTold(board=board(building), seat=5), Verb.TABLE_ADD)


# Contests, days, records


def _contests() -> Iterator[Exhibit]:
    for kind in CONTESTS:
        terms = Terms(kind=kind, hands=20, nights=1 if kind is not EventKind.NIGHTS else 3, hours=72)
        yield _shown(f"maker {kind}", standings.maker, terms)
        yield _shown(f"maker {kind}, hours", standings.maker, replace(terms, hours=5), note=refusals.BadWords())
        event = replace(events.EVENT, kind=kind, hands=12, wager=BET, commitment=COMMITMENT, deals=(1, 2, 3))
        rows = (*events.ROWS, replace(events.ROWS[0], rank=4, user_id=-9, name="", points=15))
        running = Standings(event=event, chat=GROUP, code="a" * 26, rows=rows, playing=3)
        over = replace(running, event=replace(event, closed=events.ENDS), late=True)
        off = replace(over, event=replace(event, closed=NOON, called_off=True))
        many = replace(running, rows=tuple(replace(rows[0], user_id=n) for n in range(1, 30)))
        for value in (running, over, replace(over, by="Ann"), replace(over, by=""), off, replace(off, by="Bob"), many,
                      replace(running, rows=()), replace(over, rows=())):  # fmt: skip
            yield _shown(f"contest {kind}", standings.board, value)
            yield _shown(f"final {kind}", standings.final, value)
        nights = (OwnNight(chips=640, hands=20, over=True), OwnNight(chips=520, hands=7, over=False))
        yield _shown(f"own {kind}", standings.own_alert, OwnNights(event=event, nights=nights, standing=rows[0]))
        yield _shown(f"sealed {kind}", standings.sealed, replace(event, closed=NOON, secret=bytes(32)))
        yield _shown(f"sealed {kind}, running", standings.sealed, event)
    yield _shown("none yet", standings.own_alert, OwnNights(event=events.EVENT, nights=(), standing=None))
    for off_ in (False, True):
        yield _shown("ask", standings.ask, events.EVENT, call_off=off_)
    yield _shown("one night", standings.maker, Terms(nights=1, hands=1, hours=1))


def _days() -> Iterator[Exhibit]:
    rows = tuple(
        DayRow(user_id=number, name="" if number % 2 else "Cy", chips=430, qualities=(*Quality, *Quality)[:5])
        for number in range(1, 30)
    )
    for count in (0, 1, 29):
        value = DayBoard(event=events.DAY, chat=GROUP, code="b" * 26, rows=rows[:count])
        yield _shown(f"day board {count}", daily.board, value)
    yesterday = replace(events.DAY, closed=NOON)
    own = DayPage(today=events.DAY, tomorrow=events.DAY, yesterday=yesterday, own=None, under_way=False, days=8,
                   now=NOON, person=ANN)  # fmt: skip
    for changes in ({}, {"under_way": True}, {"days": 1}, {"own": events.GRID}):
        yield _shown("day page", daily.page_of, replace(own, **changes))
    yield _told("grid", share.grid_text, events.GRID, COMMITMENT)


def _top(found: tuple[Score, ...], own: Score, period: Period, page: Page) -> View:
    zone = "Europe/Kyiv"
    return contests.top(
        found, own, page, title="Poker & Friends", period=period, ends=NOON, zone_name=zone, asker=9, crowned=True
    )


def _stats(shown: Stats, private: bool, page: Page) -> View:
    return stats.stats(shown, figures.EXPECTED, "Ann", replace(page, private=private))


def _records() -> Iterator[Exhibit]:
    scores = tuple(
        Score(rank=rank, user_id=user, name=name, chips=chips, reached=NOON)
        for rank, user, name, chips in ((1, 1, "Ann", 1240), (2, 2, "Дарья", 890), (2, -3, "", 890), (4, -4, "", 640))
    )
    own = Score(rank=1234, user_id=9, name="Fay", chips=505, reached=NOON)
    for period, found in product(Period, (scores, ())):
        yield f"top {period}", partial(_top, found, own, period)
        yield _shown(f"place {period}", contests.place_toast, own, period)
        yield _shown(f"no place {period}", contests.place_toast, None, period)
        for nights in ((), ((640, NOON), (1520, NOON))):
            yield _shown(f"nights {period}", contests.own_nights, nights, period=period, asker=9)
    crowns = (
        Crown(month="2026-11", user_id=1, name="Ann", chips=1900),
        Crown(month="2026-10", user_id=-3, name="", chips=9),
    )
    for found_ in ((), crowns):
        yield _shown("hall", contests.hall, found_, title="Poker & Friends", asker=9)
    yield _shown("season", contests.season, SeasonEnd(chat=GROUP, month="2026-11", top=scores))
    for figures_ in _figures():
        for private in (False, True):
            yield "stats", partial(_stats, figures_, private)
    yield _told("caption", stats.night_caption, "Ann", (500, 1520, 480, 640))


def _figures() -> Iterator[Stats]:
    yield Stats()
    yield figures.STATS
    yield replace(figures.STATS, tables=AtTables(hands=12, net=-40, banked=3, bank_net=105))
    yield replace(figures.STATS, best=parse_hand("Ah Kh Qh"), clean_days=1, contests=2)
    yield replace(figures.STATS, titles=2, days=1, places=(1, 2, 1234))
    flawless = replace(figures.WAGERED, given_away=0, best_choices=118)
    yield replace(figures.STATS, wagered=(flawless,))
    yield replace(figures.STATS, wagered=(replace(figures.WAGERED, given_away=1500 * DEALER_HANDS, net=-120_000),))


# Choices and rules


def _settings_view(shown: SettingsPage, page: Page) -> View:
    return settings.view(shown, page, LANGUAGES)


def _settings_said(shown: SettingsPage, page: Page) -> str:
    return settings.said(shown, page, LANGUAGES)


def _settings() -> Iterator[Exhibit]:
    opens = (0, *Setting, *(REGIONS_FROM + region for region in range(len(REGIONS))))
    for open_, options in product(opens, (choices.OPTIONS, Options())):
        shown = choices.group(open_, options, note=refusals.NotAZone("<x>"))
        yield f"settings {open_}", partial(_settings_view, shown)
        own = choices.private(open_)
        yield f"own {open_}", partial(_settings_view, own)
    unset = choices.group()
    yield "settings unset", partial(_settings_view, replace(unset, chat=replace(unset.chat, language="")))
    for setting in Setting:
        if setting is not Setting.OPEN:
            shown = choices.group(changed=setting)
            yield f"set {setting}", partial(_settings_said, shown)


def _rules() -> Iterator[Exhibit]:
    own = (replace(SELMINHA, name=OWN_NAME, pair_plus=None), replace(SIX, name=OWN_NAME))
    for rules in (*PRESETS.values(), *own, choices._dearest()):
        for page_ in RulesPage:
            room = choices.room(rules, page_, Part.PAIR_PLUS)
            if rules.name in PRESETS or page_ is not RulesPage.PRESET:
                yield _shown(f"rules {rules.name} {page_}", passport.view, room)
                yield f"rules of a group {rules.name} {page_}", partial(_in_group(passport.view), room)
            yield _shown(f"rules toast {page_}", passport.said, room)
        yield _shown("rules used", passport.said, choices.room(rules, used=True))
        for part in Part if rules.name in {"selminha", "six-card"} or rules.pair_plus is None else ():
            room = choices.room(rules, RulesPage.PART, part, note=errors.UnknownKey("<b>"))
            yield _shown(f"part {rules.name} {part}", passport.view, room)
    yield "private rules", partial(passport.view, replace(choices.room(SELMINHA), chat=PRIVATE))


# Proofs, one's own data, and what is said by handlers alone


def _proofs() -> Iterator[Exhibit]:
    hand = played(words=("Glück & <b>Socken</b>",))
    broken = replace(hand, commitment="0" * 64)
    for round_ in (hand, played(), broken):
        yield _told("proof", transcripts.proof, round_)
        yield _shown("sealed", transcripts.sealed, round_, own=True)
    opened = round_of(Betting(wager=BET))
    for void in (False, True):
        yield _shown("unopened", transcripts.sealed, replace(opened, void=void), own=True)
    for words, example in (("", None), ("lucky <socks>", hand)):
        yield _shown("story", transcripts.story, words, example, night=example is not None)
    yield from _checked(hand)
    value = board(stages.showdown(), names={**NAMES, 1: ""})
    assert value.shown is not None
    over = replace(value.shown, words=("", "Socken"), commitment=commitment(value.shown.secret))
    for hand_ in (over, replace(over, showdown=None), replace(over, showdown=None, void=True)):
        yield _shown("table proof", table_proof.sealed, TableProof(round=hand_, names=NAMES, member=True))


def _checked(hand: Any) -> Iterator[Exhibit]:
    good = transcripts.transcript(hand)
    _, content = transcripts.transcript_file(hand)
    spoiled: tuple[dict[str, object], ...] = (
        {}, {"secret": "00" * 32}, {"deck": good["deck"][::-1]}, {"v": 2}, {"round": None},  # type: ignore[index]
        {"round": {**good["round"], "out": {**good["round"]["out"], "net": 7}}},  # type: ignore[dict-item,index]
        {"round": {**good["round"], "in": {**good["round"]["in"], "player": "2c 3c 4c"}}},  # type: ignore[dict-item,index]
    )  # fmt: skip
    for change in spoiled:
        mapping = {name: value for name, value in {**good, **change}.items() if value is not None}
        yield _told("checked", transcripts.checked, mapping)
    for lines in (content, content * 3, b"", b"no", b"{}\n{}"):
        yield _told("checked file", transcripts.checked_lines, lines)


def _pages() -> Iterator[Exhibit]:
    for rules in (*PRESETS.values(), replace(SELMINHA, dealer_must_qualify=False), choices._dearest()):
        yield "help", partial(people.help_page, rules=rules)
    for view in (people.welcome_group, own_data.question, own_data.kept, own_data.closed_board,
                 own_data.nothing_stored):  # fmt: skip
        yield view.__name__, view
    for until in (NOON, None):
        yield _shown("break", own_data.about_breaks, until)
    yield _shown("break begun", own_data.break_begun, NOON)
    for operator in ("", "Ann <ann@example.org>"):
        yield "privacy", partial(own_data.privacy, operator=operator)
    for known in (False, True):
        yield "forgotten", partial(own_data.forgotten, known=known)
