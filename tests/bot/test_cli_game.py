"""The commands about the game: what they print for people and machines, and how they end."""

import json
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from bot import cli_game
from bot.cli_plain import quick, said
from core.errors import TooFewCards
from core.fair import PlayedRound, opened, transcript_mapping
from core.referee import referee

SOLO = {
    "rules": "selminha",
    "player": "Qh 6c 4d",
    "dealer": "Js Td 8c",
    "ante": 25,
    "pair_plus": 5,
    "six_card": 0,
    "decision": "play",
}
SOLO_OUT = {
    "result": "not_qualified",
    "dealer_qualifies": False,
    "player_category": "high_card",
    "dealer_category": "high_card",
    "lines": {"ante": 25, "play": 0, "ante_bonus": 0, "pair_plus": -5, "six_card": 0},
    "net": 20,
}
SECRET = bytes(range(32))

Run = Callable[..., Result]


@pytest.fixture(name="q64")
def _q64() -> Run:
    app = typer.Typer()
    cli_game.register(app)

    def run(*arguments: str, given: str | bytes = b"") -> Result:
        return CliRunner().invoke(app, list(arguments), input=given)

    return run


def lines_of(result: Result) -> list[dict[str, object]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


# odds


def test_odds_for_machines(q64: Run) -> None:
    result = q64("odds", "--json")
    odds = json.loads(result.stdout)

    assert result.exit_code == 0
    assert list(odds) == ["rules", "ante", "pair_plus", "six_card", "worst_hand_played"]
    assert odds["rules"] == "selminha"
    assert list(odds["ante"]) == ["house_edge", "rtp", "element_of_risk", "rtp_per_chip", "std_dev", "hands_played"]
    assert odds["ante"]["house_edge"] == {"fraction": "686689/20358520", "value": 686689 / 20358520}
    assert Fraction(odds["ante"]["rtp"]["fraction"]) == 1 - Fraction(686689, 20358520)
    assert Fraction(odds["ante"]["hands_played"]["fraction"]) == Fraction(14_900, 22_100)
    assert f"{odds['ante']['std_dev']:.4f}" == "1.6393"
    assert list(odds["pair_plus"]) == ["house_edge", "rtp", "std_dev"]
    assert odds["pair_plus"]["house_edge"]["fraction"] == "128/5525"
    assert odds["six_card"] is None
    assert odds["worst_hand_played"] == "Q-6-4"


def test_odds_for_people_say_which_rtp_it_is(q64: Run) -> None:
    text = q64("odds", "--rules", "six-card").stdout

    for figure in ("3.3730%", "96.6270%  of the Ante", "97.9853%  of every chip bet", "Q-6-4", "2.3167%", "10.2248%"):
        assert figure in text
    assert "6-Card Bonus: off" in q64("odds").stdout


def test_odds_of_a_file(q64: Run, tmp_path: Path) -> None:
    file = tmp_path / "friday.json"
    file.write_text('{"pair_plus": {"flush": 3}}')
    odds = json.loads(q64("odds", "--rules", str(file), "--json").stdout)

    assert odds["rules"] == "friday"
    assert f"{odds['pair_plus']['house_edge']['value']:.4%}" == "7.2760%"


@pytest.mark.parametrize(
    "written",
    ["", "[]", "{", '{"pair_plus": {"flush": -1}}', '{"unheard": 1}', "\xff", '{"buy_in": 1e400}', "[" * 100_000],
)
def test_a_bad_rules_file_is_bad_input(q64: Run, tmp_path: Path, written: str) -> None:
    file = tmp_path / "bad.json"
    file.write_bytes(written.encode("latin-1"))
    result = q64("odds", "--rules", str(file), "--json")

    assert result.exit_code == 1
    assert json.loads(result.stdout)["error"]["type"] == "bad_rule_set"
    assert q64("odds", "--rules", str(file)).stdout == ""


@pytest.mark.parametrize("arguments", [["odds"], ["hint", "Qh 6c 4d"]])
def test_rules_that_are_not_there_are_wrong_usage(q64: Run, arguments: list[str], tmp_path: Path) -> None:
    assert q64(*arguments, "--rules", "vegas").exit_code == 2
    assert q64(*arguments, "--rules", str(tmp_path)).exit_code == 2


# hint


def test_hint_for_machines(q64: Run) -> None:
    result = q64("hint", "Qh 6c 4d", "--json")

    assert result.exit_code == 0
    assert json.loads(result.stdout) == {
        "advice": "play",
        "play": {"fraction": "-9151/9212", "value": -9151 / 9212},
        "fold": {"fraction": "-1/1", "value": -1.0},
        "outcomes": {"not_qualified": 5758, "win": 305, "tie": 26, "lose": 12335},
    }


@pytest.mark.parametrize("cards", [["Qh 6c 3d"], ["Qh", "6c", "3d"], ["qH,6C,3D"], ["Q♥ 6♣ 3♦"]])
def test_hint_for_people(q64: Run, cards: list[str]) -> None:
    result = q64("hint", *cards)

    assert result.exit_code == 0
    assert result.stdout.startswith("Fold.\n  play  -1.00")


@pytest.mark.parametrize(
    "cards, kind",
    [
        ("Qh Qh 4d", "repeated_card"),
        ("Qh 6c", "wrong_hand_size"),
        ("Qh 6c 1d", "unknown_card"),
        ("", "wrong_hand_size"),
    ],
)
def test_cards_that_are_none_are_bad_input(q64: Run, cards: str, kind: str) -> None:
    as_json = q64("hint", cards, "--json")
    result = q64("hint", cards)

    assert (as_json.exit_code, result.exit_code) == (1, 1)
    assert json.loads(as_json.stdout)["error"]["type"] == kind
    assert result.stdout == ""
    assert result.stderr


def test_hint_without_cards_is_wrong_usage(q64: Run) -> None:
    assert q64("hint").exit_code == 2


@pytest.mark.parametrize(
    "arguments",
    [
        ["hint", "Qh 6c 4d"],
        ["hint", "Qh", "6c", "4d", "--json"],
        ["hint", "--json", "--rules", "california", "Ah Kh Qh"],
        ["hint", "--json", "Qh 6c"],
    ],
)
def test_the_quick_hint_says_what_the_command_says(
    q64: Run, arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    result = q64(*arguments)

    assert quick(arguments) == result.exit_code
    assert capsys.readouterr().out == result.stdout


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["odds"],
        ["hint"],
        ["hint", "--help"],
        ["hint", "Qh 6c 4d", "--rules", "vegas"],
        ["hint", "--rules"],
        ["hint", "-x"],
    ],
)
def test_what_is_not_plain_is_typers(arguments: list[str]) -> None:
    assert quick(arguments) is None


