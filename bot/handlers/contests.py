"""`/top` with its hall of champions, and `/contest`."""

from __future__ import annotations

from bot.events import CONTESTS, Terms, checked
from bot.facts import Tap, Verb, Who
from bot.handlers import contest_words, gate
from bot.handlers.calendar import closed_now
from bot.handlers.desk import Desk
from bot.handlers.event_pictures import contest_picture
from bot.handlers.kit import Answer, Commands, Said, Taps
from bot.periods import Period
from bot.refusals import BadWords, DeadKey, GroupsOnly, NoContest
from bot.services import contest_course, contests, solo
from bot.services.contest_course import Shown
from bot.services.manners import no_board
from bot.services.standings import own_nights
from bot.views import contests as views
from bot.views import standings
from bot.views.kit import View
from core.errors import RuleError

_ENDINGS = {"end": False, "close": False, "cancel": True, "off": True}  # what is typed, and whether nothing counts


async def top_command(desk: Desk, who: Who, _said: Said) -> None:
    """`/top`: this week's five, and the place of whoever asked; in private one's own best nights."""
    desk.say(who, await _top(desk, who, Period.WEEK, asker=who.user_id))


async def _top_key(desk: Desk, who: Who, tap: Tap, _query_id: str) -> Answer:
    """On a top five the key turns its page; on a board, which has a number, it asks for a new message."""
    view = await _top(desk, who, _period(tap), asker=tap.round or who.user_id)
    if tap.board or who.message_id is None:
        desk.say(who, view)
    else:
        await desk.store.read(no_board, who)
        desk.edit(who, view)
    return Answer()


async def _my_place(desk: Desk, who: Who, tap: Tap, _query_id: str) -> Answer:
    period = _period(tap)
    own = await desk.store.read(contests.my_place, who, period, now=desk.clock.now())
    return Answer(text=views.place_toast(own, period, await desk.reader_page(who)))


async def _champions(desk: Desk, who: Who, _tap: Tap, _query_id: str) -> Answer:
    """The hall of champions, in the message of the top five."""
    await desk.store.read(no_board, who)
    crowns = await desk.store.read(contests.champions, who)
    page = await desk.here_page(who)
    desk.edit(who, views.hall(crowns, page, title=who.chat_title, asker=who.user_id))
    return Answer()


async def _top(desk: Desk, who: Who, period: Period, *, asker: int) -> View:
    found = await desk.store.read(contests.top, who, period, asker=asker, now=desk.clock.now())
    private = who.chat_kind == "private"
    page = desk.page(found.person, found.chat, private=private, app_language=who.app_language)
    if private:
        return views.own_nights(found.nights, page, period=period, asker=asker)
    return views.top(
        found.scores,
        found.own,
        page,
        title=who.chat_title or (found.chat.title if found.chat else ""),
        period=period,
        ends=found.ends,
        zone_name=found.zone,
        asker=asker,
        crowned=found.crowned,
    )


def _period(tap: Tap) -> Period:
    try:
        return Period(tap.numbers[0])
    except ValueError:
        raise DeadKey from None


# Contests


async def contest_command(desk: Desk, who: Who, said: Said) -> None:
    """
    `/contest`: the standings for everybody; admins make one where none is under way, and end or cancel it.

    `/contest 3d 20 hands best of 3` shows that one, and one tap starts it.
    """
    if who.chat_kind == "private":
        raise GroupsOnly
    call_off = _ENDINGS.get(said.rest.lower())
    if call_off is not None:
        await gate.spoken(desk, who, lambda: _ask_to_close(desk, who, call_off=call_off))
        return
    try:
        shown = await desk.run(contest_course.bring, who, update_id=said.update_id, now=desk.clock.now())
    except NoContest:
        await gate.spoken(desk, who, lambda: _offer(desk, who, said.rest))
        return
    picture = contest_picture(shown, desk.page(None, shown.standings.chat, private=False))
    desk.painter.show(picture, doubtful=shown.unchanged)
    if shown.unchanged:
        desk.sign(who, "👌")


