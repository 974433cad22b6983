"""Brings `locales/` up to the texts of the code: `python -m tests.catalogues` (or `make catalogues`)."""

from __future__ import annotations

import ast
import io
from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

from bot.i18n import SOURCE, locales_folder

ROOT = Path(__file__).parent.parent
TEMPLATE = "q64.pot"
_NAMES = {"t": 1, "_": 1, "n": 2, "p": 2}  # how many texts each takes: t("…"), _("…"), t.n("one", "many", count)
_CONTEXT = "p"  # t.p("context", "…")


def texts() -> Catalog:
    """
    Every English text of the code, in the order of the files.

    Read from the syntax tree: Babel's own extractor looks at tokens, and misses calls inside f-strings before 3.12.
    """
    catalogue = Catalog(project="q64", charset="utf-8", fuzzy=False)
    for path in sorted((ROOT / "bot").rglob("*.py")):
        for message, context in _messages(ast.parse(path.read_text("utf-8"))):
            catalogue.add(message, locations=[(path.relative_to(ROOT).as_posix(), 0)], context=context)
    return catalogue


def _messages(tree: ast.AST) -> Iterator[tuple[str | tuple[str, str], str | None]]:
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    for call in sorted(calls, key=lambda call: (call.lineno, call.col_offset)):
        name = getattr(call.func, "attr", getattr(call.func, "id", ""))
        wanted = _NAMES.get(name, 0)
        said = [
            node.value for node in call.args[:wanted] if isinstance(node, ast.Constant) and isinstance(node.value, str)
        ]
        if wanted and len(said) == wanted:
            yield (said[1], said[0]) if name == _CONTEXT else (said[0] if wanted == 1 else (said[0], said[1]), None)


def written(catalogue: Catalog) -> bytes:
    """A catalogue as its file stands in the repository: no dates, no line numbers, so that diffs show texts alone."""
    file = io.BytesIO()
    write_po(file, catalogue, width=100, include_lineno=False, omit_header=False, ignore_obsolete=True)
    dated = (b'"POT-Creation-Date', b'"PO-Revision-Date', b'"Generated-By', b'"Last-Translator', b'"Report-Msgid')
    return b"".join(line for line in file.getvalue().splitlines(keepends=True) if not line.startswith(dated))


def languages() -> Iterator[tuple[str, Path]]:
    for path in sorted(locales_folder().glob("*/LC_MESSAGES/q64.po")):
        if path.parent.parent.name != SOURCE:
            yield path.parent.parent.name, path


def read(path: Path, language: str) -> Catalog:
    with path.open("rb") as file:
        return read_po(file, locale=language, abort_invalid=True)


def main() -> None:
    template = texts()
    folder = ROOT / "locales"
    folder.mkdir(exist_ok=True)
    (folder / TEMPLATE).write_bytes(written(template))
    for language, path in languages():
        catalogue = read(path, language)
        catalogue.update(template, no_fuzzy_matching=True, update_creation_date=False)
        path.write_bytes(written(catalogue))
        missing = sum(1 for message in catalogue if message.id and not _translated(message.string))
        print(f"{language}: {len(catalogue)} texts, {missing} missing")


def _translated(string: object) -> bool:
    return all(string) if isinstance(string, tuple) else bool(string)


if __name__ == "__main__":
    main()
