"""The pages of `/settings` and `/rules`: as read, within Telegram's limits, in every design."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

import pytest

from bot.facts import Design, Tap
from bot.options import (
    MOST_BANS,
    REGIONS,
    REGIONS_FROM,
    Ban,
    Change,
    Options,
    QuietHours,
    RulesPage,
    RulesRoom,
    Setting,
    SettingsPage,
)
from bot.refusals import AdminsUnknown, BlackListed, BlackListFull, NotAdmin, TooManyHands
from bot.views import passport, settings
from bot.views.kit import View, length
from bot.views.words import explain
from core.errors import BadRuleSet, Reason
from core.odds import analysis
from core.rules import SELMINHA, RuleSet, merged, preset
from core.workshop import Part, variants
from tests.bot.scenes import ANN, GROUP, NOON, PRIVATE, page, seen

LANGUAGES = {"en": "English", "pt_BR": "português (Brasil)", "ar": "العربية"}
NAMES = {7: "Ann", 9: "<b>Bob</b>"}
OPTIONS = Options(
    quiet=QuietHours(22, 8),
    bans=(Ban(user_id=9, until=NOON + timedelta(days=7)),),
    changes=(Change(what=Setting.RULES, by=7), Change(what=Setting.LANGUAGE, by=9), Change(what=Setting.ZONE, by=0)),
)


def group(open_: int = 0, options: Options = OPTIONS, **facts: object) -> SettingsPage:
    chat = replace(GROUP, language="pt_BR", time_zone="Europe/Kyiv")
    shown = SettingsPage(chat=chat, person=ANN, options=options, open=open_, names=NAMES, now=NOON)
    return replace(shown, **facts)  # type: ignore[arg-type]


def private(open_: int = 0) -> SettingsPage:
    return SettingsPage(chat=PRIVATE, person=ANN, options=Options(), open=open_, names={}, now=NOON)


def room(table: RuleSet, shown: RulesPage = RulesPage.PASSPORT, part: Part | None = None, **facts: object) -> RulesRoom:
    made = RulesRoom(chat=GROUP, person=ANN, options=OPTIONS, page=shown, table=table, part=part, names=NAMES)
    return replace(made, **facts)  # type: ignore[arg-type]


def test_boards_8_settings_of_a_group_as_one_message() -> None:
    assert (
        seen(settings.view(group(), page(private=False), LANGUAGES))
        == """
Settings of Poker Friends
The admins of this chat choose.

Table: Selminha · set by Ann
Language: português (Brasil) · set by &lt;b&gt;Bob&lt;/b&gt;
Time zone: Kyiv · set by an admin
[Language: português (Brasil)] [Time zone: Kyiv]
[Table speed: normal] [Bank: players]
[Boards awake: 3] [Hands an hour: no limit]
[Seasons: off] [Daily deals: off]
[Quiet hours: 22:00 to 8:00] [Black list: 1]
[Table: Selminha]
""".strip()
    )


def test_languages_stand_in_their_own_script_with_the_chosen_one_ticked() -> None:
    shown = seen(settings.view(group(Setting.LANGUAGE), page(private=False), LANGUAGES))
    assert shown.endswith("[English] [✓ português (Brasil)]\n[العربية]\n[Back]")


def test_the_black_list_says_until_when_by_the_chat_s_clock() -> None:
    shown = settings.view(group(Setting.BLACK_LIST), page(private=False), LANGUAGES)
    assert "&lt;b&gt;Bob&lt;/b&gt;: until Dec 7, 14:00 (Kyiv)" in seen(shown)
    (lift,), _ = shown.keys
    assert lift.tap == Tap.unpack("1:S:0:9:a:0")


def test_an_unknown_page_is_the_first_one() -> None:
    first = settings.view(group(), page(private=False), LANGUAGES)
    assert settings.view(group(77), page(private=False), LANGUAGES) == first
    assert settings.view(group(Setting.DESIGN), page(private=False), LANGUAGES) == first


def test_rules_of_a_table_that_is_a_preset() -> None:
    assert (
        seen(passport.view(room(SELMINHA), page(private=False)))
        == """
The table in Poker Friends · Selminha

Ante 5 to 100, required.
Ante bonus 5-4-1.
Pair Plus none, or 5 to 100: 40-30-6-4-1.
Chips of 5, 25, 100, 500; 500 to sit down.
/hands tells which hand each pay is for.

The house’s edge, with the best play
Ante 3.3730 % (686689/20358520)
Element of risk 2.0147 %: of every chip put at risk, Play included.
RTP 96.63 % of the Ante; 97.985 % of all chips bet.
Pair Plus 2.3167 % (128/5525), RTP 97.68 %
Worth playing: Q-6-4 or better.

This is Selminha, unchanged.
A night is played to its end by the rules it began with.