def test_the_quick_hint_loads_neither_typer_nor_the_bot() -> None:
    look = (
        "import sys; from bot.cli_plain import quick; quick(['hint', 'Qh 6c 4d']); print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", look], capture_output=True, text=True, check=True)  # noqa: S603 - our own words
    loaded = set(done.stderr.split())

    assert done.stdout.startswith("Play.")
    assert not loaded & {"typer", "pydantic", "rich", "telegram", "babel", "orjson", "asyncio", "sqlite3", "hmac"}


# settle


def test_settle_answers_line_by_line(q64: Run) -> None:
    result = q64("settle", given="\n".join([json.dumps(SOLO), "", "   ", json.dumps(SOLO)]))

    assert result.exit_code == 0
    assert lines_of(result) == [SOLO_OUT, SOLO_OUT]


def test_settle_settles_tables_too(q64: Run) -> None:
    seats = [{"name": "Ann", "player": "5h 6c 7d", "ante": 20, "pair_plus": 10, "decision": "play"}]
    given = {"rules": "california", "bank": 100, "banker": "Qs 9d 4c", "seats": seats}

    assert lines_of(q64("settle", given=json.dumps(given))) == [referee(given)]


@pytest.mark.parametrize(
    "line, kind",
    [
        pytest.param(b"{", "not_json", id="no JSON"),
        pytest.param(b"\xff\xfe{}", "not_json", id="no UTF-8"),
        pytest.param(b'{"player":"\xff"}', "not_json", id="no UTF-8 within"),
        pytest.param(b'{"ante":NaN}', "not_json", id="NaN"),
        pytest.param(b'{"ante":Infinity}', "not_json", id="infinity"),
        pytest.param(b'{"ante":1e999}', "not_json", id="infinity in digits"),
        pytest.param(b"[" * 5000, "not_json", id="too deep"),
        pytest.param(b"\x00", "not_json", id="a zero byte"),
        pytest.param(b"[]", "not_a_round", id="a list"),
        pytest.param(b"null", "not_a_round", id="null"),
        pytest.param(b"5", "not_a_round", id="a number"),
        pytest.param(b"{}", "not_a_round", id="nothing"),
        pytest.param(b" " + b"9" * (1 << 21), "line_too_long", id="two million digits"),
    ],
)
def test_settle_goes_on_after_what_is_no_round(q64: Run, line: bytes, kind: str) -> None:
    good = json.dumps(SOLO).encode()
    result = q64("settle", given=b"\n".join([good, line, good, b""]))
    first, error, last = lines_of(result)

    assert result.exit_code == 1
    assert first == last == SOLO_OUT
    assert list(error) == ["error"]
    assert isinstance(error["error"], dict)
    assert error["error"]["type"] == kind
    assert error["error"]["message"]


