"""Where the game keeps its files: one private folder, mode 0700."""

import contextlib
import errno
import os
import sys
from collections.abc import Mapping
from pathlib import Path

from unop2p.edge.errors import DiskFullError, FolderError
from unop2p.words import said

HOME_VARIABLE = "UNOP2P_HOME"
SETTINGS_VARIABLE = "UNOP2P_CONFIG"
SETTINGS_NAME = "config.toml"
FOLDER_MODE = 0o700
FILE_MODE = 0o600
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def is_full(error: OSError) -> bool:
    """Return whether there is no room any more: on the disk, for this user, or in this file."""
    return error.errno in _FULL


def file_failed(path: Path, error: OSError) -> DiskFullError | FolderError:
    """Return what to raise where a folder or file of the game could not be made, read or written."""
    if is_full(error):
        return DiskFullError(said("{path}.", path=path))
    return FolderError(said("{path}: {strerror}.", path=path, strerror=error.strerror or error))


def data_home(environ: Mapping[str, str] | None = None) -> Path:
    """Return the data folder, made if need be.

    Args:
        environ: the environment; `UNOP2P_HOME` in it overrides the platform's place.

    Raises:
        FolderError: it cannot be made or written.
        DiskFullError: there is no room.
    """
    chosen = (os.environ if environ is None else environ).get(HOME_VARIABLE)
    if chosen:
        return ensure_folder(Path(chosen).expanduser())
    import platformdirs  # noqa: PLC0415  # not all that starts needs it

    return ensure_folder(Path(platformdirs.user_data_path("unop2p", appauthor=False)))


def settings_path(environ: Mapping[str, str] | None = None) -> Path:
    """Return where the settings file is, or would be.

    Args:
        environ: the environment: `UNOP2P_CONFIG` names the file, `UNOP2P_HOME` the folder.
    """
    known = os.environ if environ is None else environ
    if known.get(SETTINGS_VARIABLE):
        return Path(known[SETTINGS_VARIABLE]).expanduser()
    if known.get(HOME_VARIABLE):
        return Path(known[HOME_VARIABLE]).expanduser() / SETTINGS_NAME
    return _config_folder(known) / SETTINGS_NAME


def _config_folder(environ: Mapping[str, str]) -> Path:
    """Return what platformdirs does; without it on Linux, where it is half the time of a start."""
    if sys.platform == "linux" and "ANDROID_DATA" not in environ:
        chosen, home = Path(environ.get("XDG_CONFIG_HOME", "")), Path(environ.get("HOME", ""))
        if chosen.is_absolute() or home.is_absolute():
            return (chosen if chosen.is_absolute() else home / ".config") / "unop2p"
    import platformdirs  # noqa: PLC0415  # see above

    return Path(platformdirs.user_config_path("unop2p", appauthor=False))


def is_there(path: Path) -> bool:
    """Say whether a file is there, as far as can be seen: behind a closed folder nothing is.

    What then needs the file says why it cannot have it.
    """
    try:
        return path.exists()
    except OSError:  # a folder that may not be looked into, or a name that no file can have
        return False


def ensure_folder(path: Path) -> Path:
    """Make a private folder, and its parents, and show that it can be written.

    Raises:
        FolderError: it is no folder, or cannot be made or written.
        DiskFullError: there is no room.
    """
    import tempfile  # noqa: PLC0415  # as above

    try:
        path.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path):
            pass
    except OSError as error:
        raise file_failed(path, error) from error
    # Somebody else's folder, or a file system without modes: the files in it are 0600 all the same.
    with contextlib.suppress(OSError):
        path.chmod(FOLDER_MODE)
    return path


def sync_folder(path: Path) -> None:
    """Make a folder's entries durable, where the platform can open folders.

    Raises:
        OSError: the file system reports a failure.
    """
    if os.name != "posix":
        return
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def write_atomically(path: Path, data: bytes, *, replace: bool = True) -> bool:
    """Write a private file so that it is there whole, or not at all, after any crash.

    Args:
        path: the file; its folder must be there.
        data: its content.
        replace: whether a file that is there already gives way.

    Returns:
        whether it was written: false if it was there and may not be replaced.

    Raises:
        OSError: as the file system says.
    """
    import tempfile  # noqa: PLC0415  # as above

    descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if replace:
            Path(name).replace(path)
        else:
            # A link fails where the name is taken: two programs that start at once agree.
            try:
                os.link(name, path)
            except FileExistsError:
                return False
    finally:
        with contextlib.suppress(FileNotFoundError):
            Path(name).unlink()
    sync_folder(path.parent)
    return True
