"""The rules of the house that no linter knows: sizes, words, errors, what the core imports."""

import ast
import importlib
import pkgutil
import re
import subprocess
from pathlib import Path

import pytest

import unop2p
from unop2p.errors import EdgeError, LocalError, RemoteError, Unop2pError

ROOT = Path(__file__).parents[2]
FILE_LINES_MAX = 560
"""450 is what files should stay below; here is where it stops being a matter of taste."""
FUNCTION_LINES_MAX = 75
MODULES = sorted(path.relative_to(ROOT) for path in (ROOT / "unop2p").rglob("*.py"))
PURE_ROOMS = ("words", "errors", "ids", "rules", "deal", "log", "table", "wire", "bots", "peer")


def tracked(*patterns: str) -> list[Path]:
    """Return files of the repository, or of the tree where there is no git."""
    done = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", *patterns],
        cwd=ROOT,
        capture_output=True,
        check=False,
    )
    if done.returncode == 0:
        names = [name for name in done.stdout.decode().split("\0") if name]
        return [ROOT / name for name in sorted(names) if (ROOT / name).is_file()]
    left_out = {".venv", ".git", "__pycache__", ".hypothesis", "build", "dist"}
    return sorted(
        path
        for pattern in patterns or ("*",)
        for path in ROOT.rglob(pattern)
        if path.is_file()
        and not left_out & set(path.parts)
        and not any(part.endswith(("_cache", ".egg-info")) for part in path.parts)
    )


def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def module_names() -> list[str]:
    found = pkgutil.walk_packages(unop2p.__path__, "unop2p.")
    return [module.name for module in found if not module.name.endswith("__main__")]


def error_classes() -> list[type[Unop2pError]]:
    for name in module_names():
        importlib.import_module(name)
    found: set[type[Unop2pError]] = set()
    waiting: list[type[Unop2pError]] = [Unop2pError]
    while waiting:
        known = waiting.pop()
        found.add(known)
        waiting.extend(known.__subclasses__())
    ours = [known for known in found if known.__module__.startswith("unop2p.")]
    return sorted(ours, key=lambda known: (known.__module__, known.__name__))


@pytest.mark.parametrize("path", tracked("*.py"), ids=lambda path: str(path.relative_to(ROOT)))
def test_a_file_stays_readable_in_one_sitting(path: Path) -> None:
    assert len(text_of(path).splitlines()) <= FILE_LINES_MAX


def test_a_function_fits_on_a_screen() -> None:
    long = [
        f"{path}: {node.name}"
        for path in MODULES
        for node in ast.walk(ast.parse(text_of(ROOT / path)))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (node.end_lineno or 0) - node.lineno >= FUNCTION_LINES_MAX
    ]
    assert long == []


def test_every_module_opens_with_a_sentence_on_its_job() -> None:
    silent = []
    for path in MODULES:
        doc = ast.get_docstring(ast.parse(text_of(ROOT / path))) or ""
        first = doc.split("\n\n")[0].strip()
        if not first or first[-1] not in ".?!:":
            silent.append(str(path))
    assert silent == []


def test_every_error_has_a_sentence_for_the_person_who_reads_it() -> None:
    for error in error_classes():
        doc = error.__dict__.get("__doc__") or ""
        lead = " ".join(doc.split())
        assert lead, f"{error.__name__} inherits the sentence of another error"
        assert lead[0].isupper() or lead.startswith("`"), error.__name__
        assert lead[-1] in ".?`" or lead.endswith(("`unop2p watch`", "#`.")), error.__name__
        detail = "And a detail." if lead.endswith(".") else "and a detail."
        assert error("and a detail.").sentence() == f"{lead} {detail}"


def test_every_error_belongs_to_one_branch() -> None:
    branches = (LocalError, RemoteError, EdgeError)
    for error in error_classes():
        if error is not Unop2pError:
            assert sum(issubclass(error, branch) for branch in branches) == 1, error.__name__


