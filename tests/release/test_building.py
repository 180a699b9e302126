import os
import tarfile
import zipfile
from pathlib import Path

import pytest

import unop2p
from tests.release.building import ROOT, build, commit_seconds, lay_out, sha256, unpack

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Wheel and sdist of the work tree, the sdist last."""
    folder = tmp_path_factory.mktemp("made")
    (folder / "sources").mkdir()
    lay_out(folder / "sources", committed=False)
    found = build(folder / "sources", folder / "out", commit_seconds())
    return sorted(found, key=lambda path: path.suffix != ".whl")


def test_built_elsewhere_and_from_the_sdist_the_packages_are_the_same_bytes(
    made: list[Path], tmp_path: Path
) -> None:
    """In a folder of another name, with other rights for new files and other dates."""
    before = os.umask(0o077)
    try:
        with tarfile.open(made[1]) as tar:
            unpack(tar, tmp_path)
        sources = next(tmp_path.iterdir())
        for path in sources.rglob("*.py"):
            os.utime(path, (1, 1))
        again = build(sources, tmp_path / "out", commit_seconds())
    finally:
        os.umask(before)
    assert {path.name: sha256(path) for path in again} == {path.name: sha256(path) for path in made}


def test_the_wheel_holds_what_runs_and_nothing_else(made: list[Path]) -> None:
    with zipfile.ZipFile(made[0]) as wheel:
        names = set(wheel.namelist())
    meta = f"unop2p-{unop2p.__version__}.dist-info/"
    inside = {name for name in names if not name.startswith(meta)}
    package = ROOT / "unop2p"
    expected = {
        path.relative_to(ROOT).as_posix()
        for path in package.rglob("*")
        if path.suffix in {".py", ".mo", ".json", ".bash", ".fish", ".zsh"}
        or path.name == "py.typed"
    }
    assert inside == expected
    assert f"{meta}licenses/LICENSE" in names


def test_the_version_of_the_packages_is_the_one_in_the_source(made: list[Path]) -> None:
    assert [path.name for path in made] == [
        f"unop2p-{unop2p.__version__}-py3-none-any.whl",
        f"unop2p-{unop2p.__version__}.tar.gz",
    ]
    with zipfile.ZipFile(made[0]) as wheel:
        metadata = wheel.read(f"unop2p-{unop2p.__version__}.dist-info/METADATA").decode()
    assert f"\nVersion: {unop2p.__version__}\n" in metadata


def test_the_version_stands_in_one_place() -> None:
    found = [
        path.relative_to(ROOT).as_posix()
        for path in [ROOT / "pyproject.toml", *(ROOT / "unop2p").rglob("*.py")]
        if f'"{unop2p.__version__}"' in path.read_text(encoding="utf-8")
    ]
    assert found == ["unop2p/__init__.py"]


def test_the_sdist_holds_the_tests_and_the_docs_and_no_leftovers(made: list[Path]) -> None:
    with tarfile.open(made[1]) as tar:
        names = {name.partition("/")[2] for name in tar.getnames()}
    assert {"tests/release/test_building.py", "docs/README.md", "LICENSE", "Makefile"} <= names
    assert {"requirements/lock.txt", "unop2p/locale/pl/LC_MESSAGES/unop2p.po"} <= names
    assert [name for name in names if "__pycache__" in name or ".venv" in name] == []
