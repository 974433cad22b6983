"""Everything beside the rounds: people, chats, seats, the ledger, boards, and ids that are given once."""

from __future__ import annotations

import json
from collections.abc import Sequence
from zoneinfo import ZoneInfo

from bot.facts import NOBODY, Design, Face, event_id_of
from bot.refusals import from_note
from bot.services.audit.findings import Finding, Findings, differs, unless, wrong
from bot.services.audit.rounds import Rules, readable
from bot.storage import rule_sets
from bot.storage.inspection import Inspection
from bot.storage.sql import Row
from core import fair
from core.rules import merged

EVENT = "event"  # the kind of a chat that is an event's place
KINDS = ("private", "group", "supergroup")
_SHAPES = {
    "buy_in": ({"mint", "seat"},),
    "deal": ({"seat", "round"},),
    "settle": ({"round", "house"}, {"round", "seat"}, {"round", "seat", "house"}),
    "cashed": ({"seat", "score"},),
    "broke": ({"seat", "score"},),
    "forgotten": ({"seat", "score"},),
    "moved": ({"seat", "mint"}, {"round", "mint"}),
    "returned": ({"round", "seat"},),
    "orphaned": ({"seat", "mint"},),  # a hand at a table ended after somebody in it was forgotten
    "table_bank": ({"seat", "bank"},),
    "table_ready": ({"seat", "round"},),
}
_OF_MANY = {
    "table_returned": {"round", "bank", "seat"},
    "table_settled": {"round", "bank", "seat", "house"},
}
"""At a table several people may be given chips at once."""
_ENDINGS = {"cashed": "cashed", "broke": "broke", "forgotten": None}
_TAKES_BACK = {"seat", "round", "house", "score", "mint"}


def rule_set_rows(look: Inspection) -> Findings:
    """Each stands under the number that follows from its content."""
    for page in look.pages("rule_sets"):
        for row in page:
            rules = readable(lambda text: merged(json.loads(text)), row["content"])
            if rules is None:
                yield wrong("rule_sets", row["id"], "content", "a rule set", row["content"])
                continue
            right, content = rule_sets.encode(rules)
            yield from differs("rule_sets", row["id"], "content", content, row["content"])
            yield from differs("rule_sets", row["id"], "id", right, row["id"])


def people(look: Inspection, page: Sequence[Row]) -> Findings:
    """Each was there before the first seat, and chose what can be chosen."""
    seated = look.first_seats(row["id"] for row in page)
    for row in page:
        id_, words = row["id"], row["words"]
        yield from unless(row["design"] in [*Design], "people", id_, "design", "a card design", row["design"])
        yield from unless(
            readable(fair.checked_words, words) == words, "people", id_, "words", "words fit to be used", words
        )
        first = seated.get(id_, row["first_seen"])
        yield from unless(
            row["first_seen"] <= first, "people", id_, "first_seen", f"{first} or before", row["first_seen"]
        )


def chats(look: Inspection, page: Sequence[Row]) -> Findings:
    """Each is of a kind that its number has, with choices that can be read; one that moved has gone somewhere."""
    moved = look.by_id("chats", (row["moved_to"] for row in page if row["moved_to"] is not None))
    for row in page:
        id_, options = row["id"], readable(json.loads, row["options"])
        kinds = KINDS[:1] if id_ > 0 else KINDS[1:] if event_id_of(id_) is None else (EVENT,)
        yield from unless(id_ <= NOBODY or row["kind"] in kinds, "chats", id_, "kind", " or ".join(kinds), row["kind"])
        fit = isinstance(options, dict) and all(isinstance(value, str) for value in options.values())
        yield from unless(fit, "chats", id_, "options", "choices by name", row["options"])
        yield from unless(
            readable(ZoneInfo, row["time_zone"]), "chats", id_, "time_zone", "a time zone", row["time_zone"]
        )
        yield from unless(row["awake_boards"] >= 0, "chats", id_, "awake_boards", "0 or more", row["awake_boards"])
        if row["moved_to"] is not None:
            yield from unless(row["moved_to"] in moved, "chats", id_, "moved_to", "a chat that exists", row["moved_to"])
            yield from differs("chats", id_, "active", 0, row["active"])


