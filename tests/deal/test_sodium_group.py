"""The traps of the binding are closed, and it leaves nothing behind."""

import sys
from pathlib import Path

import pytest

from unop2p.deal import sodium_group

BASE = sodium_group.raw_base((1).to_bytes(32, "little"))


@pytest.mark.skipif(sys.platform == "win32", reason="a loaded file cannot be removed there")
def test_copy_in_the_temporary_folder_is_removed() -> None:
    assert not Path(sys.modules["rbcl._sodium"].lib_path).exists()


def test_nothing_else_is_removed_where_the_binding_names_no_file(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    kept = tmp_path / "kept"
    kept.touch()
    monkeypatch.setitem(sys.modules, "rbcl._sodium", None)
    sodium_group._remove_copy()  # noqa: SLF001  # it runs at import only
    assert kept.exists()


def test_file_that_is_gone_does_no_harm(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "gone"
    monkeypatch.setattr(sys.modules["rbcl._sodium"], "lib_path", str(path))
    sodium_group._remove_copy()  # noqa: SLF001  # it runs at import only
    assert not path.exists()


def test_product_with_zero_is_the_identity_and_no_error() -> None:
    zero = bytes(32)
    assert sodium_group.raw_mul(zero, BASE) == zero
    assert sodium_group.raw_mul((5).to_bytes(32, "little"), zero) == zero
    assert sodium_group.raw_base(zero) == zero


def test_identity_is_a_valid_encoding_here_and_refused_one_floor_up() -> None:
    assert sodium_group.raw_valid(bytes(32))
