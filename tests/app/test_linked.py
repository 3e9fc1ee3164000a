"""Two controls for one value: what one of them has not yet heard is not a choice."""

from __future__ import annotations

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

import kanon_core as kc
from pages.state.session import Session
from pages.state.setting import Setting
from tests.app.screens import control, opened


@pytest.fixture()
def tune() -> AppTest:
    frame = pd.DataFrame({"age": range(20, 60)})
    table = kc.Table.from_frame(frame, kc.Schema.infer(frame).with_quasi(list(frame)))
    return opened("tune", Session(table, "ages", "upload:1", Setting(kc.MDAV(), 5)))


def k(test: AppTest) -> int:
    assert not test.exception
    return test.session_state["kanon"].setting.k


def test_a_message_from_before_a_control_has_heard_changes_nothing(tune):
    tune.number_input(key="any k").set_value(7)
    sent = tune._tree.get_widget_states()
    tune.run()
    assert k(tune) == 7
    tune._run(sent)
    assert k(tune) == 7
    tune.run()
    assert control(tune.slider, "k").value == 7 and control(tune.number_input, "any k").value == 7


def test_a_control_can_go_back_to_what_it_showed_before(tune):
    first = k(tune)
    tune.number_input(key="any k").set_value(7).run()
    control(tune.slider, "k").set_value(first).run()
    assert k(tune) == first
    control(tune.number_input, "any k").set_value(7).run()
    assert k(tune) == 7


def test_a_control_that_is_used_stays_the_same(tune):
    for asked in (6, 7, 6):
        tune.slider(key="k").set_value(asked).run()
        assert k(tune) == asked


def test_a_choice_is_not_put_into_its_control_again(tune):
    """It would be shown there even when somebody has gone on choosing meanwhile."""
    tune.slider(key="k").set_value(9).run()
    assert k(tune) == 9 and not tune.slider(key="k").proto.set_value
    tune.run()
    assert tune.slider(key="k").value == 9
