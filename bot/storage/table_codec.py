"""A table as JSON, exactly: decode(encode(table), table.rules) == table; its rules are stored by their number."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, assert_never

import orjson

from bot.storage.codec import settlement_from, settlement_mapping
from core.banking import BankedSettlement, SettledSeat
from core.betting import Wager
from core.cards import Hand, cards_text, parse_hand
from core.rules import RuleSet
from core.settlement import Decision, Lines
from core.table import (
    Bank,
    Bet,
    Betting,
    Closed,
    Deciding,
    Ended,
    House,
    Lobby,
    Offered,
    Player,
    Rotation,
    Seat,
    Showdown,
    Stage,
    Table,
    Unbanked,
    Wish,
    phase,
)

Json = dict[str, Any]
Stored = Mapping[str, Any]


def encode(table: Table) -> str:
    """The table as JSON text, its rules left out; so is whatever is as at the start."""
    content = {
        "house": table.house.value,
        "seats": [_seat(seat) for seat in table.seats],
        "stage": {"name": phase(table), **_stage(table.stage)},
        "rotation": _without_defaults(_rotation(table.rotation)),
        "hand": table.hand,
        "turn": table.turn,
        "deadline": table.deadline,
        "closing": table.closing,
    }
    return orjson.dumps(_without_defaults(content)).decode()


def decode(text: str, rules: RuleSet) -> Table:
    """The table that encode() made a text of. Raises ValueError for a stage of another release."""
    stored = orjson.loads(text)
    return Table(
        rules=rules,
        house=House(stored["house"]),
        seats=tuple(map(_seat_from, stored.get("seats", ()))),
        stage=_stage_from(stored["stage"]),
        rotation=Rotation(**stored.get("rotation", {})),
        hand=stored["hand"],
        turn=stored.get("turn", 0),
        deadline=stored.get("deadline"),
        closing=stored.get("closing", False),
    )


def encode_showdown(showdown: Showdown) -> str:
    """A hand that is over, as its round keeps it."""
    return orjson.dumps(_stage(showdown)).decode()


def decode_showdown(text: str) -> Showdown:
    """The hand that encode_showdown() made a text of."""
    return _showdown_from(orjson.loads(text))


def _without_defaults(content: Json) -> Json:
    """What is none, false, nought or empty is what an absent key means."""
    return {name: value for name, value in content.items() if value not in (None, False, 0, [], {}, ())}


def _seat(seat: Seat) -> Json:
    return _without_defaults(
        {
            "user": seat.user,
            "last": None if seat.last is None else _wager(seat.last),
            "wish": None if seat.wish is None else seat.wish.value,
            "absences": seat.absences,
            "leaving": seat.leaving,
        }
    )


def _seat_from(stored: Stored) -> Seat:
    wish = stored.get("wish")
    return Seat(
        user=stored["user"],
        last=_wager_or_none(stored.get("last")),
        wish=None if wish is None else Wish(wish),
        absences=stored.get("absences", 0),
        leaving=stored.get("leaving", False),
    )


def _rotation(rotation: Rotation) -> Json:
    return {
        "banker": rotation.banker,
        "house": rotation.house,
        "hands": rotation.hands,
        "mark": rotation.mark,
        "before": rotation.before,
    }


def _stage(stage: Stage) -> Json:  # noqa: PLR0911 - one for each stage
    match stage:
        case Lobby() | Unbanked():
            return {}
        case Offered():
            return {"user": stage.user, "passed": stage.passed}
        case Betting():
            bets = {"drafts": [*map(_bet, stage.drafts)], "ready": [*map(_bet, stage.ready)]}
            return {"bank": _bank(stage.bank), **bets, "awaited": stage.awaited}
        case Closed():
            return {"bank": _bank(stage.bank), "bets": [*map(_bet, stage.bets)]}
        case Deciding():
            return _hand_in_play(stage)
        case Showdown():
            return {**_hand_in_play(stage), "settled": _settled(stage.settled), "gave_up": stage.gave_up}
        case Ended():
            return {"showdown": None if stage.showdown is None else _stage(stage.showdown)}
        case _:
            assert_never(stage)


def _stage_from(stored: Stored) -> Stage:  # noqa: PLR0911 - one for each stage
    match stored["name"]:
        case "lobby":
            return Lobby()
        case "unbanked":
            return Unbanked()
        case "offered":
            return Offered(user=stored["user"], passed=tuple(stored["passed"]))
        case "betting":
            return Betting(
                bank=_bank_from(stored["bank"]),
                drafts=_bets_from(stored["drafts"]),
                ready=_bets_from(stored["ready"]),
                awaited=tuple(stored["awaited"]),
            )
        case "closed":
            return Closed(bank=_bank_from(stored["bank"]), bets=_bets_from(stored["bets"]))
        case "deciding":
            return Deciding(
                bank=_bank_from(stored["bank"]), dealer=parse_hand(stored["dealer"]), players=_players_from(stored)
            )
        case "showdown":
            return _showdown_from(stored)
        case "ended":
            return Ended(showdown=None if stored["showdown"] is None else _showdown_from(stored["showdown"]))
        case unknown:
            raise ValueError(unknown)


def _hand_in_play(stage: Deciding | Showdown) -> Json:
    players = [_player(player) for player in stage.players]
    return {"bank": _bank(stage.bank), "dealer": _cards(stage.dealer), "players": players}


def _showdown_from(stored: Stored) -> Showdown:
    return Showdown(
        bank=_bank_from(stored["bank"]),
        dealer=parse_hand(stored["dealer"]),
        players=_players_from(stored),
        settled=_settled_from(stored["settled"]),
        gave_up=tuple(stored["gave_up"]),
    )


def _players_from(stored: Stored) -> tuple[Player, ...]:
    return tuple(map(_player_from, stored["players"]))


def _player(player: Player) -> Json:
    return {
        "user": player.user,
        "wager": _wager(player.wager),
        "cards": _cards(player.hand),
        "decision": None if player.decision is None else player.decision.value,
        "looked": player.looked,
        "auto": player.auto,
    }


def _player_from(stored: Stored) -> Player:
    decision = stored["decision"]
    return Player(
        user=stored["user"],
        wager=Wager(**stored["wager"]),
        hand=parse_hand(stored["cards"]),
        decision=None if decision is None else Decision(decision),
        looked=stored["looked"],
        auto=stored["auto"],
    )


def _cards(hand: Hand) -> str:
    return cards_text(hand)


def _bank(bank: Bank) -> Json:
    return {"user": bank.user, "chips": bank.chips}


def _bank_from(stored: Stored) -> Bank:
    return Bank(user=stored["user"], chips=stored["chips"])


def _bet(bet: Bet) -> Json:
    return {"user": bet.user, "wager": _wager(bet.wager)}


def _bets_from(stored: list[Stored]) -> tuple[Bet, ...]:
    return tuple(Bet(user=bet["user"], wager=Wager(**bet["wager"])) for bet in stored)


def _wager(wager: Wager) -> Json:
    return _without_defaults({"ante": wager.ante, "pair_plus": wager.pair_plus, "six_card": wager.six_card})


def _wager_or_none(stored: Stored | None) -> Wager | None:
    return None if stored is None else Wager(**stored)


def _settled(settled: BankedSettlement) -> Json:
    return {
        "seats": [
            {"full": settlement_mapping(seat.against_full), "lines": _lines(seat.lines)} for seat in settled.seats
        ],
        "banker_net": settled.banker_net,
        "lost": settled.lost,
        "due": settled.due,
    }


def _settled_from(stored: Stored) -> BankedSettlement:
    return BankedSettlement(
        seats=tuple(
            SettledSeat(against_full=settlement_from(seat["full"]), lines=Lines(**seat["lines"]))
            for seat in stored["seats"]
        ),
        banker_net=stored["banker_net"],
        lost=stored["lost"],
        due=stored["due"],
    )


def _lines(lines: Lines) -> Json:
    return _without_defaults(
        {
            "ante": lines.ante,
            "play": lines.play,
            "ante_bonus": lines.ante_bonus,
            "pair_plus": lines.pair_plus,
            "six_card": lines.six_card,
        }
    )