def seats(look: Inspection, page: Sequence[Row], rules: Rules) -> Findings:
    """Each has the chips that the ledger says, and points to the one night and round that are open."""
    ids = [row["id"] for row in page]
    booked, first = look.balances("seat", ids), look.first_nights(ids)
    rounds, nights = look.open_rounds(ids), look.open_nights(ids)
    here = look.by_id("chats", (row["chat_id"] for row in page))
    known = look.by_id("people", (row["user_id"] for row in page))
    night_rows = look.by_id("nights", (row["night_id"] for row in page if row["night_id"] is not None))
    for row in page:
        id_ = row["id"]
        yield from differs("seats", id_, "chips", booked.get(id_, 0), row["chips"])
        yield from differs("seats", id_, "night_id", _only(nights.get(id_)), row["night_id"])
        yield from differs("seats", id_, "round_id", _only(rounds.get(id_)), row["round_id"])
        yield from unless(row["chat_id"] in here, "seats", id_, "chat_id", "a chat that exists", row["chat_id"])
        yield from unless(
            row["user_id"] in known or row["user_id"] <= NOBODY,
            "seats",
            id_,
            "user_id",
            "a person who exists",
            row["user_id"],
        )
        if id_ in first:
            yield from unless(
                row["opened"] <= first[id_], "seats", id_, "opened", f"{first[id_]} or before", row["opened"]
            )
        night = night_rows.get(row["night_id"])
        tray = rules(night["rules_id"]) if night is not None else None
        if tray is not None:
            yield from unless(row["chip"] in tray.chips, "seats", id_, "chip", "a chip of the tray", row["chip"])


def _only(ids: list[int] | None) -> int | str | None:
    if not ids:
        return None
    return ids[0] if len(ids) == 1 else f"one of {ids}"


def movements(look: Inspection, page: Sequence[Row]) -> Findings:
    """Each is balanced, of a shape that its reason has, and happened when what it is about did."""
    lines = look.lines_of(row["id"] for row in page)
    of_seats = {line["ref"] for all_ in lines.values() for line in all_ if line["kind"] == "seat"}
    opened, moved = look.nights_opened(of_seats), look.nights_moved(of_seats)
    nights = look.by_id("nights", {line["ref"] for all_ in lines.values() for line in all_ if line["kind"] == "score"})
    held = {line["ref"] for all_ in lines.values() for line in all_ if line["kind"] in {"round", "bank"}}
    rounds, shared = look.by_id("rounds", held), look.by_id("table_rounds", held)
    seated = look.by_id("seats", of_seats)
    for row in page:
        own = lines.get(row["id"], [])
        yield from _booked(row, own)
        yield from _accounts(row, own, seats=seated, rounds={**rounds, **shared}, nights=nights, banks=shared)
        chips = {line["kind"]: line for line in own}
        if row["why"] == "buy_in" and "seat" in chips:
            sat = (chips["seat"]["ref"], row["at"], chips["seat"]["chips"])
            yield from unless(
                sat in opened, "movements", row["id"], "at", "the start of a night with this buy-in", row["at"]
            )
        elif row["why"] == "moved" and "seat" in chips:
            left = (chips["seat"]["ref"], row["at"])
            yield from unless(left in moved, "movements", row["id"], "at", "the moment the chat moved", row["at"])


def _booked(row: Row, own: Sequence[Row]) -> Findings:
    """Lines that sum to zero, in order, between accounts that such a movement has."""
    id_, why = row["id"], row["why"]
    yield from unless(own, "movements", id_, "", "a movement with lines", "none")
    yield from differs("movements", id_, "chips", 0, sum(line["chips"] for line in own))
    for place, line in enumerate(own):
        yield from differs("entries", f"{id_}.{line['line']}", "line", place, line["line"])
    kinds = {line["kind"] for line in own}
    if why == "void":
        fits = kinds <= _TAKES_BACK
    elif why in _OF_MANY:
        fits = kinds <= _OF_MANY[why]
    else:
        fits = len(kinds) == len(own) and kinds in _SHAPES.get(why, ())
    yield from unless(
        not own or fits, "movements", id_, "why", "accounts that such a movement has", f"{why} of {sorted(kinds)}"
    )
    of_a_round = why in {"deal", "settle", "void", "returned"} or why.startswith("table_")
    yield from unless(
        (row["round_id"] is not None) == of_a_round,
        "movements",
        id_,
        "round_id",
        "a round, for a hand",
        row["round_id"],
    )