def test_every_error_class_is_called_error() -> None:
    assert [
        error.__name__ for error in error_classes() if not error.__name__.endswith("Error")
    ] == []


def test_what_verifies_returns_nothing_that_could_be_ignored() -> None:
    for path in MODULES:
        for node in ast.walk(ast.parse(text_of(ROOT / path))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("verify"):
                returns = ast.unparse(node.returns) if node.returns is not None else ""
                assert "bool" not in returns, f"{path}: {node.name}"


def test_nothing_says_that_it_is_unfinished() -> None:
    # Put together, so that this file does not find itself.
    marks = ["TO" + "DO", "FIX" + "ME", "XX" + "X", "NotImplemented" + "Error", "HACK" + ":"]
    found = [
        f"{path.relative_to(ROOT)}: {mark}"
        for path in tracked("*.py", "*.md", "*.toml", "Makefile", ".ci/run")
        for mark in marks
        if re.search(rf"\b{mark}\b" if mark.isalpha() else re.escape(mark), text_of(path))
    ]
    assert found == []


def test_nothing_names_a_folder_of_somebodys_machine() -> None:
    folders = re.compile(r"(?<![\w.<>/-])/(?:home|Users|root|work|mnt|srv|farm)/\w")
    found = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in tracked()
        if path.suffix not in {".png", ".svg", ".gz", ".mo"} and path.name != ".gitignore"
        for number, line in enumerate(text_of(path).splitlines(), 1)
        if folders.search(line)
    ]
    assert found == []


def test_what_installs_names_no_registry() -> None:
    """Where packages come from is the business of whoever installs."""
    for name in ("Makefile", ".ci/run", "pyproject.toml"):
        assert "://" not in text_of(ROOT / name), name
    for path in (ROOT / "requirements").glob("*.txt"):
        for line in text_of(path).splitlines():
            code = line.partition("#")[0].strip()
            assert not code or re.fullmatch(r"[A-Za-z0-9_.-]+==\S+( ; .+)?", code), line


def test_everything_that_the_package_needs_is_locked() -> None:
    locked = {
        re.split(r"[=\s;]", line)[0].lower().replace("_", "-")
        for name in ("lock.txt", "dev.txt")
        for line in text_of(ROOT / "requirements" / name).splitlines()
        if line and not line.startswith("#")
    }
    project = text_of(ROOT / "pyproject.toml").partition("dependencies = [")[2].partition("]")[0]
    needed = {name.lower() for name in re.findall(r'"([A-Za-z0-9_-]+)', project)}
    assert needed
    assert needed <= locked


def test_core_rooms_import_nothing_that_waits_or_reads_the_world() -> None:
    """Ruff's banned modules say the same; this also sees an import inside a function."""
    banned = {
        *("asyncio", "time", "datetime", "random", "secrets", "os", "pathlib", "socket", "logging"),
        *("threading", "subprocess", "aiomqtt", "prompt_toolkit", "typer", "rich"),
    }
    allowed = {"unop2p/deal/sodium_group.py"}  # the binding to libsodium cleans up after itself
    found = []
    for path in MODULES:
        room = path.parts[1].removesuffix(".py")
        if room not in PURE_ROOMS or path.as_posix() in allowed:
            continue
        for node in ast.walk(ast.parse(text_of(ROOT / path))):
            names: list[str] = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            found += [f"{path}: {name}" for name in names if name.split(".")[0] in banned]
    assert found == []


def test_a_change_for_players_is_named_by_its_kind() -> None:
    kinds = {"security", "wire", "feature", "bugfix", "removal", "doc"}
    for path in (ROOT / "docs" / "changes.d").glob("*.md"):
        if path.name != "README.md":
            assert path.stem.rpartition(".")[2] in kinds, path.name


def test_what_coverage_is_asked_of_is_every_pure_room() -> None:
    core = text_of(ROOT / "Makefile").partition("CORE := ")[2].partition("COV_MIN")[0]
    named = re.findall(r"unop2p/(\w+)", core)
    assert sorted(named) == sorted(PURE_ROOMS)
