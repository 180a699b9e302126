"""`unop2p config`: showing and editing the settings file."""

import json
import os
import shlex
import shutil
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path

from rich import box
from rich.console import Console
from rich.table import Table as Grid

from unop2p.cli.tongue import words
from unop2p.edge.errors import EXIT_USAGE, FolderError
from unop2p.edge.paths import ensure_folder, is_there, settings_path, write_atomically
from unop2p.edge.settings import (
    SETTINGS,
    Setting,
    Value,
    read_settings,
    template,
    toml_text,
)
from unop2p.errors import EdgeError
from unop2p.words import mark, said

TITLES = (mark("setting"), mark("value"), mark("from"))
EDITORS = ("sensible-editor", "nano", "vi") if os.name != "nt" else ("notepad",)
"""Tried where neither VISUAL nor EDITOR says which."""


class EditorError(EdgeError):
    """The editor cannot be used: name one that is there in VISUAL or EDITOR."""

    exit_code = EXIT_USAGE


def defaults(wanted: Iterable[Setting]) -> dict[str, Value]:
    """Return what the settings file sets of some settings, by the name of the option's parameter.

    Raises:
        SettingsError: the file is wrong.
        FolderError: it cannot be read.
    """
    found = read_settings(settings_path())
    return {known.parameter: found[known.key] for known in wanted if known.key in found}


def rows(environ: Mapping[str, str]) -> list[dict[str, str]]:
    """Return every setting with its value, as the file writes it, and where that comes from.

    Raises:
        SettingsError: the file is wrong.
        FolderError: it cannot be read.
    """
    path = settings_path(environ)
    found = read_settings(path)
    shown: list[dict[str, str]] = []
    for known in SETTINGS:
        if environ.get(known.variable):
            value, source = environ[known.variable], known.variable
        elif known.key in found:
            value, source = toml_text(found[known.key]), path.name
        else:
            value = toml_text(known.default) if known.default is not None else ""
            source = "default"
        shown.append({"setting": known.key, "value": value, "from": source})
    return shown


def show(*, as_json: bool) -> int:
    """Print every setting, its value, and where that comes from.

    Raises:
        SettingsError: the file is wrong.
        FolderError: it cannot be read.
    """
    found = rows(os.environ)
    if as_json:
        print(json.dumps({"file": str(settings_path()), "settings": found}))  # noqa: T201  # the result
        return 0
    grid = Grid(box=box.SIMPLE_HEAD, pad_edge=False)
    say = words().say
    for title in TITLES:
        grid.add_column(say(title), overflow="fold")
    for row in found:
        grid.add_row(*row.values())
    console = Console(highlight=False, markup=False)
    path = settings_path()
    where = str(path) if is_there(path) else say("{path} (not there yet)", path=path)
    console.print(where, soft_wrap=True)
    console.print(grid)
    console.print(say("The command line counts before all of them."))
    return 0


def show_path() -> int:
    """Print where the settings file is."""
    print(settings_path())  # noqa: T201  # the command's result
    return 0


def edit() -> int:
    """Open the settings file in an editor, and check it afterwards.

    Raises:
        EditorError: there is none, or it has failed.
        SettingsError: what was written is wrong; the file stays as it was written.
        FolderError: the file cannot be made or read.
    """
    path = settings_path()
    command = editor(os.environ)
    _make(path)
    try:
        done = subprocess.run([*command, str(path)], check=False)  # noqa: S603  # the person's own editor
    except OSError as error:
        message = said("'{words}': {strerror}.", words=command[0], strerror=error.strerror or error)
        raise EditorError(message) from error
    if done.returncode:
        message = said(
            "'{words}' ended with {returncode}.", words=command[0], returncode=done.returncode
        )
        raise EditorError(message)
    count = len(read_settings(path))
    print(  # noqa: T201  # the command's result
        words().say_n(
            "{path}: {n} setting, all right.", "{path}: {n} settings, all right.", count, path=path
        )
    )
    return 0


def editor(environ: Mapping[str, str]) -> list[str]:
    """Return the command of the person's editor.

    Raises:
        EditorError: what is named cannot be read, or none is and none of the usual ones is there.
    """
    for variable in ("VISUAL", "EDITOR"):
        try:
            words = shlex.split(environ.get(variable, ""))
        except ValueError as error:  # a quote that does not end
            message = said("{variable} has a quote that does not end.", variable=variable)
            raise EditorError(message) from error
        if words:
            return words
    for known in EDITORS:
        if shutil.which(known):
            return [known]
    raise EditorError


def _make(path: Path) -> None:
    """Make the file, with every setting as a comment, unless it is there.

    Raises:
        FolderError: it cannot be made.
    """
    if is_there(path):
        return
    ensure_folder(path.parent)
    try:
        write_atomically(path, template().encode(), replace=False)
    except OSError as error:
        message = said("{path}: {strerror}.", path=path, strerror=error.strerror or error)
        raise FolderError(message) from error
