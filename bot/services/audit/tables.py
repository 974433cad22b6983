"""The group tables replayed: every hand's seal, deck, cards and pay-outs, what everybody had in it, and its books."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from bot.services.audit.findings import Finding, Findings, differs, unless, wrong
from bot.services.audit.rounds import Rules, readable
from bot.storage import codec, table_codec
from bot.storage.inspection import Inspection
from bot.storage.sql import Row
from core import fair, odds
from core.banking import TableSeat, settle_banked
from core.cards import Hand, cards_text
from core.odds import DEALER_HANDS
from core.ranking import strength
from core.rules import RuleSet
from core.table import Bank, Deciding, Ended, Player, Showdown, Table, held, stakes_of

_PART = (
    "place", "seat_id", "banked", "ante", "pair_plus", "six_card", "cards", "decision", "auto", "net", "given_away",
    "strength", "settled",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Shared:
    """A hand at a table with all that can be read of it."""

    row: Row
    over: Showdown | None  # None until it is settled, and if it cannot be read
    rules: RuleSet | None
    parts: Sequence[Row]
    nights: Mapping[int, Row]
    lines: Sequence[Row]

    @property
    def id(self) -> int:
        """The hand's number."""
        return int(self.row["id"])

    def wrong(self, column: str, right: str, found: object) -> Finding:
        """A finding about one of its columns."""
        return wrong("table_rounds", self.id, column, right, found)

    def differs(self, column: str, right: object) -> Findings:
        """A finding unless this stands in one of its columns."""
        return differs("table_rounds", self.id, column, right, self.row[column])


@dataclass(slots=True, kw_only=True)
class Walk:
    """One table, hand by hand."""

    row: Row
    hands: int = 0  # dealt and settled
    last: Shared | None = None
    shown: int | None = None  # the hand that was settled last

    def take(self, hand: Shared) -> Findings:
        """The next hand of the table."""
        dealt, before = hand.row["dealt"] is not None, self.last
        yield from hand.differs("hand", self.hands + 1 if dealt else max(1, self.hands))
        yield from hand.differs("opened", self.row["opened"] if before is None else before.row["settled"])
        yield from _stamps(hand)
        yield from _sealed(hand)
        if hand.row["state"] is not None:
            yield from _over(hand)
            self.hands, self.shown = self.hands + 1, hand.id
        self.last = hand

    def end(self, table: Table | None, *, home: bool, due: int | None) -> Findings:
        """What the table itself says, when all its hands are known."""
        row, id_ = self.row, self.row["id"]
        if table is None or self.last is None:
            yield wrong("tables", id_, "state", "a table that can be read, and its hands", row["state"])
            return
        canonical = table_codec.encode(table)
        yield from differs("tables", id_, "state", canonical, row["state"])
        yield from differs("tables", id_, "round_id", self.last.id, row["round_id"])
        yield from differs("tables", id_, "shown_id", self.shown, row["shown_id"])
        yield from unless(home, "tables", id_, "chat_id", "the chat of those who sit there", row["chat_id"])
        over = isinstance(table.stage, Ended)
        ended = self.last.row["voided"] if self.last.row["void"] else self.last.row["settled"]
        yield from differs("tables", id_, "ended", ended if over else None, row["ended"])
        told = None if table.deadline is None or over else table.deadline * 1000
        yield from differs("tables", id_, "state", f"a deadline at {due}", f"a deadline at {told}")
        shown = isinstance(table.stage, Showdown) or (over and self.last.over is not None)
        if not over:
            yield from differs("tables", id_, "state", f"hand {self.hands + (not shown)}", f"hand {table.hand}")
        if isinstance(table.stage, Deciding):
            yield from _cards(self.last, table.stage)
        if self.last.row["settled"] is None:
            yield from _held(self.last, table)


