"""Text from data, made safe to stand in Markdown."""

from __future__ import annotations

import re


def plain(text: object, most: int = 200) -> str:
    """The text with every character that Markdown or HTML could act on escaped, cut to ``most`` characters."""
    cut = str(text)[:most].replace("\n", " ")
    return re.sub(r"([\\`*_{}\[\]()#+\-!|<>$~:&])", r"\\\1", cut)