def _accounts(
    row: Row,
    own: Sequence[Row],
    *,
    seats: dict[int, Row],
    rounds: dict[int, Row],
    nights: dict[int, Row],
    banks: dict[int, Row],
) -> Findings:
    """Every line stands with somebody who exists."""
    known = {"seat": seats, "round": rounds, "score": nights, "bank": banks}
    for line in own:
        place, kind, ref = f"{row['id']}.{line['line']}", line["kind"], line["ref"]
        there = ref in known[kind] if kind in known else ref == 0
        yield from unless(there, "entries", place, "ref", f"a {kind} that exists", ref)
        if kind in {"round", "bank"} and row["round_id"] is not None:
            yield from differs("movements", row["id"], "round_id", ref, row["round_id"])
        if kind == "score" and there and row["why"] in _ENDINGS:
            night = nights[ref]
            right = next((why for why, ending in _ENDINGS.items() if ending == night["ending"]), None)
            yield from differs("movements", row["id"], "why", right, row["why"])
            yield from differs("movements", row["id"], "at", night["closed"], row["at"])
            yield from unless(
                all(each["ref"] == night["seat_id"] for each in own if each["kind"] == "seat"),
                "entries", place, "ref", f"the night of that seat, {night['seat_id']}", ref,
            )  # fmt: skip


def boards(look: Inspection, page: Sequence[Row]) -> Findings:
    """Each shows a round of its seat, in the seat's chat or its person's."""
    rounds = look.by_id("rounds", (row["round_id"] for row in page))
    homes = look.homes(row["seat_id"] for row in page)
    for row in page:
        id_, round_, places = row["id"], rounds.get(row["round_id"]), homes.get(row["seat_id"])
        owner = None if round_ is None else round_["seat_id"]
        yield from unless(round_ is not None, "boards", id_, "round_id", "a round that exists", row["round_id"])
        yield from differs("boards", id_, "seat_id", owner if round_ is not None else row["seat_id"], row["seat_id"])
        yield from unless(row["face"] in [*Face], "boards", id_, "face", "a page of a board", row["face"])
        told = not row["note"] or readable(lambda note: [from_note(note)], row["note"]) is not None
        yield from unless(told, "boards", id_, "note", "a note that can be read", row["note"])
        order = 0 <= row["painted"] <= row["wanted"] and row["wanted"] >= 1
        yield from unless(order, "boards", id_, "painted", f"0 to {row['wanted']}", row["painted"])
        if places is not None:
            yield from unless(row["chat_id"] in places, "boards", id_, "chat_id", f"one of {places}", row["chat_id"])


def malfunctions(look: Inspection, page: Sequence[Row]) -> Findings:
    """Each is of a round that is void since that moment, with what was wrong and how it stood."""
    rounds = look.by_id("rounds", (row["round_id"] for row in page))
    for row in page:
        id_, round_ = row["round_id"], rounds.get(row["round_id"])
        if round_ is not None:
            yield from differs("rounds", id_, "void", 1, round_["void"])
            yield from differs("malfunctions", id_, "at", round_["voided"], row["at"])
        findings, evidence = readable(json.loads, row["findings"]), readable(json.loads, row["evidence"])
        yield from unless(
            findings and isinstance(findings, list), "malfunctions", id_, "findings", "what was wrong", row["findings"]
        )
        yield from unless(
            isinstance(evidence, dict), "malfunctions", id_, "evidence", "the round as it was", row["evidence"]
        )


def sequences(look: Inspection) -> Findings:
    """An id is never given twice: old keyboards and seals name it."""
    for table, given, highest in look.sequences():
        yield from unless(given >= highest, table, "", "sequence", f"{highest} or more", given)


def damaged(look: Inspection) -> Findings:
    """What the database itself finds wrong with its file."""
    for line in look.damage():
        yield Finding(table="database", id="", column="", right="a sound file", found=line)