Table: Selminha · set by Ann
[Choose another table]
""".strip()
    )


def test_an_own_table_stands_beside_the_nearest_preset() -> None:
    table = merged({"name": "own table", "ante_bonus": {"three_of_a_kind": 3}, "buy_in": 1000})
    shown = seen(passport.view(room(table, RulesPage.DRAFT), page(private=False)))
    edge = analysis(table).ante.house_edge
    assert f"Ante 3.6083 % ({edge}); Selminha 3.3730 %" in shown
    assert "• Ante bonus: 5-3-1 (there 5-4-1)\n• Buy-in: 1,000 (there 500)" in shown
    assert shown.splitlines()[-6:] == [
        "[Pair Plus: 40-30-6-4-1] [Mini royal: off]",
        "[Ante bonus: 5-3-1] [6-Card Bonus: off]",
        "[Ante required: yes] [Limits: 5 to 100]",
        "[All bets: no maximum] [Chips: 5, 25, 100, 500]",
        "[Buy-in: 1,000]",
        "[Start over] [Back]",
    ]


def test_a_bet_on_which_the_players_have_the_edge_is_said() -> None:
    rich = merged({"pair_plus": {"pair": 2}, "ante_bonus": {"straight": 9}})
    assert "The players have the edge on: Ante, Pair Plus." in seen(passport.view(room(rich), page()))
    assert "The players have the edge" not in seen(passport.view(room(SELMINHA), page()))


def test_boards_rule_3_using_a_table_never_stands_where_a_choice_was_tapped() -> None:
    def use_row(view: View) -> int | None:
        rows = [place for place, row in enumerate(reversed(view.keys)) if row[0].label == "Use this table"]
        return rows[0] if rows else None

    draft = merged({"ante_bonus": None, "name": "own table"})
    for part in Part:
        at = use_row(passport.view(room(draft, RulesPage.DRAFT), page()))
        assert at is not None
        assert at >= len(passport.view(room(draft, RulesPage.PART, part), page()).keys)


def everything() -> Iterator[tuple[str, View]]:
    full = replace(OPTIONS, bans=tuple(Ban(user_id=10**12 + n, until=NOON) for n in range(MOST_BANS)))
    opens = [*Setting, *(REGIONS_FROM + region for region in range(len(REGIONS)))]
    for design in Design:
        for open_ in opens:
            yield f"group {open_}", settings.view(group(open_, full), page(design, private=False), LANGUAGES)
            yield f"own {open_}", settings.view(private(open_), page(design), LANGUAGES)
        for table in (SELMINHA, preset("six-card"), _dearest()):
            for shown in (RulesPage.PASSPORT, RulesPage.MENU, RulesPage.DRAFT):
                yield f"rules {shown}", passport.view(room(table, shown), page(design, private=False))
            for part in Part:
                yield f"part {part}", passport.view(room(table, RulesPage.PART, part), page(design))


def _dearest() -> RuleSet:
    """The longest texts that a table can have."""
    lines = dict.fromkeys(
        ("royal_flush", "straight_flush", "four_of_a_kind", "full_house", "flush", "straight", "three_of_a_kind"),
        99_999,
    )
    return merged(
        {
            "name": "W" * 64,
            "ante_required": False,
            "dealer_must_qualify": False,
            "bonus_if_dealer_wins": False,
            "ante_bonus": {"straight_flush": 99_999, "three_of_a_kind": 99_999, "straight": 99_999},
            "pair_plus": dict.fromkeys(("mini_royal", "straight_flush", "three_of_a_kind", "straight", "flush", "pair"), 99_999),
            "six_card": lines,
            "limits": {"ante": [1, 9_999_999], "pair_plus": [2, 9_999_998], "six_card": [3, 9_999_997], "table": 9_999_999},
            "chips": [1, 20, 300, 4000, 50_000, 600_000, 7_000_000, 9_999_999],
            "buy_in": 9_999_999,
        }
    )  # fmt: skip


def test_f48_f32_every_page_fits_what_telegram_takes() -> None:
    for name, view in everything():
        assert 0 < len(view.text) < 4096, name
        assert len(view.keys) <= 25, name
        for row in view.keys:
            assert 0 < len(row) <= 8, name
            for key in row:
                assert key.label.strip(), name
                assert len(key.label) <= 64, (name, key.label)
                if key.tap is not None:
                    assert Tap.unpack(key.tap.pack()) == key.tap


def test_f26_every_toast_fits() -> None:
    for setting in Setting:
        if setting is not Setting.OPEN:
            shown = group(changed=setting)
            assert 0 < length(settings.said(shown, page(), LANGUAGES)) <= 200
    for table in (SELMINHA, _dearest()):
        for shown_page in RulesPage:
            toast = passport.said(room(table, shown_page, used=shown_page is RulesPage.PASSPORT), page())
            assert length(toast) <= 200


@pytest.mark.parametrize("reason", Reason)
def test_every_reason_is_one_sentence(reason: Reason) -> None:
    told = explain(BadRuleSet("limits.ante", reason), page())
    assert told.startswith("limits.ante: ")
    assert told.endswith(".")
    assert length(explain(BadRuleSet("k" * 5000, reason), page())) <= 200


@pytest.mark.parametrize(
    "refusal",
    [NotAdmin(), AdminsUnknown(), BlackListed(NOON), TooManyHands(1, NOON), TooManyHands(20, NOON), BlackListFull(40)],
)
def test_every_refusal_has_words_of_its_own(refusal: Exception) -> None:
    assert "books cannot be written" not in explain(refusal, page())
    assert length(explain(refusal, page())) <= 200


def test_every_choice_of_a_step_is_ticked_once() -> None:
    for part in Part:
        for made in variants(SELMINHA, part).values():
            keys = passport.view(room(made, RulesPage.PART, part), page()).keys
            assert [key.label.startswith("✓") for row in keys for key in row].count(True) == 1, (part, made)