@pytest.mark.parametrize(
    "changed, kind",
    [
        ('"ante":true', "bad_amount"),
        ('"ante":2.5', "bad_amount"),
        ('"ante":"5"', "bad_amount"),
        ('"ante":-5', "bad_amount"),
        ('"ante":18446744073709551615', "bad_amount"),
        ('"ante":18446744073709551616', "bad_amount"),
        ('"ante":123456789012345678901234567890', "bad_amount"),
        ('"player":"Qh 6c 4x"', "unknown_card"),
        ('"dealer":"Qh Td 8c"', "repeated_card"),
        ('"player":"Qh"', "wrong_hand_size"),
        ('"six_card":5', "bet_off"),
        ('"decision":"raise"', "unknown_decision"),
        ('"rules":"vegas"', "unknown_rule_set"),
        ('"rules":{"chips":[]}', "bad_rule_set"),
        ('"bet":5', "unknown_key"),
    ],
)
def test_settle_names_what_is_wrong(q64: Run, changed: str, kind: str) -> None:
    result = q64("settle", given=json.dumps(SOLO)[:-1] + "," + changed + "}")

    assert result.exit_code == 1
    assert [answer["error"]["type"] for answer in lines_of(result)] == [kind]  # type: ignore[index]


def test_settle_with_the_largest_chips_counts_on(q64: Run) -> None:
    """What comes out may be larger than 64 bits."""
    most = 2**63 - 1
    given = json.dumps(SOLO | {"ante": most, "pair_plus": most, "player": "Ah Kh Qh"})
    (answer,) = lines_of(q64("settle", given=given))

    assert answer["net"] == most + 5 * most + 40 * most


