"""The group table: one player banks for the others, as far as the bank covers (CAL; RULES section 3)."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from core.betting import Wager
from core.cards import Hand, refuse_repeated
from core.errors import BadAmount
from core.rules import RuleSet
from core.settlement import Decision, Lines, Settlement, settle


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSeat:
    """What one seat brings to the showdown."""

    hand: Hand
    wager: Wager
    decision: Decision | None  # None without an Ante


@dataclass(frozen=True, slots=True, kw_only=True)
class SettledSeat:
    """What became of one seat."""

    against_full: Settlement  # as against a bank without limit, or a house
    lines: Lines  # as collected and paid

    @property
    def net(self) -> int:
        """Chips won or lost in all, after coverage."""
        return self.lines.net

    @property
    def short(self) -> int:
        """Chips that the bank could not pay (above 0), or could not take and gave back (below 0)."""
        return self.against_full.net - self.net


@dataclass(frozen=True, slots=True, kw_only=True)
class BankedSettlement:
    """What became of a round at the table; banker and seats together come to zero."""

    seats: tuple[SettledSeat, ...]  # in action order
    banker_net: int  # chips; of the house where it banks
    lost: int  # chips, L: all that players lose
    due: int  # chips, W: all that is due to winners above their stakes


_Amounts: TypeAlias = tuple[int, int, int, int, int]


def settle_banked(rules: RuleSet, bank: int | None, banker: Hand, seats: tuple[TableSeat, ...]) -> BankedSettlement:
    """
    Settle every seat, in action order, against the banker's hand; *bank* is in chips, None for a house without limit.

    Losing bets are collected in order until bank and winnings due are reached, then winners are paid in order from the
    bank and what was collected; stakes of winners and pushes always go back. The banker's result is L - W, held between
    -bank and +bank. Raises BadAmount, RepeatedCard, and what core.settlement.settle raises for a seat.
    Source: CAL; RULES section 3, steps 3 to 5.
    """
    if bank is not None and (type(bank) is not int or bank < 0):
        raise BadAmount("bank", bank)
    refuse_repeated([card for hand in (*(seat.hand for seat in seats), banker) for card in hand])
    full = [settle(rules, seat.hand, banker, seat.wager, seat.decision) for seat in seats]
    lines = [_amounts(each.lines) for each in full]
    lost = -sum(chips for seat in lines for chips in seat if chips < 0)
    due = sum(chips for seat in lines for chips in seat if chips > 0)
    if bank is not None and abs(lost - due) > bank:
        losing = lost > due
        lines = list(_up_to(bank + min(lost, due), lines, sign=-1 if losing else 1))
    settled = tuple(
        SettledSeat(against_full=each, lines=_as_lines(amounts)) for each, amounts in zip(full, lines, strict=True)
    )
    return BankedSettlement(seats=settled, banker_net=-sum(seat.net for seat in settled), lost=lost, due=due)


def _amounts(lines: Lines) -> _Amounts:
    """In order within a seat (RULES section 3, step 2)."""
    return lines.ante, lines.play, lines.ante_bonus, lines.pair_plus, lines.six_card


def _as_lines(amounts: _Amounts) -> Lines:
    ante, play, ante_bonus, pair_plus, six_card = amounts
    return Lines(ante=ante, play=play, ante_bonus=ante_bonus, pair_plus=pair_plus, six_card=six_card)


def _up_to(room: int, lines: Iterable[_Amounts], *, sign: int) -> Iterator[_Amounts]:
    """The bets of one *sign* moved in order until *room* chips have been; the others as they are."""
    left = room
    for seat in lines:
        moved = list(seat)
        for place, chips in enumerate(seat):
            if chips * sign > 0:
                moved[place] = sign * min(abs(chips), left)
                left -= abs(moved[place])
        yield moved[0], moved[1], moved[2], moved[3], moved[4]
