"""Chromium for the tests that look at the chat page: skipped with a reason where there is none, unless it is needed."""

from __future__ import annotations

import os
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

import pytest
from playwright.async_api import Browser, async_playwright

CHROMIUM: Final = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
NEEDED: Final = os.environ.get("Q64_NEEDS_BROWSER") == "1"  # set where a browser was just installed
_MISSING: Final = "no Chromium on PATH (chromium, chromium-browser or google-chrome)"

_MARKS: Final = (
    pytest.mark.browser,
    pytest.mark.xdist_group("browser"),
    pytest.mark.skipif(CHROMIUM is None and not NEEDED, reason=_MISSING),
)


def browsing(test: Any) -> Any:
    """Mark a test that needs Chromium."""
    for mark in _MARKS:
        test = mark(test)
    return test


@asynccontextmanager
async def chromium() -> AsyncIterator[Browser]:
    """A headless Chromium; the test fails if there is none."""
    assert CHROMIUM is not None, _MISSING
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        )
        yield browser
        await browser.close()
