"""Texts from data, which are never read as Markdown."""

from __future__ import annotations

import ast
import string
from pathlib import Path

from pages.shell import frame
from pages.widgets.text import plain
from tests.helpers import looped

PAGES = Path(__file__).resolve().parents[2] / "pages"
READS_MARKDOWN = {
    "caption",
    "markdown",
    "error",
    "warning",
    "info",
    "success",
    "write",
    "title",
    "header",
    "subheader",
    "button",
    "expander",
    "toast",
    "spinner",
    "metric",
    "download_button",
    "link_button",
    "popover",
}


def test_signs_of_markdown_lose_their_meaning():
    assert plain("![x](http://a.b)") == "\\!\\[x\\]\\(http\\:\u2060\\/\\/a\\.b\\)"
    assert (
        plain("**a** _b_ `c` $d$ <e> #f ~g~") == "\\*\\*a\\*\\* \\_b\\_ \\`c\\` \\$d\\$ \\<e\\> \\#f \\~g\\~"
    )


@looped("text", ["www.evil.com", "a@b.com", "x -> y", ":smile:", "https://evil.com"])
def test_what_is_looked_for_after_parsing_is_broken_by_an_unseen_character(text):
    assert "\u2060" in plain(text)
    assert plain(text).replace("\u2060", "").replace("\\", "") == text


def test_a_text_stays_on_one_line_of_bounded_length():
    assert plain("a\r\nb\u2028c\u2029d\x85e") == "a b c d e"
    assert plain("ab" * 200, 5) == "abab…"


def _harmless(node: ast.expr) -> bool:
    """A literal, a choice of literals, numbers in a literal, or what `plain` has made; the same in a sentence
    that is translated and filled in."""
    if _filled(node):
        return True
    if isinstance(node, ast.Constant):
        return True
    if isinstance(node, ast.BoolOp):
        return all(map(_harmless, node.values))
    if isinstance(node, ast.IfExp):
        return _harmless(node.body) and _harmless(node.orelse)
    if isinstance(node, ast.JoinedStr):
        return all(_harmless(part) for part in node.values)
    if isinstance(node, ast.FormattedValue):
        return node.format_spec is not None or (isinstance(node.value, ast.Call) and _harmless(node.value))
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("plain", "len")


def _filled(node: ast.expr) -> bool:
    """``tr("{count:,} records of {name}").format(count=…, name=plain(…))``"""
    if not (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "format"
    ):
        return False
    said = node.func.value
    if not (isinstance(said, ast.Call) and getattr(said.func, "id", "") == "tr"):
        return False
    fields = list(string.Formatter().parse(ast.literal_eval(said.args[0])))
    numbers = {name for _, name, spec, _ in fields if spec}
    return all(one.arg in numbers or _harmless(one.value) for one in node.keywords)


OUR_WORDS = {"title", "lead", "share", "form", "about", "NOTHING", "tr"}
"""Names in pages that only ever hold words of our own."""


@looped("path", sorted(PAGES.rglob("*.py")))
def test_pages_give_only_constant_text_and_numbers_to_markdown(path):
    for call in ast.walk(ast.parse(path.read_text("utf-8"))):
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
            continue
        read = [keyword.value for keyword in call.keywords if keyword.arg == "help"]
        if ast.unparse(call.func.value) == "st" and call.func.attr in READS_MARKDOWN:
            read.append(call.args[0])
        for text in read:
            names = {part.id for part in ast.walk(text) if isinstance(part, ast.Name)}
            assert _harmless(text) or names <= OUR_WORDS, f"line {call.lineno}: {ast.unparse(text)}"


def test_only_one_room_touches_what_streamlit_remembers():
    """Elsewhere keys are objects with a type and a default (`pages.state.keys`)."""
    for path in sorted(PAGES.rglob("*.py")):
        if path.parent.name != "state":
            tree = ast.walk(ast.parse(path.read_text("utf-8")))
            names = {getattr(node, "attr", getattr(node, "id", "")) for node in tree}
            assert "session_state" not in names, path


def test_screens_do_not_import_one_another():
    rooms = {path.parent.name for path in PAGES.glob("*/page.py")}
    for path in sorted(PAGES.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("pages."):
                room = str(node.module).split(".")[1]
                assert room not in rooms or room == path.relative_to(PAGES).parts[0], f"{path}: {node.module}"


def test_every_address_is_known_before_app_py_has_run():
    names = {path.stem.removeprefix("_") for path in PAGES.glob("_*.py")} - {"_init__"}
    assert names == set(frame.PAGES) - {frame.FIRST}
