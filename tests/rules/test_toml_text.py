"""TOML that a person wrote: what cannot be read is told in a sentence of ours."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unop2p.rules.toml_text import TomlTextError, read_toml


@pytest.mark.parametrize("number", [2**63 - 1, -(2**63), 0])
def test_every_whole_number_of_toml_is_read(number: int) -> None:
    assert read_toml(f"a = [{{ b = {number} }}]") == {"a": [{"b": number}]}


@pytest.mark.parametrize(
    "number", ["9" * 5_000, "0x" + "f" * 5_000, str(2**63), str(-(2**63) - 1), "0b" + "1" * 64]
)
@pytest.mark.parametrize("text", ["a = {}", "[a]\nb = [1, {}]", "[[a]]\nb = {{ c = {} }}"])
def test_a_number_that_is_too_large_is_told_in_a_sentence(number: str, text: str) -> None:
    with pytest.raises(TomlTextError) as caught:
        read_toml(text.format(number))
    assert str(caught.value) == "It holds a number that is too large."


@pytest.mark.parametrize("text", ["a = " + "[" * 5_000, "a = " + "{ b = " * 5_000])
def test_brackets_that_go_too_deep_are_told_in_a_sentence(text: str) -> None:
    with pytest.raises(TomlTextError, match=r"^Its brackets are nested too deeply\.$"):
        read_toml(text)


def test_what_is_no_toml_is_told_with_its_line() -> None:
    with pytest.raises(TomlTextError, match="cannot be read as TOML: .*line 2"):
        read_toml("a = 1\nb = \n")


@given(st.text(max_size=40))
def test_text_is_read_or_refused(text: str) -> None:
    try:
        assert isinstance(read_toml(text), dict)
    except TomlTextError as error:
        assert error.sentence()
