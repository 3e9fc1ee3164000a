"""The site of these docs, made by Sphinx::

    pip install -r docs/requirements.txt && sphinx-build -W --keep-going -b html docs site

Pages are Markdown (MyST). Two directives take what is declared in the program, so that it is written once:
`kanon` shows the output of a command, and `public-names` documents public names of `kanon_core`.
"""

from __future__ import annotations

import contextlib
import io
import os
import shlex
import sys
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from sphinx.util.logging import getLogger

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

import kanon_core as kc  # noqa: E402
from kanon_core.cli import main  # noqa: E402

project, author, release = "Kanon", "The Kanon authors", kc.__version__
copyright = "The Kanon authors"
extensions = ["myst_parser", "sphinx.ext.autodoc"]
exclude_patterns = ["notebooks"]
default_role = "py:obj"
myst_heading_anchors = 3
myst_enable_extensions = ["colon_fence"]
autodoc_member_order = "bysource"
autodoc_typehints = "none"
autodoc_preserve_defaults = True
templates_path = ["_templates"]
html_theme = "furo"
html_title = f"Kanon {release}"
html_show_sphinx = False
html_copy_source = False


class CommandOutput(SphinxDirective):
    """``{kanon} COMMAND``: what the command prints."""

    required_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed), contextlib.suppress(SystemExit):
            main(shlex.split(self.arguments[0]))
        text = printed.getvalue().rstrip()
        return [nodes.literal_block(text, text, language="text")]


class PublicNames(SphinxDirective):
    """``{public-names} MODULE …``: the public names of `kanon_core` that these modules or packages define."""

    required_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        modules = [f"kanon_core.{name}" for name in self.arguments[0].split()]
        names = [name for name, home in kc._HOMES.items() if _within(home, modules)]
        documented.update(names)
        return self.parse_text_to_nodes("\n\n".join(map(_directive, names)))


documented: set[str] = set()
"""The public names that a page of the reference documents."""


def _within(home: str, modules: list[str]) -> bool:
    return any(home == module or home.startswith(f"{module}.") for module in modules)


def _directive(name: str) -> str:
    made = getattr(kc, name)
    if isinstance(made, type):
        kind = "autoexception" if issubclass(made, Exception) else "autoclass"
    else:
        kind = "autofunction" if callable(made) else "autodata"
    options = "\n   :no-value:" if kind == "autodata" else ""
    return f"```{{eval-rst}}\n.. {kind}:: kanon_core.{name}{options}\n```"


def _check_all_are_documented(app: Sphinx, _: object) -> None:
    lost = set(kc.__all__) - documented - {"__version__"}
    if documented and lost:
        getLogger(__name__).warning("docs/reference/python.md leaves out: %s", ", ".join(sorted(lost)))


def _escape_bars(app: Sphinx, kind: str, name: str, made: object, options: object, lines: list[str]) -> None:
    """Keep ``|x|`` of a formula from being read as a substitution."""
    lines[:] = [
        "``".join(part if i % 2 else part.replace("|", "\\|") for i, part in enumerate(line.split("``")))
        for line in lines
    ]


def setup(app: Sphinx) -> dict[str, bool]:
    os.environ.setdefault("COLUMNS", "110")
    app.add_directive("kanon", CommandOutput)
    app.add_directive("public-names", PublicNames)
    app.connect("autodoc-process-docstring", _escape_bars)
    app.connect("env-check-consistency", _check_all_are_documented)
    return {"parallel_read_safe": False}
