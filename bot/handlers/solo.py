"""Taps and words of solo play: unpack, run the use case, show, say."""

from __future__ import annotations

from dataclasses import replace

from bot.facts import SoloBoard, Tap, Verb, Who
from bot.handlers import outings, parsing
from bot.handlers.desk import Desk
from bot.handlers.kit import Answer, Commands, Said, Taps, mark_of
from bot.handlers.places import DOOR, enter, new_code
from bot.handlers.transcripts import SEAL, seal
from bot.refusals import HintByTap
from bot.services import people, solo, solo_hand, solo_pages
from bot.views import ranking
from bot.views.coach import hint_alert
from bot.views.kit import View
from bot.views.toasts import tapped


def _shown(desk: Desk, tap: Tap, value: SoloBoard) -> Answer:
    desk.show(value)
    return Answer(text=tapped(value, tap.verb, desk.toast_page(value)))


async def _bet(desk: Desk, who: Who, tap: Tap, query_id: str) -> Answer:
    value = await desk.run(solo_hand.bet, who, tap, mark=mark_of(query_id), now=desk.clock.now())
    return _shown(desk, tap, value)


async def _deal(desk: Desk, who: Who, tap: Tap, _query_id: str) -> Answer:
    value = await desk.run(solo_hand.deal, who, tap, secret=desk.chance(), now=desk.clock.now())
    return _shown(desk, tap, value)


async def _decide(desk: Desk, who: Who, tap: Tap, _query_id: str) -> Answer:
    value = await desk.run(solo_hand.decide, who, tap, secret=desk.chance(), now=desk.clock.now())
    return _shown(desk, tap, value)


async def _turn(desk: Desk, who: Who, tap: Tap, _query_id: str) -> Answer:
    value = await desk.run(solo_pages.turn, who, tap, now=desk.clock.now())
    return _shown(desk, tap, value)


async def _design(desk: Desk, who: Who, tap: Tap, _query_id: str) -> Answer:
    value = await desk.run(solo_pages.design, who, tap, now=desk.clock.now())
    return _shown(desk, tap, value)


async def _leave(desk: Desk, who: Who, tap: Tap, _query_id: str) -> Answer:
    value = await desk.run(solo_pages.leave, who, tap, now=desk.clock.now())
    return _shown(desk, tap, value)


async def _new_night(desk: Desk, who: Who, tap: Tap, _query_id: str) -> Answer:
    value = await desk.run(solo_pages.new_night, who, tap, secret=desk.chance(), now=desk.clock.now())
    return _shown(desk, tap, value)


async def _hint(desk: Desk, who: Who, tap: Tap, _query_id: str) -> Answer:
    advised = await desk.store.read(solo_hand.hint, who, tap)
    return Answer(
        text=hint_alert(advised.dealt, advised.advice, advised.rules, await desk.reader_page(who)), alert=True
    )


async def _hands(desk: Desk, who: Who, tap: Tap, query_id: str) -> Answer:
    """In a private chat a page of the board; in a group an alert, which costs no edit and is nobody else's business."""
    if who.chat_kind == "private":
        return await _turn(desk, who, tap, query_id)
    rules = await desk.store.read(solo_hand.rules_of, who, tap)
    return Answer(text=ranking.hand_ranking_alert(rules, await desk.reader_page(who)), alert=True)


TAPS: Taps = {
    **dict.fromkeys((Verb.CHIP, Verb.ADD, Verb.TAKE, Verb.HALF, Verb.DOUBLE, Verb.MAX, Verb.CLEAR, Verb.REPEAT), _bet),
    Verb.DEAL: _deal,
    Verb.PLAY: _decide,
    Verb.FOLD: _decide,
    Verb.HINT: _hint,
    Verb.HANDS: _hands,
    Verb.CHANGE_BET: _turn,
    Verb.CASH_OUT: _turn,
    Verb.KEEP: _turn,
    Verb.BACK: _turn,
    Verb.PROOF: _turn,
    Verb.LEAVE: _leave,
    Verb.NEW_NIGHT: _new_night,
    Verb.DESIGN: _design,
}


async def deal_command(desk: Desk, who: Who, said: Said, *, welcome: bool = False) -> None:
    """`/deal [ante] [pair plus]`; an unchanged board that is near gets a nod, not a picture."""
    brought = await desk.run(
        solo.deal_command,
        who,
        amounts=parsing.amounts(said.rest),
        update_id=said.update_id,
        secret=desk.chance(),
        door=new_code(desk),
        now=desk.clock.now(),
        welcome=welcome,
    )
    desk.show(brought.board, doubtful=brought.unchanged)
    if brought.unchanged:
        desk.sign(who, "👌")


async def start_command(desk: Desk, who: Who, said: Said) -> None:
    """`/start`: the first board of a night, with a welcome in the private chat; with a seal, what it seals."""
    if (door := DOOR.fullmatch(said.rest)) is not None and who.chat_kind == "private":
        await enter(desk, who, door[1], said)
        return
    if (event := outings.DOOR.fullmatch(said.rest)) is not None and who.chat_kind == "private":
        await outings.enter(desk, who, event[1], said)
        return
    if SEAL.fullmatch(said.rest):
        await seal(desk, who, said.rest)
        return
    private = who.chat_kind == "private"
    if private:
        await desk.run(people.started, who, now=desk.clock.now())
    await deal_command(desk, who, replace(said, rest=""), welcome=private)


async def cashout_command(desk: Desk, who: Who, said: Said) -> None:
    """`/cashout`: leaves without asking."""
    desk.show(await desk.run(solo_pages.cashout_command, who, update_id=said.update_id, now=desk.clock.now()))


async def hint_command(desk: Desk, who: Who, _said: Said) -> None:
    """`/hint`: an answer in private; in a group everybody would read it, so the board points to the key."""
    advised = await desk.store.read(solo_hand.hint_word, who)
    if who.chat_kind != "private":
        raise HintByTap
    desk.say(who, View(text=hint_alert(advised.dealt, advised.advice, advised.rules, await desk.reader_page(who))))


async def hands_command(desk: Desk, who: Who, _said: Said) -> None:
    """`/hands`: what beats what, and what it pays at this chat's table."""
    page = await desk.here_page(who)
    desk.say(who, View(text=ranking.hand_ranking(page.rules or solo.HOUSE_RULES, page)))


COMMANDS: Commands = {
    "start": start_command,
    "deal": deal_command,
    "hint": hint_command,
    "hands": hands_command,
    "cashout": cashout_command,
}


async def word(desk: Desk, who: Who, verb: Verb, said: Said) -> None:
    """A typed word does what its key does."""
    if verb is Verb.HINT:
        await hint_command(desk, who, said)
        return
    value = await desk.run(solo.word, who, verb, update_id=said.update_id, secret=desk.chance(), now=desk.clock.now())
    desk.show(value)
