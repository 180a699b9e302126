"""Completion in a shell: what the shell asks at each Tab, and `unop2p completion`, which sets it up.

A script of the shell hands over the line as far as it is typed, in `_UNOP2P_LINE`, with
`_UNOP2P_COMPLETE=complete_lines`. The answer is a line for each word that fits: the word, a tab, what
it means. None means that files are offered.
"""

import os
import shlex
import sys
from pathlib import Path
from typing import Any, ClassVar, Final

# Typer has its copy of click behind an underscore, and no other way to a protocol of one's own.
from typer._click.shell_completion import CompletionItem, ShellComplete, add_completion_class

from unop2p.cli.tongue import words
from unop2p.edge.paths import data_home, file_failed, write_atomically
from unop2p.words import said

LINE_VARIABLE: Final = "_UNOP2P_LINE"
SHELLS: Final = ("bash", "zsh", "fish")
_PROTOCOL: Final = "lines"


class Lines(ShellComplete):
    """The answer to the scripts in `cli/shells`."""

    name: ClassVar[str] = _PROTOCOL
    source_template: ClassVar[str] = ""

    def source_vars(self) -> dict[str, Any]:
        """Return nothing: `unop2p completion` writes the scripts."""
        return {}

    def get_completion_args(self) -> tuple[list[str], str]:
        """Return the whole words before the one that is typed, and that."""
        return words_of(os.environ.get(LINE_VARIABLE, ""))

    def format_completion(self, item: CompletionItem) -> str:
        """Return one line: the word, a tab, and what it means on one line."""
        return f"{item.value}\t{' '.join((item.help or '').split())}"


def words_of(line: str) -> tuple[list[str], str]:
    """Return the whole words of a line after the program's name, and the one that is being typed.

    >>> words_of("unop2p play --lev"), words_of("unop2p join 'unop2p:a b")
    ((['play'], '--lev'), (['join'], 'unop2p:a b'))
    """
    lexer = shlex.shlex(line, posix=True)
    lexer.whitespace_split, lexer.commenters = True, ""
    found: list[str] = []
    try:
        found.extend(lexer)
        whole = not line or line[-1].isspace()
    except ValueError:  # a quote that is open still
        found.append(lexer.token)
        whole = False
    if whole or not found:
        return found[1:], ""
    return found[1:-1], found[-1]


def answer_shells() -> None:
    """Make the program understand what our scripts ask."""
    add_completion_class(Lines, _PROTOCOL)


def script(shell: str) -> str:
    """Return the script of a shell."""
    from importlib import resources  # noqa: PLC0415  # as below

    path = resources.files("unop2p") / "cli" / "shells" / f"unop2p.{shell}"
    return path.read_text(encoding="utf-8")


def shell_of(wanted: str | None) -> str:
    """Return the shell that is meant; left out: the one that the login has.

    Raises:
        UsageError: there is no completion for it.
    """
    shell = wanted or Path(os.environ.get("SHELL", "")).name
    if shell not in SHELLS:
        from unop2p.cli.common import UsageError  # noqa: PLC0415  # a Tab waits for none of that

        message = said(
            "There is completion for {shells}: name one of them.", shells=", ".join(SHELLS)
        )
        raise UsageError(message)
    return shell


def run(wanted: str | None, *, install: bool) -> int:
    """Print the script of a shell, or put it where that shell finds it.

    Raises:
        UsageError: there is no completion for that shell.
        FolderError: a file cannot be read or written.
    """
    shell = shell_of(wanted)
    if not install:
        sys.stdout.write(script(shell))
        return 0
    path, start = places(shell)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, script(shell).encode())
    except OSError as error:
        raise file_failed(path, error) from error
    if start is not None:
        _source(path, start)
    say = words()
    print(say.say("Written: {path}.", path=path))  # noqa: T201  # the command's result
    if start is not None:
        print(say.say("It is read at the end of {path}.", path=start))  # noqa: T201
    print(say.say("Open a new {shell}, and press Tab after `unop2p`.", shell=shell))  # noqa: T201
    return 0


def places(shell: str) -> tuple[Path, Path | None]:
    """Return where a shell's script goes, and the file of the person's own that reads it.

    fish looks into its own folder, and needs no such file.
    """
    home = Path.home()
    if shell == "fish":
        config = Path(os.environ.get("XDG_CONFIG_HOME") or home / ".config")
        return config / "fish" / "completions" / "unop2p.fish", None
    start = (
        home / ".bashrc" if shell == "bash" else Path(os.environ.get("ZDOTDIR") or home, ".zshrc")
    )
    return data_home() / f"completion.{shell}", start


def _source(path: Path, start: Path) -> None:
    """Let a shell read a script when it starts, unless it does already; what else is there stays."""
    name = shlex.quote(str(path))
    line = f"[ -r {name} ] && . {name}  # completion of unop2p"
    try:
        before = (
            start.read_text(encoding="utf-8", errors="surrogateescape") if start.exists() else ""
        )
        if line in before.splitlines():
            return
        with start.open("a", encoding="utf-8") as file:
            file.write(("\n" if before and not before.endswith("\n") else "") + line + "\n")
    except OSError as error:
        raise file_failed(start, error) from error
