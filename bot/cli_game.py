"""The commands about the game alone, without bot or network: odds, hint, settle, verify, rank (DESIGN, commands)."""

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, BinaryIO, Final

import typer

from bot.cli_plain import BAD_INPUT, STANDARD, NoSuchRulesError, exact, print_hint, refuse, rules_named, said
from core.errors import RuleError

if TYPE_CHECKING:  # each command imports the rooms it needs, so that the others start at once
    from core.fair import Failed, Verified
    from core.odds import Analysis, SideOdds

CHUNK: Final = 1 << 16  # bytes
MOST_FILE: Final = 1 << 24  # bytes of transcripts
MOST_LINE: Final = 1 << 20  # bytes; a longer line or transcript is none of ours

Rules = Annotated[str, typer.Option(metavar="NAME|FILE.json", help="A rule set by its name, or a file that has one.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON, for machines.")]


def register(app: typer.Typer) -> None:
    """Add the commands to *app*."""
    for command in (odds, hint, settle, verify, rank):
        app.command(command.__name__)(command)


# odds


def _side_mapping(side: "SideOdds | None") -> dict[str, object] | None:
    if side is None:
        return None
    return {"house_edge": exact(side.house_edge), "rtp": exact(side.rtp), "std_dev": side.std_dev}


def _odds_mapping(name: str, analysed: "Analysis") -> dict[str, object]:
    ante = analysed.ante
    return {
        "rules": name,
        "ante": {
            "house_edge": exact(ante.house_edge),
            "rtp": exact(ante.rtp),
            "element_of_risk": exact(ante.element_of_risk),
            "rtp_per_chip": exact(ante.rtp_per_chip),
            "std_dev": ante.std_dev,
            "hands_played": exact(ante.hands_played),
        },
        "pair_plus": _side_mapping(analysed.pair_plus),
        "six_card": _side_mapping(analysed.six_card),
        "worst_hand_played": analysed.worst_hand_played,
    }


def _odds_text(name: str, analysed: "Analysis") -> Iterator[str]:
    ante = analysed.ante
    yield f"Rules: {name}"
    yield "Ante and Play, best play:"
    yield f"  house edge       {float(ante.house_edge):9.4%}  of the Ante ({ante.house_edge})"
    yield f"  RTP              {float(ante.rtp):9.4%}  of the Ante"
    yield f"  element of risk  {float(ante.element_of_risk):9.4%}  of every chip bet, Play included"
    yield f"  RTP              {float(ante.rtp_per_chip):9.4%}  of every chip bet"
    yield f"  spread           {ante.std_dev:9.4f}  standard deviation, in Antes"
    yield f"  hands played     {float(ante.hands_played):9.4%}  the weakest: {analysed.worst_hand_played or 'none'}"
    for bet, side in (("Pair Plus", analysed.pair_plus), ("6-Card Bonus", analysed.six_card)):
        if side is None:
            yield f"{bet}: off"
            continue
        yield f"{bet}:"
        yield f"  house edge       {float(side.house_edge):9.4%}  ({side.house_edge})"
        yield f"  RTP              {float(side.rtp):9.4%}"
        yield f"  spread           {side.std_dev:9.4f}  standard deviation, in stakes"


def odds(*, rules: Rules = STANDARD, as_json: Json = False) -> None:
    """Exact house edge, RTP and spread of every bet of a rule set."""
    from core.odds import analysis

    try:
        rule_set = rules_named(rules)
    except RuleError as error:
        raise typer.Exit(refuse(error, as_json=as_json)) from None
    except NoSuchRulesError as error:
        raise typer.BadParameter(str(error), param_hint="--rules") from None
    analysed = analysis(rule_set)
    if as_json:
        print(json.dumps(_odds_mapping(rule_set.name, analysed)))
        return
    for line in _odds_text(rule_set.name, analysed):
        print(line)


# hint


def hint(
    cards: Annotated[list[str], typer.Argument(metavar="CARDS", help='Your three cards, as "Qh 6c 4d".')],
    *,
    rules: Rules = STANDARD,
    as_json: Json = False,
) -> None:
    """What playing and folding exactly these cards is worth, in Antes."""
    try:
        status = print_hint(" ".join(cards), rules, as_json=as_json)
    except NoSuchRulesError as error:
        raise typer.BadParameter(str(error), param_hint="--rules") from None
    if status:
        raise typer.Exit(status)


# Lines in, lines out


class _LineTooLongError(Exception):
    """Raised when a line is longer than MOST_LINE."""


def _batches(source: BinaryIO) -> Iterator[list[bytes]]:
    """Whole lines, as many as have come; of one that is longer than MOST_LINE only the beginning."""
    rest, cut = b"", False
    while chunk := source.read1(CHUNK):  # type: ignore[attr-defined]
        *lines, rest = (rest + chunk).split(b"\n")
        if cut and lines:
            del lines[0]  # the end of the line that was cut
            cut = False
        if cut:
            rest = b""
        elif len(rest) > MOST_LINE:
            lines.append(rest)
            rest, cut = b"", True
        yield lines
    yield [rest]


def _answer_lines(answer: Callable[[bytes], bytes]) -> None:
    """
    Answer standard input line by line, errors in place, in constant memory; exit with 1 if there was one.

    What has come is answered at once, so that the other side may wait for each answer.
    """
    failed = False
    refused = (RuleError, ValueError, _LineTooLongError)
    source, sink = sys.stdin.buffer, sys.stdout.buffer
    for lines in _batches(source):
        answers: list[bytes] = []
        for line in lines:
            if not line or line.isspace():
                continue
            try:
                if len(line) > MOST_LINE:
                    raise _LineTooLongError
                answers.append(answer(line))
            except refused as error:
                failed = True
                answers.append(_line_error(error))
        if answers:
            sink.write(b"\n".join([*answers, b""]))
            sink.flush()
    if failed:
        raise typer.Exit(BAD_INPUT)


