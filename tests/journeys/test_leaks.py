"""Every journey ends with a search for secrets (leaks.py); here it is seen to find them."""

from __future__ import annotations

import pytest

from tests.journeys.house import Evening, Somebody
from tests.journeys.leaks import kept, leaks


@pytest.mark.parametrize("where", ["sendMessage", "log"])
async def test_a_secret_that_gets_out_before_its_time_is_found(evening: Evening, ann: Somebody, where: str) -> None:
    await ann.says("/deal")
    await ann.taps("Deal")
    secret = (await evening.round(ann)).secret
    told = {"text": f"It was {secret.hex()}."}

    if where == "log":
        found = leaks(await evening.house.store.read(kept), evening.world, [told])
    else:
        assert evening.world.log is not None
        evening.world.log.append({"method": where, "at": evening.world.now(), "params": told, "result": None})
        found = leaks(await evening.house.store.read(kept), evening.world, [])
        evening.world.log.pop()

    assert len(found) == 1
    assert found[0].endswith(where)


async def test_a_secret_that_is_open_may_be_told(evening: Evening, ann: Somebody) -> None:
    await ann.says("/deal")
    await ann.taps("Deal")
    secret = (await evening.round(ann)).secret
    await ann.taps("Fold")
    await evening.passes(1)

    await ann.says("/verify 1")

    assert any(secret.hex() in seen.text for seen in ann.sees())
