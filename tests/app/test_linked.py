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
    tune.number_input(key="any k").set_value(9).run()
    assert k(tune) == 9 and not tune.number_input(key="any k").proto.set_value
    tune.run()
    assert tune.number_input(key="any k").value == 9


def test_a_page_that_is_drawn_again_does_not_tell_the_slider_what_it_is(tune):
    """It may have been moved meanwhile: told its former value, it would jump back."""
    told = []
    for asked in (None, 7, None, 9):
        slider = control(tune.slider, "k")
        (slider.set_value(asked) if asked else slider).run()
        told.append(control(tune.slider, "k").proto.set_value)
    assert k(tune) == 9 and not any(told)


def test_a_slider_begins_with_what_was_chosen_elsewhere(tune):
    tune.session_state["kanon"].ask(k=8)
    tune.run()
    slider = control(tune.slider, "k")
    assert (k(tune), slider.value) == (8, 8) and slider.proto.set_value
    slider.set_value(4).run()
    assert (k(tune), control(tune.slider, "k").key) == (4, slider.key)


def test_a_choice_that_is_not_taken_is_not_left_standing(tune, monkeypatch):
    monkeypatch.setattr(Session, "ask", lambda self, **changes: None)
    before = k(tune)
    control(tune.slider, "k").set_value(before + 3).run()
    assert (k(tune), control(tune.slider, "k").value) == (before, before)


def test_a_k_below_two_is_refused_in_a_sentence_and_the_field_shows_the_k_in_use(tune):
    before = k(tune)

    def warned() -> bool:
        return any("gives no protection" in one.value for one in tune.warning)

    for refused in (1, 0, -3):
        control(tune.number_input, "any k").set_value(refused).run()
        assert k(tune) == before and control(tune.number_input, "any k").value == before
        assert warned()
    control(tune.number_input, "any k").set_value(2).run()
    assert k(tune) == 2 and not warned()


def test_a_slider_says_where_k_is_above_its_end(tune):
    """The thumb stands at the end, and a page read aloud would call that the chosen k."""
    assert "above this slider" not in control(tune.slider, "k").label
    top = int(control(tune.slider, "k").max)
    tune.number_input(key="any k").set_value(top + 1).run()
    assert k(tune) == top + 1 and control(tune.slider, "k").value == top
    assert f"k = {top + 1} is above this slider, which ends at {top}" in control(tune.slider, "k").label
    control(tune.slider, "k").set_value(top - 1).run()
    assert k(tune) == top - 1 and "above this slider" not in control(tune.slider, "k").label
