"""Docs that cannot go stale unseen: links lead somewhere, commands and options exist, code runs."""

import doctest
import re
from pathlib import Path

import pytest
import typer.core
import typer.main

from tests.architecture.test_house import ROOT, error_classes, text_of, tracked
from unop2p.cli.audit import EXIT_CODES, UNEXPECTED_EXIT_CODE
from unop2p.cli.exits import INTERRUPTED_EXIT_CODE
from unop2p.cli.lab_commands import THROUGH_EXIT_CODE, UNTRIED_EXIT_CODE
from unop2p.cli.main import app
from unop2p.cli.rules_commands import SCENARIOS_EXIT_CODE
from unop2p.peer.blame import FAULT_EXIT_CODE, OLD_JOURNAL_EXIT_CODE
from unop2p.repl.commands import HELP
from unop2p.rules.options import CHOICES, FIELD_NAMES, PRESETS, SETS

PAGES = tracked("*.md")
LINK = re.compile(r"(?<!!)\[[^\]\n]+\]\(([^)\s]+)\)")
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z0-9-]*")


def anchors(page: Path) -> set[str]:
    """Return the anchors of a page's headings, made as code hosts make them."""
    prose = FENCE.sub("", text_of(page))
    found = set()
    for heading in re.findall(r"^#+ (.+)$", prose, re.MULTILINE):
        plain = re.sub(r"\[([^\]]+)\]\([^)]+\)", r"\1", heading).lower()
        found.add(re.sub(r"[^\w\- ]", "", plain).strip().replace(" ", "-"))
    return found


def commands() -> dict[str, set[str]]:
    """Return every command with its options, as the program itself knows them.

    A command of a group is named with its group, as `rules show`. Two options can stand after any of them.
    """
    group = typer.main.get_command(app)
    assert isinstance(group, typer.core.TyperGroup)
    found: dict[str, set[str]] = {}
    waiting = list(group.commands.items())
    while waiting:
        name, command = waiting.pop()
        if isinstance(command, typer.core.TyperGroup):
            waiting += [(f"{name} {below}", each) for below, each in command.commands.items()]
        found[name] = {"--help", "-h", "--lang", "--bidi"} | {
            option
            for parameter in command.params
            for option in (*parameter.opts, *parameter.secondary_opts)
            if option.startswith("-")
        }
    return found


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_somewhere(page: Path) -> None:
    for target in LINK.findall(FENCE.sub("", text_of(page))):
        if "://" in target or target.startswith("mailto:"):
            continue
        name, _, anchor = target.partition("#")
        file = (page.parent / name).resolve() if name else page
        assert file.exists(), f"{target}: there is no such file"
        assert file.is_relative_to(ROOT), target
        if anchor:
            assert anchor in anchors(file), f"{target}: there is no such heading"


def test_every_page_can_be_reached_from_the_readme() -> None:
    reached: set[Path] = set()
    waiting = [ROOT / "README.md"]
    while waiting:
        page = waiting.pop()
        if page in reached or page.suffix != ".md" or not page.exists():
            continue
        reached.add(page)
        for target in LINK.findall(text_of(page)):
            if "://" not in target:
                waiting.append((page.parent / target.partition("#")[0]).resolve())
    # Fragments of the next release's notes are gathered, not linked.
    pages = [page for page in PAGES if "docs" in page.parts and page.parent.name != "changes.d"]
    lost = [page for page in pages if page not in reached]
    assert [str(page.relative_to(ROOT)) for page in lost] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_command_that_a_page_shows_exists(page: Path) -> None:
    known = commands()
    shown = [
        line
        for language, block in FENCE.findall(text_of(page))
        if language in {"sh", "bash", "console", "text", "systemd", "ini", ""}
        for line in block.replace("\\\n", " ").splitlines()
    ]
    shown += re.findall(r"`(unop2p [^`]+)`", text_of(page))
    for line in shown:
        found = re.search(r"(?:^|\s|/)unop2p ([a-z]+)( [a-z]+)?(.*)$", line.partition(" #")[0])
        if found is None or line.lstrip().startswith(("-", "*", "|", "#")):
            continue
        command, below, rest = found.groups()
        if f"{command}{below}" in known:
            command = f"{command}{below}"
        assert command in known, f"{line!r}: there is no such command"
        for option in OPTION.findall(rest):
            assert option in known[command], f"{line!r}: {command} has no {option}"


def test_every_make_target_that_a_page_shows_exists() -> None:
    makefile = text_of(ROOT / "Makefile")
    for page in PAGES:
        for target in re.findall(r"(?:^|`)make ([a-z-]+)", text_of(page), re.MULTILINE):
            assert re.search(rf"^{target}:", makefile, re.MULTILINE), f"{page.name}: make {target}"


def test_the_reference_names_every_command_and_option() -> None:
    page = text_of(ROOT / "docs" / "reference" / "cli.md")
    for command, options in commands().items():
        assert re.search(rf"`{command}[ `]", page), f"`{command}` is missing"
        for option in options - {"-h"}:
            spread = option.replace("--no-", "--[no-]")
            plain = option.replace("--", "--[no-]", 1)
            assert any(name in page for name in (option, spread, plain)), f"{command} {option}"


def test_the_reference_names_every_rule_option_value_and_preset() -> None:
    page = text_of(ROOT / "docs" / "reference" / "cli.md")
    for name in FIELD_NAMES:
        assert f"`{name}`" in page, name
    for values in CHOICES.values():
        for value in values:
            assert f"`{value}`" in page, value
    for name in PRESETS:
        assert f"`{name}`" in page, name


def test_the_reference_names_every_value_of_a_rule_option_that_is_a_list() -> None:
    pages = "".join(text_of(page) for page in (ROOT / "docs" / "reference").glob("*.md"))
    missing = [value for values in SETS.values() for value in values if f"`{value}`" not in pages]
    assert missing == []


def test_the_reference_names_every_exit_code() -> None:
    page = text_of(ROOT / "docs" / "reference" / "exit-codes.md")
    listed = {int(code) for code in re.findall(r"^\| (\d+) \|", page, re.MULTILINE)}
    used = {error.exit_code for error in error_classes()} | set(EXIT_CODES.values())
    used |= {UNEXPECTED_EXIT_CODE, INTERRUPTED_EXIT_CODE, FAULT_EXIT_CODE, OLD_JOURNAL_EXIT_CODE}
    used |= {THROUGH_EXIT_CODE, UNTRIED_EXIT_CODE}
    used.add(SCENARIOS_EXIT_CODE)
    assert used <= listed


def test_the_reference_names_all_that_can_be_typed() -> None:
    page = text_of(ROOT / "docs" / "reference" / "cli.md")
    for typed in HELP:
        for word in re.findall(r"[a-z]{4,}", typed.split()[0]):
            assert re.search(rf"`[^`]*\b{word}\b", page), word


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_python_sessions_of_a_page_run_as_shown(page: Path) -> None:
    """Each page is one session, in the order of its blocks."""
    blocks = [block for language, block in FENCE.findall(text_of(page)) if language == "pycon"]
    parser = doctest.DocTestParser()
    test = parser.get_doctest("\n".join(blocks), {}, page.name, str(page), 0)
    said: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    runner.run(test, out=said.append)
    assert runner.failures == 0, "".join(said)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_python_blocks_of_a_page_compile(page: Path) -> None:
    for language, block in FENCE.findall(text_of(page)):
        if language == "python":
            compile(block, str(page), "exec")