@dataclass(slots=True, kw_only=True)
class Tables:
    """All tables, and all hands there: two streams in the same order."""

    look: Inspection
    rules: Rules
    step: Callable[[int], None]

    def check(self) -> Findings:
        """What is wrong with any table or any hand there."""
        hands = self._hands()
        following = next(hands, None)
        for page in self.look.pages("tables"):
            timers = self.look.timers_of("table", (row["id"] for row in page))
            for row in page:
                walk = Walk(row=row)
                while following is not None and following.row["table_id"] <= row["id"]:
                    if following.row["table_id"] == row["id"]:
                        yield from walk.take(following)
                    else:
                        yield following.wrong("table_id", "a table that exists", following.row["table_id"])
                    following = next(hands, None)
                table = _read(row["state"], self.rules(row["rules_id"]))
                yield from walk.end(table, home=self._at_home(row, table), due=timers.get(row["id"]))
            self.step(len(page))
        while following is not None:
            yield following.wrong("table_id", "a table that exists", following.row["table_id"])
            following = next(hands, None)

    def _hands(self) -> Iterator[Shared]:
        for page in self.look.table_rounds():
            ids = [row["id"] for row in page]
            parts, lines = self.look.parts_of(ids), self.look.lines_of_table_rounds(ids)
            played = {part["night_id"] for own in parts.values() for part in own if part["night_id"] is not None}
            nights = self.look.by_id("nights", played)
            for row in page:
                state = row["state"]
                yield Shared(
                    row=row,
                    over=None if state is None else readable(table_codec.decode_showdown, state),
                    rules=self.rules(row["rules_id"]),
                    parts=parts.get(row["id"], []),
                    nights=nights,
                    lines=lines.get(row["id"], []),
                )
            self.step(len(page))

    def _at_home(self, row: Row, table: Table | None) -> bool:
        """Whether the chat exists, and is that of all who sit there."""
        if row["chat_id"] not in self.look.by_id("chats", [row["chat_id"]]):
            return False
        if table is None:
            return True
        homes = self.look.homes(seat.user for seat in table.seats)
        return all(seat.user in homes and homes[seat.user][0] == row["chat_id"] for seat in table.seats)


def _read(text: str, rules: RuleSet | None) -> Table | None:
    return None if rules is None else readable(lambda state: table_codec.decode(state, rules), text)


# A hand


def _stamps(hand: Shared) -> Findings:
    row = hand.row
    dealt, settled = row["dealt"], row["settled"]
    yield from hand.differs("phase", "open" if dealt is None else "dealt" if settled is None else "settled")
    yield from hand.differs("void", int(row["voided"] is not None))
    order = [at for at in (row["opened"], dealt, settled) if at is not None]
    yield from unless(
        order == sorted(order), "table_rounds", hand.id, "dealt", "opened, dealt, settled in order", order
    )
    if row["void"]:
        yield from hand.differs("settled", None)


def _sealed(hand: Shared) -> Findings:
    row = hand.row
    yield from unless(
        len(row["secret"]) == fair.SECRET_BYTES, "table_rounds", hand.id, "secret", "32 bytes", row["secret"]
    )
    yield from hand.differs("commitment", fair.commitment(row["secret"]))
    yield from unless(
        (row["cut"] is None) == (row["cut_by"] is None), "table_rounds", hand.id, "cut", "a cut by somebody", row["cut"]
    )
    words = readable(codec.decode_words, row["words"])
    if words is None or codec.encode_words(words) != row["words"]:
        yield hand.wrong("words", "the words of all", row["words"])
    elif row["dealt"] is None:
        yield from hand.differs("words", codec.encode_words(()))
    elif row["cut"] is not None:
        last = words[-1] if words else ""
        yield from differs("table_rounds", hand.id, "cut", f"cut:{row['cut']}", last)


def _over(hand: Shared) -> Findings:
    """A hand that is over: its cards, its pay-outs, everybody's part, the books."""
    over, rules, row = hand.over, hand.rules, hand.row
    if over is None or rules is None:
        yield hand.wrong("state", "a showdown that can be read, and its rules", row["state"])
        return
    yield from differs("table_rounds", hand.id, "state", table_codec.encode_showdown(over), row["state"])
    yield from _cards(hand, over)
    brought = tuple(TableSeat(hand=each.hand, wager=each.wager, decision=each.decision) for each in over.players)
    right = readable(lambda _: settle_banked(rules, over.bank.chips, over.dealer, brought), "")
    yield from unless(right == over.settled, "table_rounds", hand.id, "state", "what the rules give", row["state"])
    if right is None:
        return
    yield from _parts(hand, over, rules)
    yield from _paid(hand, over)


def _cards(hand: Shared, stage: Deciding | Showdown) -> Findings:
    """The deck that secret and words give, in packs of three: in action order, the bank's last."""
    row = hand.row
    words = readable(codec.decode_words, row["words"])
    people = len(stage.players) + (stage.bank.user is not None) + (row["cut"] is not None)
    if words is None or len(words) != people:
        yield hand.wrong("words", f"the words of {people}", row["words"])
        return
    packs = fair.packs(fair.shuffled(row["secret"], words, hand.id), len(stage.players) + 1)
    there = (*(player.hand for player in stage.players), stage.dealer)
    yield from unless(packs == there, "table_rounds", hand.id, "state", _told(packs), _told(there))


def _told(hands: Sequence[Hand]) -> str:
    return ", ".join(map(cards_text, hands))


