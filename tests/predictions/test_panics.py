"""What an engine writes past Python is dropped where it ends in an error, and passed on where it does not."""

from __future__ import annotations

import os

import polars as pl
import pytest

from holdfast.errors import HoldfastError, at_the_command_line
from holdfast.predictions.rows import translated


def broken_off() -> None:
    with translated("x.arrow"):
        os.write(2, b"thread '<unnamed>' panicked at x.rs:1\n")
        raise pl.exceptions.PanicException("called `Result::unwrap()` on an `Err` value")


def test_a_panic_is_one_line_of_ours(capfd: pytest.CaptureFixture[str]) -> None:
    with at_the_command_line(), pytest.raises(HoldfastError, match=r"^Cannot read x.arrow: the engine broke off"):
        broken_off()
    assert capfd.readouterr().err == ""


def test_what_ends_well_is_passed_on(capfd: pytest.CaptureFixture[str]) -> None:
    with at_the_command_line(), translated("x"), translated("x"):
        os.write(2, b"a warning\n")
    assert capfd.readouterr().err == "a warning\n"


def test_in_python_standard_error_is_not_ours(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(HoldfastError):
        broken_off()
    assert "panicked" in capfd.readouterr().err