async def _offer(desk: Desk, who: Who, words: str) -> None:
    """The contest as typed, or as usual with a note where the words cannot be held."""
    page = await desk.here_page(who)
    rules = page.rules or solo.HOUSE_RULES
    typed = contest_words.terms(words)
    terms, note = typed or Terms(), None if typed else BadWords()
    try:
        checked(terms, rules)
    except RuleError as refusal:
        desk.say(who, standings.maker(Terms(), page, note=refusal))
        return
    desk.say(who, standings.maker(terms, page, note=note))


def _terms(tap: Tap) -> Terms:
    kind, hands, nights, hours = tap.numbers
    if kind >= len(CONTESTS):
        raise DeadKey
    return Terms(kind=CONTESTS[kind], hands=hands, nights=nights, hours=hours)


async def _make(desk: Desk, who: Who, tap: Tap, query_id: str) -> Answer:
    """Another draft, in the same message; nothing is kept but what its keys say."""
    terms = _terms(tap)
    page = await desk.here_page(who)
    checked(terms, page.rules or solo.HOUSE_RULES)

    async def act(_hidden: bool) -> Answer:
        await desk.store.read(no_board, who)  # asked here: the contest may have been started during the look-up
        desk.edit(who, standings.maker(terms, page))
        return Answer()

    return await gate.tapped(desk, who, query_id, act, fresh=False)


async def _start(desk: Desk, who: Who, tap: Tap, query_id: str) -> Answer:
    terms = _terms(tap)

    async def act(_hidden: bool) -> Answer:
        shown = await desk.run(contest_course.start, who, terms, chance=desk.chance(), now=desk.clock.now())
        _paint(desk, shown)
        return Answer(text=(await desk.reader_page(who)).t("The contest has begun."))

    return await gate.tapped(desk, who, query_id, act, fresh=True)


def _paint(desk: Desk, shown: Shown) -> None:
    desk.painter.show(contest_picture(shown, desk.page(None, shown.standings.chat, private=False)))


async def _ask_to_close(desk: Desk, who: Who, *, call_off: bool) -> None:
    event = await desk.store.read(contest_course.ask_to_close, who)
    desk.say(who, standings.ask(event, await desk.here_page(who), call_off=call_off))


async def _close(desk: Desk, who: Who, tap: Tap, query_id: str) -> Answer:
    """Yes or no to ending a contest; of two admins who tap at once, one ends it (F113)."""
    what = tap.numbers[0]
    await desk.store.read(no_board, who)

    async def act(hidden: bool) -> Answer:
        page = await desk.reader_page(who)
        text = page.t("It goes on.")
        if what:
            off, now = what == 2, desk.clock.now()
            closed = await desk.run(contest_course.close_by_admin, who, tap.round, call_off=off, hidden=hidden, now=now)
            await closed_now(desk, closed)
            text = page.t("The contest is called off.") if off else page.t("The contest is over.")
        if who.message_id is not None:
            desk.painter.aside(desk.painter.take_keys_off(who.chat_id, who.message_id))
        return Answer(text=text)

    return await gate.tapped(desk, who, query_id, act, fresh=True)


async def _my_nights(desk: Desk, who: Who, tap: Tap, _query_id: str) -> Answer:
    found = await desk.store.read(own_nights, who, tap.round)
    return Answer(text=standings.own_alert(found, await desk.reader_page(who)), alert=True)


TAPS: Taps = {
    Verb.TOP: _top_key,
    Verb.MY_PLACE: _my_place,
    Verb.CHAMPIONS: _champions,
    Verb.CONTEST_MAKE: _make,
    Verb.CONTEST_START: _start,
    Verb.CONTEST_CLOSE: _close,
    Verb.CONTEST_NIGHTS: _my_nights,
}
COMMANDS: Commands = {"top": top_command, "contest": contest_command}