def _parts(hand: Shared, over: Showdown, rules: RuleSet) -> Findings:
    """What everybody had in the hand, the banker last, as nights add it up."""
    right = [
        _part(place, player, seat.net, rules)
        for place, (player, seat) in enumerate(zip(over.players, over.settled.seats, strict=True))
    ]
    if over.bank.user is not None:
        right.append(_bankers(len(right), over, over.bank.user))
    yield from unless(len(hand.parts) == len(right), "table_hands", hand.id, "", f"{len(right)} rows", len(hand.parts))
    for part, values in zip(hand.parts, right, strict=False):
        place = f"{hand.id}.{part['place']}"
        for column, value in zip(_PART, (*values, hand.row["settled"]), strict=True):
            yield from differs("table_hands", place, column, value, part[column])
        night = hand.nights.get(part["night_id"])
        own = part["night_id"] is None or (night is not None and night["seat_id"] == part["seat_id"])
        yield from unless(own, "table_hands", place, "night_id", "a night of that seat", part["night_id"])


def _part(place: int, player: Player, net: int, rules: RuleSet) -> tuple[object, ...]:
    wager, decision = player.wager, player.decision
    lost = 0
    if decision is not None and not player.auto:
        lost = int(odds.given_away(player.hand, decision, rules, wager.ante) * DEALER_HANDS)
    bets = (wager.ante, wager.pair_plus, wager.six_card)
    chosen = (None if decision is None else decision.value, int(player.auto))
    return place, player.user, 0, *bets, cards_text(player.hand), *chosen, net, lost, strength(player.hand).value


def _bankers(place: int, over: Showdown, user: int) -> tuple[object, ...]:
    cards, value = cards_text(over.dealer), strength(over.dealer).value
    return place, user, 1, 0, 0, 0, cards, None, 0, over.settled.banker_net, 0, value


# The books


def _paid(hand: Shared, over: Showdown) -> Findings:
    """Everything that was put up comes back with what was won and without what was lost, in one movement."""
    nets = {player.user: seat.net for player, seat in zip(over.players, over.settled.seats, strict=True)}
    nets |= {} if over.bank.user is None else {over.bank.user: over.settled.banker_net}
    stakes = dict(stakes_of(over.bank, over.players))
    yield from _put_up(hand, stakes, over.bank)
    right = Counter(
        {("seat", user): chips + nets[user] for user, chips in stakes.items()}
        | {("round", hand.id): -sum(chips for user, chips in stakes.items() if user != over.bank.user)}
        | {("bank", hand.id): -stakes.get(over.bank.user or 0, 0)}
        | ({("house", 0): over.settled.banker_net} if over.bank.user is None else {})
    )
    paid = [row for row in hand.lines if row["why"] == "table_settled"]
    there = Counter({(row["kind"], row["ref"]): row["chips"] for row in paid})
    yield from _equal(hand, {key: chips for key, chips in right.items() if chips}, there)
    for row in paid:
        yield from differs("movements", row["id"], "at", hand.row["settled"], row["at"])


def _held(hand: Shared, table: Table) -> Findings:
    """Before its end a hand holds what the table says it holds; a void one nothing."""
    stakes = {} if hand.row["void"] else {seat.user: held(table, seat.user) for seat in table.seats}
    stage = table.stage
    bank = getattr(stage, "bank", Bank(user=None, chips=None))
    yield from _put_up(hand, {user: chips for user, chips in stakes.items() if chips}, bank)
    if any(row["why"] == "table_settled" for row in hand.lines):
        yield hand.wrong("ledger", "no pay-out before the showdown", "one")


def _put_up(hand: Shared, stakes: Mapping[int, int], bank: Bank) -> Findings:
    """Chips from the stacks to the table, less what came back since no hand was dealt."""
    there: Counter[tuple[str, int]] = Counter()
    for row in hand.lines:
        if row["why"] != "table_settled":
            there[row["kind"], row["ref"]] += row["chips"]
    right = {("seat", user): -chips for user, chips in stakes.items()}
    right["bank", hand.id] = stakes.get(bank.user, 0) if bank.user is not None else 0
    right["round", hand.id] = sum(stakes.values()) - right["bank", hand.id]
    yield from _equal(hand, {key: chips for key, chips in right.items() if chips}, there)


def _equal(hand: Shared, right: Mapping[tuple[str, int], int], there: Counter[tuple[str, int]]) -> Findings:
    found = {key: chips for key, chips in there.items() if chips}
    for kind, ref in sorted(right.keys() | found.keys()):
        account = f"{kind} {ref}"
        yield from differs(
            "table_rounds", hand.id, "ledger", f"{account} {right.get((kind, ref), 0):+}",
            f"{account} {found.get((kind, ref), 0):+}",
        )  # fmt: skip