def test_settle_answers_before_the_input_ends() -> None:
    """A program may ask, read the answer, and ask again."""
    app = "import typer; from bot import cli_game; app = typer.Typer(); cli_game.register(app); app()"
    with subprocess.Popen(  # noqa: S603 - our own words
        [sys.executable, "-c", app, "settle"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for _ in range(2):
            process.stdin.write(json.dumps(SOLO).encode() + b"\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline()) == SOLO_OUT
        process.stdin.close()

    assert process.returncode == 0


def test_a_line_in_many_chunks_is_one_line(q64: Run) -> None:
    blanks = " " * 300_000

    assert lines_of(q64("settle", given=(json.dumps(SOLO) + blanks + "\n") * 3)) == [SOLO_OUT] * 3


# rank


def test_rank_for_machines(q64: Run) -> None:
    result = q64("rank", "--json", given="Ah Kh Qh\r\n\n10h 9♣ 2d\n5h 3c 2d")

    assert result.exit_code == 0
    assert lines_of(result) == [
        {"cards": "Ah Kh Qh", "category": "straight_flush", "strength": 741},
        {"cards": "Th 9c 2d", "category": "high_card", "strength": lines_of(result)[1]["strength"]},
        {"cards": "5h 3c 2d", "category": "high_card", "strength": 1},
    ]


def test_rank_for_people(q64: Run) -> None:
    assert q64("rank", given="2h 2c 2d\n").stdout == "2h 2c 2d  three of a kind  717\n"


def test_rank_goes_on_after_an_error(q64: Run) -> None:
    result = q64("rank", "--json", given=b"Ah Kh\n\xff\nAh Kh Qh\n")

    assert result.exit_code == 1
    assert [next(iter(answer)) for answer in lines_of(result)] == ["error", "error", "cards"]


# verify


def transcript() -> dict[str, object]:
    given = {"rules": "selminha", "player": "Qc 9c Js", "dealer": "5s Kd 3c", "ante": 25, "decision": "play"}
    return transcript_mapping(opened(SECRET, ("",), 1, PlayedRound(given=given, settled=referee(given))))


@pytest.mark.parametrize("from_file", [True, False])
def test_verify_an_honest_transcript(q64: Run, tmp_path: Path, from_file: bool) -> None:
    file = tmp_path / "deal.json"
    file.write_text(json.dumps(transcript()))
    source = [str(file)] if from_file else ["-"]
    given = b"" if from_file else file.read_bytes()

    assert json.loads(q64("verify", *source, "--json", given=given).stdout) == {"ok": True}
    people = q64("verify", *source, given=given)
    assert people.exit_code == 0
    assert people.stdout == "Holds: commitment, deck, cards and pay-outs.\n"


@pytest.mark.parametrize(
    "changed, step",
    [
        ({"v": 2}, "format"),
        ({"nonce": None}, "format"),
        ({"round": {"in": {"rules": "vegas", "player": "Qc 9c Js", "dealer": "5s Kd 3c"}, "out": {}}}, "format"),
        ({"commitment": "0" * 64}, "commitment"),
        ({"nonce": 2}, "deck"),
        ({"round": {"in": {"player": "Qc 9c Js", "dealer": "5s Kd 3d", "pair_plus": 5}, "out": {}}}, "cards"),
        ({"round": {"in": {"player": "Qc 9c Js", "dealer": "5s Kd 3c", "pair_plus": 5}, "out": {}}}, "payout"),
    ],
)
def test_verify_names_the_first_thing_that_does_not_hold(q64: Run, changed: dict[str, object], step: str) -> None:
    given = json.dumps(transcript() | changed)
    result = q64("verify", "-", "--json", given=given)
    answer = json.loads(result.stdout)

    assert result.exit_code == 1
    assert list(answer) == ["ok", "failed", "message"]
    assert (answer["ok"], answer["failed"]) == (False, step)
    assert answer["message"]
    people = q64("verify", "-", given=given)
    assert people.exit_code == 1
    assert people.stdout.startswith(f"Does not hold ({step}): ")


@pytest.mark.parametrize(
    "given",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"{", id="no JSON"),
        pytest.param(b"\xff", id="no UTF-8"),
        pytest.param(b"[" * 100_000, id="too deep"),
        pytest.param(b'{"nonce":' + b"9" * 5000 + b"}", id="a number beyond all bounds"),
        pytest.param(json.dumps(transcript()).replace('"v": 1', '"v": 2, "v": 1', 1).encode(), id="one key twice"),
        pytest.param(b" " * (1 << 21), id="two million blanks"),
    ],
)
def test_what_cannot_be_read_fails_at_its_format(q64: Run, given: bytes) -> None:
    result = q64("verify", "-", "--json", given=given)

    assert result.exit_code == 1
    assert json.loads(result.stdout)["failed"] == "format"


def test_a_file_that_is_not_there_is_wrong_usage(q64: Run, tmp_path: Path) -> None:
    assert q64("verify", str(tmp_path / "none.json")).exit_code == 2
    assert q64("verify", str(tmp_path)).exit_code == 2
    assert q64("verify").exit_code == 2


def test_verify_needs_only_core_beyond_typer() -> None:
    app = "import sys, typer; from bot import cli_game; app = typer.Typer(); cli_game.register(app)\n"
    run = "app(['verify', '-', '--json'], standalone_mode=False); print(*sys.modules, file=sys.stderr)"
    done = subprocess.run(  # noqa: S603 - our own words
        [sys.executable, "-c", app + run], input=json.dumps(transcript()), capture_output=True, text=True, check=True
    )
    loaded = set(done.stderr.split())

    assert json.loads(done.stdout) == {"ok": True}
    assert not loaded & {"telegram", "babel", "orjson", "sqlite3", "aiosqlite", "aiohttp", "sqlalchemy", "structlog"}


# words


def test_a_refusal_without_a_sentence_of_its_own_still_says_something() -> None:
    assert said(TooFewCards(54, 52)) == {"type": "too_few_cards", "message": "too few cards"}


def night(*spoilt: int) -> str:
    """Three deals in one file, a transcript a line; the *spoilt* ones with another secret."""
    lines = []
    for nonce in (1, 2, 3):
        transcript = transcript_mapping(opened(bytes([nonce] * 32), ("",), nonce))
        if nonce in spoilt:
            transcript["secret"] = "00" * 32
        lines.append(json.dumps(transcript))
    return "\n".join(lines) + "\n"


def test_a_whole_night_is_verified_from_one_file(q64: Run, tmp_path: Path) -> None:
    file = tmp_path / "night.jsonl"
    file.write_text(night())

    done = q64("verify", str(file))

    assert (done.exit_code, done.output.splitlines()) == (
        0,
        [f"{place}: Holds: hand {place}, commitment and deck." for place in (1, 2, 3)],
    )


def test_hands_that_hold_are_added_up_to_a_result(q64: Run, tmp_path: Path) -> None:
    file = tmp_path / "contest-7.jsonl"
    file.write_text(night() + f"{json.dumps(transcript())}\n" * 2)
    net = json.loads(json.dumps(transcript()))["round"]["out"]["net"]

    lines = q64("verify", str(file)).output.splitlines()

    assert lines[-1] == f"All 2 hands together: {2 * net:+,} chips."
    assert len(lines) == 6
    assert len(q64("verify", str(file), "--json").output.splitlines()) == 5


def test_one_bad_hand_of_a_night_is_named_and_the_rest_is_checked_all_the_same(q64: Run, tmp_path: Path) -> None:
    file = tmp_path / "night.jsonl"
    file.write_text(night(2))

    done = q64("verify", str(file), "--json")

    assert done.exit_code == 1
    assert [json.loads(line)["ok"] for line in done.output.splitlines()] == [True, False, True]
