"""`python -m bot` is `q64`."""

from bot.cli import main

main()
