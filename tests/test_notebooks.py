"""The notebooks of the docs run from their first cell to their last, and are kept without results."""

from __future__ import annotations

import os
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

ROOT = Path(__file__).parents[1]
NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))


def test_three_notebooks_are_kept_without_results():
    assert [path.stem for path in NOTEBOOKS] == ["audit", "maps", "tune"]
    for path in NOTEBOOKS:
        cells = nbformat.read(path, as_version=4).cells
        assert not any(cell.get("outputs") or cell.get("execution_count") for cell in cells), path.name


@pytest.mark.deep
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path, tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]))
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(tmp_path)}}).execute()
    printed = str([cell.get("outputs") for cell in notebook.cells])
    assert {"tune": "holds:", "audit": "fails:", "maps": "asks for: nothing"}[path.stem] in printed
