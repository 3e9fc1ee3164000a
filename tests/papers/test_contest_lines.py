"""Lines of a file in the contest's notation end where the notation ends them, whatever the labels hold."""

from __future__ import annotations

import pandas as pd
import pytest

import kanon_core as kc
from kanon_core.papers.contest import contest_bytes, read_answer


@pytest.mark.parametrize("end", ["\x0b", "\x0c", "\x1d", "\x85", "\u2028", "\u2029"])
def test_a_label_with_another_end_of_line_is_read_back_as_it_is(end):
    label = f"a{end}b"
    frame = pd.DataFrame({"who": list("ppqq"), "product": [label, "c", label, "d"]})
    roles = {"who": "person", "product": "quasi_identifier"}
    table = kc.Table.from_frame(
        frame, kc.Schema.infer(frame).with_roles(roles).with_kinds({"product": "categorical"})
    )
    release = kc.anonymize(table, kc.PurchaseHistories(), 2)
    answer = read_answer(contest_bytes(release, whole=True), table)
    read, written = answer.columns[0].cells, release.published[0].cells
    assert len(answer.names) == 4
    codes = [read.codes[read.starts[i] : read.starts[i + 1]].tolist() for i in range(4)]
    assert codes == [written.codes[written.starts[c] : written.starts[c + 1]].tolist() for c in release.row]
