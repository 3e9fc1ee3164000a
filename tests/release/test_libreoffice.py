"""Files of releases in a real spreadsheet program: nothing in them acts; what is read back is the same."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import kanon_core as kc
from kanon_core.table.writers import write_frame
from tests.needs import needs

EVIL = (
    "=1+1",
    "+1+1",
    "-1+1",
    "@SUM(1)",
    '=HYPERLINK("http://127.0.0.1:9/","x")',
    "=cmd|' /C calc'!A0",
    "\t=1+1",
    "http://127.0.0.1:9/ a@b.example",
    "<script>x</script>",
    "{=1}",
)
"""Texts of strangers that a spreadsheet could take for something to do."""
SOFFICE = shutil.which("soffice")
pytestmark = pytest.mark.skipif(SOFFICE is None, reason=needs("LibreOffice"))


def converted(file: Path, kind: str, out: Path) -> Path:
    """The file as LibreOffice opens it and writes it again as ``kind``, without a window or a profile."""
    out.mkdir(exist_ok=True)
    profile = f"-env:UserInstallation=file://{out}/profile"
    command = [SOFFICE, profile, "--headless", "--convert-to", kind, "--outdir", str(out), str(file)]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    return out / f"{file.stem}.{kind}"


@pytest.fixture(scope="module")
def released() -> tuple[kc.Table, kc.Release]:
    rng = np.random.default_rng(7)
    n = 60
    frame = pd.DataFrame(
        {
            "=age": rng.integers(18, 90, n),
            "city": rng.choice(np.array(EVIL, dtype=object), n),
            "born": np.datetime64("1950-01-01") + rng.integers(0, 20_000, n).astype("timedelta64[D]"),
            "note": rng.choice(np.array(EVIL, dtype=object), n),
        }
    )
    frame["born"] = frame["born"].astype("datetime64[s]")
    schema = kc.Schema.infer(frame).with_quasi(["=age", "city", "born"]).with_roles({"note": "other"})
    table = kc.Table.from_frame(frame, schema)
    return table, kc.anonymize(table, kc.Mondrian(), k=4, seed=3)


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_nothing_in_a_release_acts_in_a_spreadsheet(released, kind, tmp_path):
    """The flat document that LibreOffice makes of it holds no formula, script, event, link or object."""
    file = tmp_path / f"release.{kind}"
    file.write_bytes(write_frame(released[1].to_frame(), kind))
    text = converted(file, "fods", tmp_path / "out").read_text("utf-8")
    assert text.count("<table:table-row") > 60
    acting = "table:formula|script:module|script:event|text:a |xlink:href|draw:object|table:dde|office:dde"
    assert re.findall(rf"<?\b(?:{acting})\b", text) == []


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_what_a_spreadsheet_saves_again_keeps_its_verdict(released, kind, tmp_path):
    table, release = released
    file = tmp_path / f"release.{kind}"
    file.write_bytes(write_frame(release.to_frame(), kind))
    again = converted(file, "xlsx", tmp_path / "out")
    ours, theirs = (kc.audit_uploaded(kc.read_release(one, table), 4) for one in (file, again))
    assert ours[0].holds and ours[0].found >= 4
    assert [(one.guarantee, one.holds, one.found) for one in ours] == [
        (one.guarantee, one.holds, one.found) for one in theirs
    ]


def test_a_macro_or_a_formula_would_be_seen(tmp_path):
    """The search above finds what it looks for."""
    (tmp_path / "evil.csv").write_text("a\n=1+1\n", "utf-8")
    text = converted(tmp_path / "evil.csv", "fods", tmp_path / "out").read_text("utf-8")
    assert "table:formula" in text
