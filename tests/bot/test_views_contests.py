"""The top five as people see it (BOARDS section 5, F43, F44, F108)."""

from __future__ import annotations

import re

from bot.events import Crown, SeasonEnd
from bot.facts import Chat, Score, Tap, Verb
from bot.periods import Period
from bot.views import contests
from bot.views.kit import View
from tests.bot.scenes import NOON, SELMINHA, page

ANN, BOB, CY, DARYA, EVE, FAY = range(9_000_000_000_001, 9_000_000_000_007)


def score(rank: int, user: int, name: str, chips: int) -> Score:
    return Score(rank=rank, user_id=user, name=name, chips=chips, reached=NOON)


FIVE = (
    score(1, ANN, "Ann", 1240),
    score(2, BOB, "Bob", 890),
    score(2, CY, "Cy", 890),
    score(4, DARYA, "Дарья", 640),
    score(5, EVE, "Eve", 610),
)


def top(scores: tuple[Score, ...] = FIVE, own: Score | None = None, title: str = "Poker Friends") -> View:
    return contests.top(
        scores, own, page(private=False), title=title, period=Period.WEEK, ends=NOON, zone_name="Europe/Kyiv", asker=FAY
    )


def plain(view: View) -> str:
    return re.sub(r"<[^>]+>|[\u2068\u2069]", "", view.text)


def test_boards_5_ties_share_a_rank_and_the_asker_stands_below() -> None:
    assert plain(top(own=score(9, FAY, "Fay", 505))) == (
        "🏆 Poker Friends · this week\n1. Ann · 1,240\n2. Bob · 890\n2. Cy · 890\n4. Дарья · 640\n5. Eve · 610\n"
        "Fay · place 9 · 505\nNew week: Nov 30, 14:00 (Kyiv)"
    )


def test_the_asker_among_the_five_is_not_said_twice() -> None:
    assert plain(top(own=FIVE[4])).count("Eve") == 1


def test_keys_turn_the_period_and_keep_the_asker() -> None:
    week, month, ever = top().keys[0]

    assert [key.label for key in (week, month, ever)] == ["● Week", "Month", "All time"]
    assert month.tap == Tap(verb=Verb.TOP, round=FAY, numbers=(1,))


def test_f43_somebody_without_a_name_is_shown_decently() -> None:
    """Two of them on one board are told apart, by a tag that is the same wherever they stand."""
    ghosts = (score(1, ANN, "\u200b\u2060", 10), score(2, -(2**62) - 77, "", 5))

    shown = plain(top(ghosts))

    assert "1. someone #1001 · 10" in shown
    assert "2. someone #1981 · 5" in shown
    crown = Crown(month="2026-11", user_id=ghosts[1].user_id, name="", chips=5)
    hall = contests.hall((crown,), page(), title="Poker Friends", asker=ANN)
    assert "Nov 2026: someone #1981 · 5" in plain(hall)


def test_f44_names_and_titles_are_escaped_once() -> None:
    view = top((score(1, ANN, "A <3 B & Co", 10),), title="Tom & <i>Co</i>")

    assert "A &lt;3 B &amp; Co" in view.text
    assert "Tom &amp; &lt;i&gt;Co&lt;/i&gt;" in view.text


def test_f46_direction_overrides_cannot_turn_a_line() -> None:
    view = top((score(1, ANN, "\u202ekcirb", 10),))

    assert "\u202e" not in view.text
    assert "\u2068kcirb\u2069 · 10" in view.text


def test_f46_a_group_s_title_cannot_turn_a_line_or_leave_its_isolate() -> None:
    title = "Poker\u2069\u202e Friends"
    crown = Crown(month="2026-11", user_id=BOB, name="Bob", chips=5)
    ended = SeasonEnd(chat=Chat(id=-1, kind="group", title=title, rules=SELMINHA), month="2026-11", top=())

    for view in (
        top((), title=title),
        contests.hall((crown,), page(), title=title, asker=ANN),
        contests.season(ended, page()),
    ):
        assert "<b>\u2068Poker Friends\u2069</b>" in view.text


def test_an_empty_board_says_how_to_get_on_it() -> None:
    assert "No night has ended here in this time. /deal begins one" in plain(top(()))


def test_in_private_ones_own_best_nights() -> None:
    view = contests.own_nights(((640, NOON), (520, NOON)), page(), period=Period.ALL_TIME, asker=ANN)

    assert plain(view) == "🏆 Your best nights · all time\n1. 640 · Nov 30\n2. 520 · Nov 30"


def test_my_place_is_a_toast() -> None:
    said = contests.place_toast(score(2, BOB, "Bob", 890), Period.WEEK, page())

    assert said == "You: place 2 this week, 890 chips."