def _line_error(error: Exception) -> bytes:
    if isinstance(error, RuleError):
        words = said(error)
    elif isinstance(error, _LineTooLongError):
        words = {"type": "line_too_long", "message": f"a line has at most {MOST_LINE} bytes"}
    elif isinstance(error, UnicodeDecodeError):
        words = {"type": "not_utf8", "message": "this line is not UTF-8"}
    else:
        words = {"type": "not_json", "message": str(error)}
    return json.dumps({"error": words}).encode()


def settle(*, as_json: Json = True) -> None:  # noqa: ARG001 - it prints nothing else, and takes the flag all the same
    """Referee: rounds as JSON lines from standard input, settled as JSON lines to standard output."""
    import orjson

    from core.referee import referee

    loads, dumps = orjson.loads, orjson.dumps

    def settled(line: bytes) -> bytes:
        answer = referee(loads(line))
        try:
            return dumps(answer)
        except TypeError:  # chips of more than 64 bits come out of the largest that went in
            return json.dumps(answer, ensure_ascii=False, separators=(",", ":")).encode()

    _answer_lines(settled)


def rank(*, as_json: Json = False) -> None:
    """Category and strength, 1 to 741, of hands from standard input, one a line."""
    from core.cards import cards_text, parse_hand
    from core.ranking import strength

    def ranked(line: bytes) -> bytes:
        hand = parse_hand(line.decode())
        held = strength(hand)
        category, text = held.category.value, cards_text(hand)
        if as_json:
            return json.dumps({"cards": text, "category": category, "strength": held.value}).encode()
        return f"{text}  {category.replace('_', ' ')}  {held.value}".encode()

    _answer_lines(ranked)


# verify


def _transcripts(file: str) -> list[object]:
    """
    The transcripts in *file*: one JSON text, or one a line; None for what is no JSON.

    Raises BadParameter where there is no such file.
    """
    try:
        if file == "-":
            written = sys.stdin.buffer.read(MOST_FILE + 1)
        else:
            with Path(file).open("rb") as source:
                written = source.read(MOST_FILE + 1)
    except OSError as error:
        raise typer.BadParameter(f"{file}: {error.strerror}", param_hint="FILE") from None
    if len(written) > MOST_FILE:
        return [None]
    lines = [line for line in written.splitlines() if line.strip()]
    each = [_parsed(line) for line in lines]
    return each if len(each) > 1 and all(isinstance(one, dict) for one in each) else [_parsed(written)]


def _parsed(written: bytes) -> object:
    from core.fair import single_keys

    try:
        return json.loads(written, object_pairs_hook=single_keys)
    except (ValueError, RecursionError):
        return None


def _failure(failed: "Failed") -> str:
    """The first thing that does not hold, in a sentence."""
    differs = f"{failed.at} should be {failed.right}, and is {failed.found}"
    if failed.refusal is not None:
        return f"{failed.at}: {said(failed.refusal)['message']}"
    sentences = {
        "format": f"{failed.at} is missing, or is not what a transcript has there" if failed.at else "not a transcript",
        "commitment": f"the secret is not the one that was committed to: {differs}",
        "deck": f"secret, words and nonce shuffle another deck: {differs}",
        "cards": f"the deck gives other cards: {differs}",
        "payout": f"the round pays otherwise: {differs}",
    }
    return sentences[failed.step]


def verify(
    file: Annotated[str, typer.Argument(metavar="FILE|-", help="A transcript; - reads standard input.")],
    *,
    as_json: Json = False,
) -> None:
    """Check a transcript, or a file of many, one a line: commitment, deck, cards and pay-outs; offline."""
    from core.fair import Failed
    from core.fair import verify as verified

    transcripts = _transcripts(file)
    failed = 0
    nets: list[int] = []
    for place, transcript in enumerate(transcripts, start=1):
        outcome = verified(transcript)
        failed += isinstance(outcome, Failed)
        nets += _nets(outcome)
        print(_verdict(outcome, as_json=as_json, place=place if len(transcripts) > 1 else 0))
    if len(nets) > 1 and not failed and not as_json:
        print(f"All {len(nets)} hands together: {sum(nets):+,} chips.")
    if failed:
        raise typer.Exit(BAD_INPUT)


def _nets(outcome: "Verified | Failed") -> tuple[int, ...]:
    """The chips won or lost by the one player of a hand that holds; a contest's result is the sum of them."""
    from core.fair import Verified

    played = outcome.transcript.round if isinstance(outcome, Verified) else None
    net = played.settled.get("net") if played is not None else None
    return (net,) if isinstance(net, int) else ()


def _verdict(outcome: "Verified | Failed", *, as_json: bool, place: int) -> str:
    """One line: what holds, or the first thing that does not; *place* in a file of several, else 0."""
    from core.fair import Failed

    line = f"{place}: " if place else ""
    if isinstance(outcome, Failed):
        message = _failure(outcome)
        if as_json:
            return json.dumps({"ok": False, "failed": outcome.step.value, "message": message})
        return f"{line}Does not hold ({outcome.step.value}): {message}."
    if as_json:
        return json.dumps({"ok": True})
    whole = outcome.transcript.round is not None
    number = f"hand {outcome.transcript.nonce}, " if place else ""
    return f"{line}Holds: {number}{'commitment, deck, cards and pay-outs' if whole else 'commitment and deck'}."
