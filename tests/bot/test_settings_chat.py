"""A chat's options on a real store, who may deal, who is an admin, and who comes in at the door."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from telegram import ChatMember, ChatMemberAdministrator, ChatMemberLeft, ChatMemberMember, ChatMemberOwner, User
from telegram.error import BadRequest, ChatMigrated, RetryAfter, TelegramError, TimedOut

from bot.facts import Chat, Tap, Verb, Who
from bot.handlers import parsing
from bot.handlers.admins import Admins, Standing
from bot.i18n import own_name
from bot.intake import Why
from bot.intake.door import Door
from bot.options import (
    QUIET_HOURS,
    ZONES,
    Ban,
    Banker,
    Change,
    Options,
    RulesPage,
    Setting,
    Speed,
    language_number,
    options_of,
    with_options,
    zone_named,
    zones_of,
)
from bot.refusals import (
    AdminsUnknown,
    BlackListed,
    BlackListFull,
    DeadKey,
    OnBreak,
    TableChanged,
    TooManyHands,
    from_note,
    noted,
)
from bot.services import rules as rules_services
from bot.services import settings as settings_services
from bot.services.manners import may_deal
from bot.storage import Store
from core.rules import SELMINHA, preset
from core.workshop import Part
from tests.bot.databases import NOW, database, sit, store  # noqa: F401 - fixtures
from tests.bot.sitting import Player
from tests.clock import TurnedClock

GROUP = -1_009_000_000_000_001
ANN = Who(user_id=1, name="Ann", app_language="en", chat_id=GROUP, chat_kind="supergroup", chat_title="Friends")
HIDDEN = replace(ANN, user_id=1_087_968_824, name="Group", as_chat=True)
LANGUAGES = {language_number("de"): "de"}


def setting(what: int, value: int, person: int = 0) -> Tap:
    return Tap(verb=Verb.SETTING, round=person, numbers=(what, value))


def page(what: int, value: int = 0) -> Tap:
    return Tap(verb=Verb.RULES, numbers=(what, value))


# Options as they are stored

_moments = st.datetimes(min_value=datetime(2026, 1, 1), max_value=datetime(2030, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001
_options = st.builds(
    Options,
    speed=st.sampled_from(Speed),
    bank=st.sampled_from(Banker),
    seasons=st.booleans(),
    daily=st.booleans(),
    quiet=st.sampled_from(QUIET_HOURS),
    hands_per_hour=st.sampled_from([0, 20, 60]),
    bans=st.lists(st.builds(Ban, user_id=st.integers(1, 2**52), until=_moments), max_size=3).map(tuple),
    changes=st.lists(st.builds(Change, what=st.sampled_from(Setting), by=st.integers(0, 2**52)), max_size=3).map(tuple),
    draft=st.sampled_from([None, SELMINHA, preset("six-card")]),
)


@given(_options)
def test_options_come_back_as_they_were_stored(options: Options) -> None:
    chat = with_options(Chat(id=GROUP, kind="group", rules=SELMINHA, options={"later": "kept"}), options)
    assert options_of(chat) == options
    assert chat.options["later"] == "kept"
    assert all(isinstance(value, str) for value in chat.options.values())


@pytest.mark.parametrize("name", ["speed", "bank", "quiet", "hands", "bans", "changes", "draft"])
@pytest.mark.parametrize("told", ["?", "[1]", '{"a":1}', "[[1]]"])
def test_an_option_of_another_release_falls_back_alone(name: str, told: str) -> None:
    chat = Chat(id=GROUP, kind="group", rules=SELMINHA, options={name: told, "daily": "1"})
    assert options_of(chat) == Options(daily=True)


def test_only_the_latest_changes_are_said_each_once() -> None:
    options = Options()
    for what in (Setting.SPEED, Setting.BANK, Setting.DAILY, Setting.SPEED, Setting.ZONE):
        options = options.changed(what, 1)
    assert [change.what for change in options.changes] == [Setting.DAILY, Setting.SPEED, Setting.ZONE]


def test_numbers_of_languages_follow_from_their_codes() -> None:
    codes = [
        "en",
        "pt_BR",
        "es",
        "fr",
        "de",
        "it",
        "ru",
        "uk",
        "pl",
        "tr",
        "id",
        "ar",
        "fa",
        "hi",
        "zh_Hans",
        "ja",
        "ko",
    ]
    numbers = {language_number(code) for code in codes}
    assert len(numbers) == len(codes)
    assert all(Tap.unpack(setting(Setting.LANGUAGE, number).pack()) for number in numbers)
    assert language_number("") == 0


def test_languages_are_named_in_their_own_script() -> None:
    assert [own_name(code) for code in ("en", "pt_BR", "ru", "ja")] == [
        "English",
        "português (Brasil)",
        "русский",
        "日本語",
    ]


def test_every_zone_of_the_list_is_one() -> None:
    assert [zone_named(zone) for zone in ZONES] == [*ZONES]
    assert sorted(number for region in range(6) for number in zones_of(region)) == [*range(1, len(ZONES))]


@pytest.mark.parametrize(
    "typed, zone",
    [
        ("europe/kyiv", "Europe/Kyiv"),
        ("america/sao_paulo", "America/Sao_Paulo"),
        ("utc", "UTC"),
        ("", ""),
        ("Kyiv", ""),
        ("../etc/passwd", ""),
        ("/etc/passwd", ""),
        ("Europe", ""),
        ("Europe/Kyiv\0", ""),
        ("x" * 500, ""),
        ("Європа/Київ", ""),
    ],
)
def test_a_typed_zone(typed: str, zone: str) -> None:
    assert zone_named(typed) == zone


@pytest.mark.parametrize(
    "typed, lasting",
    [
        ("7d", timedelta(days=7)),
        ("12 h", timedelta(hours=12)),
        ("4W", timedelta(weeks=4)),
        ("٧d", timedelta(days=7)),
        ("", None),
        ("0d", None),
        ("7", None),
        ("-7d", None),
        ("367d", None),
        ("53w", None),
        ("7d 8d", None),
        ("1e3d", None),
    ],
)
def test_a_typed_span(typed: str, lasting: timedelta | None) -> None:
    assert parsing.duration(typed) == lasting


@pytest.mark.parametrize("kind", [BlackListed, OnBreak])
def test_a_note_keeps_a_moment_with_its_clock(kind: Callable[[datetime], Exception]) -> None:
    until = datetime(2026, 12, 7, 14, tzinfo=ZoneInfo("Europe/Kyiv"))
    again = from_note(noted(kind(until)))
    assert isinstance(again, BlackListed | OnBreak)
    assert again.until == until
    assert again.until.tzinfo == until.tzinfo


def test_a_note_by_a_clock_that_is_known_no_more_is_told_in_utc() -> None:
    again = from_note('["OnBreak", {"at": "2026-12-07T14:00:00+02:00", "zone": "Atlantis/Poseidonis"}]')
    assert isinstance(again, OnBreak)
    assert again.until == datetime(2026, 12, 7, 12, tzinfo=UTC)
    assert again.until.tzinfo is UTC


# The use cases


async def test_each_choice_is_stored_and_said_by_name(store: Store) -> None:  # noqa: F811
    for tap in (
        setting(Setting.LANGUAGE, language_number("de")),
        setting(Setting.ZONE, ZONES.index("Asia/Tokyo")),
        setting(Setting.SPEED, 3),
        setting(Setting.BANK, 1),
        setting(Setting.AWAKE, 5),
        setting(Setting.SEASONS, 1),
        setting(Setting.DAILY, 1),
        setting(Setting.QUIET, 1),
        setting(Setting.HANDS, 20),
    ):
        shown = await store.run(settings_services.change, ANN, tap, languages=LANGUAGES, now=NOW)
        assert shown.options.changes[-1] == Change(what=Setting(tap.numbers[0]), by=ANN.user_id)
        assert shown.names[ANN.user_id] == "Ann"
    kept = await store.read(lambda tx: tx.chats.get(GROUP))
    assert kept is not None
    assert (kept.language, kept.time_zone, kept.awake_boards) == ("de", "Asia/Tokyo", 5)
    assert options_of(kept) == Options(
        speed=Speed.NONE, bank=Banker.HOUSE, seasons=True, daily=True, quiet=QUIET_HOURS[1], hands_per_hour=20,
        changes=shown.options.changes,
    )  # fmt: skip


@pytest.mark.parametrize(
    "tap",
    [
        setting(Setting.LANGUAGE, 1),
        setting(Setting.ZONE, len(ZONES)),
        setting(Setting.SPEED, 4),
        setting(Setting.BANK, 2),
        setting(Setting.AWAKE, 6),
        setting(Setting.SEASONS, 2),
        setting(Setting.QUIET, 99),
        setting(Setting.HANDS, 7),
        setting(Setting.RULES, 0),
        setting(Setting.COACH, 0),
        setting(12, 0),
        setting(10**9, 0),
    ],
)
async def test_f33_a_choice_that_is_none_changes_nothing(store: Store, tap: Tap) -> None:  # noqa: F811
    with pytest.raises(DeadKey):
        await store.run(settings_services.change, ANN, tap, languages=LANGUAGES, now=NOW)
    assert await store.read(lambda tx: tx.chats.get(GROUP)) is None


async def test_f03_an_anonymous_admin_is_nobody(store: Store) -> None:  # noqa: F811
    shown = await store.run(settings_services.change, HIDDEN, setting(Setting.BANK, 1), languages={}, now=NOW)
    assert shown.person is None
    assert shown.options.changes == (Change(what=Setting.BANK, by=0),)
    assert await store.read(lambda tx: tx.people.get(HIDDEN.user_id)) is None


async def test_a_black_list_ends_by_itself_and_has_an_end(store: Store) -> None:  # noqa: F811
    week = timedelta(days=7)
    await store.run(settings_services.black_list, ANN, 5, "Eve", lasting=week, now=NOW)
    shown = await store.run(settings_services.black_list, ANN, 5, "Eve", lasting=2 * week, now=NOW)
    assert shown.options.bans == (Ban(user_id=5, until=NOW + 2 * week),)
    assert shown.names == {1: "Ann", 5: "Eve"}
    later = await store.run(settings_services.page, ANN, open_=0, now=NOW + 2 * week)
    assert later.options.bans == ()


async def test_a_full_black_list_says_so(store: Store) -> None:  # noqa: F811
    for person in range(40):
        await store.run(settings_services.black_list, ANN, 100 + person, "", lasting=timedelta(days=1), now=NOW)
    with pytest.raises(BlackListFull):
        await store.run(settings_services.black_list, ANN, 5, "Eve", lasting=timedelta(days=1), now=NOW)
    await store.run(settings_services.black_list, ANN, 100, "", lasting=timedelta(days=2), now=NOW)


async def test_a_person_can_be_found_and_taken_out_of_every_chat_s_options(store: Store) -> None:  # noqa: F811
    await store.run(settings_services.black_list, ANN, 5_000, "Eve", lasting=timedelta(days=1), now=NOW)
    (chat,) = await store.read(lambda tx: tx.chats.naming(5_000))
    assert await store.read(lambda tx: tx.chats.naming(77)) == []
    clean = with_options(chat, options_of(chat).without_person(5_000).without_person(ANN.user_id))
    assert "5000" not in str(clean.options)
    assert options_of(clean).changes == ()


async def test_hands_an_hour_are_the_settled_ones_of_the_last_hour(store: Store) -> None:  # noqa: F811
    player = Player(store, user_id=1, chat_id=GROUP)
    await player.command(25)

    async def hand(minute: int) -> None:
        player.now = NOW + timedelta(minutes=minute)
        await player.press(Verb.DEAL)
        await player.press(Verb.FOLD)

    await hand(0)  # settled two seconds later
    chat = await store.read(lambda tx: tx.chats.get(GROUP))
    assert chat is not None
    await store.run(lambda tx: tx.chats.put(with_options(chat, Options(hands_per_hour=2))))
    await hand(30)

    with pytest.raises(TooManyHands) as refused:
        await hand(59)
    assert (refused.value.most, refused.value.until) == (2, NOW + timedelta(hours=1, seconds=2))
    await hand(61)


async def test_a_ban_of_one_chat_is_no_ban_elsewhere(store: Store) -> None:  # noqa: F811
    here = await store.run(sit, chat_id=GROUP, user_id=5, now=NOW)
    there = await store.run(sit, chat_id=-200, user_id=5, now=NOW)
    await store.run(settings_services.black_list, ANN, 5, "Eve", lasting=timedelta(hours=1), now=NOW)
    with pytest.raises(BlackListed):
        await store.read(lambda tx: may_deal(tx, here.seat, now=NOW))
    await store.read(lambda tx: may_deal(tx, there.seat, now=NOW))
    await store.read(lambda tx: may_deal(tx, here.seat, now=NOW + timedelta(hours=1)))


async def test_a_step_of_the_draft_is_no_change_and_a_used_table_is_one(store: Store) -> None:  # noqa: F811
    step = page(RulesPage.CHOOSE, Part.ANTE_REQUIRED * 100 + 0)
    made = await store.run(rules_services.change, ANN, step, now=NOW)
    assert made.options.changes == ()
    assert made.chat.rules == SELMINHA
    with pytest.raises(TableChanged):
        await store.run(rules_services.change, ANN, page(RulesPage.USE_DRAFT, 7), now=NOW)
    used = await store.run(rules_services.change, ANN, page(RulesPage.USE_PRESET, 3), now=NOW)
    assert used.chat.rules == preset("six-card")
    assert used.options.draft is not None


@pytest.mark.parametrize(
    "tap",
    [page(9), page(RulesPage.USE_PRESET, 4), page(RulesPage.CHOOSE, 999), page(RulesPage.CHOOSE, 50), page(10**9)],
)
async def test_f33_a_page_that_is_none(store: Store, tap: Tap) -> None:  # noqa: F811
    for act in (rules_services.change, rules_services.look):
        with pytest.raises(DeadKey):
            await store.run(act, ANN, tap, now=NOW)


# Who is an admin

_USER = User(id=1, first_name="Ann", is_bot=False)


def _admin(*, anonymous: bool = False) -> ChatMember:
    rights: dict[str, Any] = dict.fromkeys(
        (
            "can_be_edited", "can_manage_chat", "can_delete_messages", "can_manage_video_chats",
            "can_restrict_members", "can_promote_members", "can_change_info", "can_invite_users", "can_post_stories",
            "can_edit_stories", "can_delete_stories",
        ),
        False,
    )  # fmt: skip
    return ChatMemberAdministrator(user=_USER, is_anonymous=anonymous, **rights)


@dataclass(slots=True)
class Telegram:
    """Answers what it is told, and counts."""

    says: ChatMember | TelegramError
    asked: list[tuple[int, int]] = field(default_factory=list)

    async def get_chat_member(self, chat_id: int, user_id: int) -> ChatMember:
        self.asked.append((chat_id, user_id))
        if isinstance(self.says, TelegramError):
            raise self.says
        return self.says


def admins(telegram: Any, clock: TurnedClock | None = None) -> Admins:
    return Admins(telegram, clock or TurnedClock())


@pytest.mark.parametrize(
    "says, standing",
    [
        pytest.param(ChatMemberOwner(_USER, is_anonymous=False), Standing(admin=True), id="creator"),
        pytest.param(ChatMemberOwner(_USER, is_anonymous=True), Standing(admin=True, hidden=True), id="anonymous"),
        pytest.param(_admin(), Standing(admin=True), id="administrator"),
        pytest.param(_admin(anonymous=True), Standing(admin=True, hidden=True), id="anonymous administrator"),
        pytest.param(ChatMemberMember(_USER), Standing(admin=False), id="member"),
        pytest.param(ChatMemberLeft(_USER), Standing(admin=False), id="left"),
        pytest.param(BadRequest("User not found"), Standing(admin=False), id="unknown to Telegram"),
        pytest.param(BadRequest("PARTICIPANT_ID_INVALID"), Standing(admin=False), id="not in the chat"),
    ],
)
async def test_f107_what_telegram_says_counts(says: ChatMember | TelegramError, standing: Standing) -> None:
    assert await admins(Telegram(says)).standing(GROUP, 1, fresh=True) == standing


@pytest.mark.parametrize("error", [TimedOut(), RetryAfter(5), ChatMigrated(-5), BadRequest("chat not found")])
async def test_no_answer_makes_nobody_an_admin(error: TelegramError) -> None:
    with pytest.raises(AdminsUnknown):
        await admins(Telegram(error)).standing(GROUP, 1, fresh=True)


async def test_a_look_is_remembered_shortly_a_change_asks_anew() -> None:
    clock, telegram = TurnedClock(), Telegram(_admin())
    asked = admins(telegram, clock)
    for _ in range(3):
        await asked.standing(GROUP, 1, fresh=False)
    assert len(telegram.asked) == 1
    await asked.standing(GROUP, 1, fresh=True)
    await asked.standing(GROUP, 2, fresh=False)
    assert len(telegram.asked) == 3
    await clock.advance(30)
    await asked.standing(GROUP, 1, fresh=False)
    assert len(telegram.asked) == 4
    telegram.says = ChatMemberMember(_USER)
    asked.forget(GROUP, 1)
    assert await asked.standing(GROUP, 1, fresh=False) == Standing(admin=False)


async def test_f107_an_answer_that_was_under_way_at_a_change_is_not_remembered() -> None:
    class Overtaken(Telegram):
        async def get_chat_member(self, chat_id: int, user_id: int) -> ChatMember:
            answer = await Telegram.get_chat_member(self, chat_id, user_id)
            asked.forget(chat_id, user_id)  # told before the answer is here: the admin is one no longer
            return answer

    telegram = Overtaken(_admin())
    asked = admins(telegram)
    assert (await asked.standing(GROUP, 1, fresh=False)).admin
    telegram.says = ChatMemberMember(_USER)
    assert not (await asked.standing(GROUP, 1, fresh=False)).admin


async def test_only_so_many_people_are_remembered() -> None:
    asked = admins(Telegram(_admin()))
    for person in range(1100):
        await asked.standing(GROUP, person, fresh=False)
    assert len(asked._known) == 1024


# At the door


def _written(text: str, sender: int, **facts: object) -> dict[str, Any]:
    fake = {"id": 1_087_968_824, "is_bot": True, "first_name": "Group"}
    message = {
        "message_id": 5, "date": int(NOW.timestamp()), "chat": {"id": GROUP, "type": "supergroup"}, "from": fake,
        "sender_chat": {"id": sender, "type": "supergroup"}, "text": text,
    }  # fmt: skip
    return {"update_id": 1, "message": message | facts}


@pytest.mark.parametrize(
    "update, why",
    [
        pytest.param(_written("/settings", GROUP), None, id="F04 settings of this chat"),
        pytest.param(_written("/settings@q64_bot zone UTC", GROUP), None, id="F04 with words"),
        pytest.param(_written("/rules", GROUP), None, id="F04 rules of this chat"),
        pytest.param(_written("/RULES", GROUP), None, id="in capitals"),
        pytest.param(_written("/settings@other_bot", GROUP), Why.OTHER_BOT, id="F64 another bot's"),
        pytest.param(_written("/deal", GROUP), Why.ANONYMOUS, id="F03 never plays"),
        pytest.param(_written("settings", GROUP), Why.ANONYMOUS, id="no command"),
        pytest.param(_written("/settings", -5), Why.CHANNEL, id="F04 another chat's admin"),
        pytest.param(_written("/settings", GROUP, is_automatic_forward=True), Why.AUTOMATIC, id="F05 automatic"),
        pytest.param(_written("/settings", GROUP, forward_origin={}), Why.FORWARD, id="forwarded"),
        pytest.param(_written("/settings", GROUP, via_bot={"id": 7}), Why.ANONYMOUS, id="through a bot"),
    ],
)
def test_f04_who_may_write_as_the_group(update: dict[str, Any], why: Why | None) -> None:
    assert Door(name="q64_bot", started=NOW).look(update, NOW).why is why
