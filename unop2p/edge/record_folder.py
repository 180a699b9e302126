"""A folder of records that does not grow for ever: the oldest go."""

from collections.abc import Set as AbstractSet
from contextlib import suppress
from pathlib import Path


def prune(
    folder: Path, *, keep: int, most_bytes: int, oldest_s: float, but: AbstractSet[Path]
) -> list[Path]:
    """Remove records beyond those that are to be kept; return which. What cannot be removed stays.

    Args:
        folder: of files `*.jsonl`; others are left alone.
        keep: so many of the newest; 0: all.
        most_bytes: so much of the newest; 0: all.
        oldest_s: none that was last written before this, in seconds since 1970.
        but: these are being written: they stay, and count.
    """
    found: list[tuple[float, int, Path]] = []
    for path in folder.glob("*.jsonl"):
        with suppress(OSError):
            state = path.stat()
            found.append((state.st_mtime, state.st_size, path))
    found.sort(reverse=True)
    found.sort(key=lambda one: one[2] not in but)
    gone: list[Path] = []
    total = 0
    for number, (written_s, size, path) in enumerate(found, 1):
        total += size
        beyond = (keep and number > keep) or (most_bytes and total > most_bytes)
        if path not in but and (beyond or written_s < oldest_s):
            with suppress(OSError):
                path.unlink()
                gone.append(path)
    return gone
