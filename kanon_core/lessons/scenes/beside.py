"""Pictures side by side, or one below the other where there is no room."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kanon_core.charts.drawing.markup import tag
from kanon_core.charts.steps.scene import Scene


@dataclass(frozen=True)
class Beside:
    """Two or more scenes, equally wide; ``titles`` stand above them."""

    scenes: Sequence[Scene]
    titles: Sequence[str] = ()

    def drawn(self, theme: str, says: str, height: int = 420) -> str:
        """All of them as HTML; each is as high as it is alone."""
        from kanon_core.charts.canvas import theme as look

        parts = []
        titles = [*self.titles, *[""] * (len(self.scenes) - len(self.titles))]
        for title, scene in zip(titles, self.scenes, strict=True):
            color = f"font-weight:600;color:{look.theme_of(theme).text};font-family:{look.FONT}"
            above = tag("div", look.plain(title, 90), style=color) if title else ""
            inside = above + scene.drawn(theme, f"{title}: {says}" if title else says, height)
            parts.append(tag("div", inside, style="flex:1 1 250px;min-width:0"))
        style = "display:flex;flex-wrap:wrap;gap:12px 28px"
        return tag("div", "".join(parts), class_="beside", style=style)
