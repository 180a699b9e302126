import re
import shutil
from pathlib import Path

import pytest

import unop2p
from tests.release.changelog import (
    HEAD,
    KINDS,
    ROOT,
    ReleaseError,
    main,
    pieces,
    release,
    section,
    version_of,
)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    (tmp_path / "unop2p").mkdir()
    shutil.copy(ROOT / "unop2p" / "__init__.py", tmp_path / "unop2p")
    folder = tmp_path / "docs" / "changes.d"
    folder.mkdir(parents=True)
    (folder / "README.md").write_text("# Changes\n")
    (folder / "one.doc.md").write_text("See [the glossary](../reference/glossary.md).\n")
    (folder / "two.feature.md").write_text("Two lines,\nof one piece.\n")
    (folder / "three.security.md").write_text("A hole is closed.\n")
    return tmp_path


def test_security_stands_first_and_each_piece_is_one_point(copy: Path) -> None:
    assert section("X", pieces(copy / "docs" / "changes.d")) == (
        "## X\n\n### Security\n\n* A hole is closed.\n\n### New\n\n* Two lines,\n  of one piece.\n\n"
        "### Docs\n\n* See [the glossary](reference/glossary.md).\n"
    )


def test_a_release_sets_the_version_gathers_and_leaves_nothing_waiting(copy: Path) -> None:
    release(copy, "9.8.7", "2027-01-02")
    assert version_of(copy) == "9.8.7"
    assert [path.name for path in (copy / "docs" / "changes.d").iterdir()] == ["README.md"]
    text = (copy / "docs" / "CHANGELOG.md").read_text()
    assert text.startswith(HEAD)
    assert "## 9.8.7 (2027-01-02)" in text


def test_the_newest_release_stands_on_top_and_the_older_ones_stay(copy: Path) -> None:
    release(copy, "1.0.0", "2027-01-02")
    (copy / "docs" / "changes.d" / "more.bugfix.md").write_text("It works now.\n")
    release(copy, "1.0.1", "2027-01-03")
    text = (copy / "docs" / "CHANGELOG.md").read_text()
    assert re.findall(r"^## (\S+)", text, re.MULTILINE) == ["1.0.1", "1.0.0"]
    assert text.startswith(HEAD)
    assert "* A hole is closed." in text


@pytest.mark.parametrize("version", ["", "1", "1.0", "v1.0.0", "1.0.0-beta", "1.0.0\n", "../x"])
def test_what_is_no_version_is_refused_and_nothing_is_changed(copy: Path, version: str) -> None:
    with pytest.raises(ReleaseError, match="is no version"):
        release(copy, version, "2027-01-02")
    assert version_of(copy) == unop2p.__version__
    assert len(pieces(copy / "docs" / "changes.d")) == 3


def test_a_version_is_released_once(copy: Path) -> None:
    release(copy, "1.0.0", "2027-01-02")
    (copy / "docs" / "changes.d" / "more.bugfix.md").write_text("It works now.\n")
    with pytest.raises(ReleaseError, match="already"):
        release(copy, "1.0.0", "2027-01-03")


def test_a_release_of_nothing_is_refused(copy: Path) -> None:
    release(copy, "1.0.0", "2027-01-02")
    with pytest.raises(ReleaseError, match="nothing waits"):
        release(copy, "1.0.1", "2027-01-02")


def test_a_piece_of_no_kind_is_refused(copy: Path) -> None:
    (copy / "docs" / "changes.d" / "four.feat.md").write_text("?\n")
    with pytest.raises(ReleaseError, match=r"four\.feat\.md"):
        release(copy, "1.0.0", "2027-01-02")


def test_what_waits_now_can_be_gathered(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    shown = capsys.readouterr().out
    for path in pieces(ROOT / "docs" / "changes.d"):
        assert path.read_text(encoding="utf-8").splitlines()[0].replace("](../", "](") in shown


def test_a_wrong_version_is_told_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["1"]) == 1
    assert capsys.readouterr().err.count("\n") == 1


def test_the_page_of_the_pieces_names_every_kind() -> None:
    page = (ROOT / "docs" / "changes.d" / "README.md").read_text(encoding="utf-8")
    for kind in KINDS:
        assert f"`{kind}`" in page
