"""Who is there before anybody comes: three people of three languages, a group, and the bot in it."""

from dataclasses import replace
from typing import TYPE_CHECKING

from bot.playground.records import Chat, Member, Person

if TYPE_CHECKING:
    from bot.playground.world import World

ANN = 9_000_000_000_001
BOB = 9_000_000_000_002
DASHA = 9_000_000_000_003
POKER_FRIENDS = -1_009_000_000_000_001

FIRST_PEOPLE = (
    Person(id=ANN, first_name="Ann", username="ann_local", language_code="en"),
    Person(id=BOB, first_name="Bob", last_name="Silva", username="bob_local", language_code="pt-br"),
    Person(id=DASHA, first_name="Dasha", language_code="ru"),
)


def furnish(world: "World") -> None:
    """Seat the first people and the bot in their group; private chats open when somebody presses Start."""
    for who in FIRST_PEOPLE:
        add_person(world, replace(who))  # each world has people of its own
    group = Chat(id=POKER_FRIENDS, type="supergroup", title="Poker Friends")
    group.members = {ANN: Member(status="creator"), BOB: Member(), DASHA: Member(), world.profile.id: Member()}
    world.keep_chat(group)


def add_person(world: "World", person: Person) -> None:
    """Put somebody new into the world, with a private chat that nobody has opened yet."""
    world.keep_person(person)
    if person.id not in world.chats:
        world.keep_chat(Chat(id=person.id, type="private"))
