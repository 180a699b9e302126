"""Reads the vectors of `tests/vectors`."""

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent.parent / "vectors"


def load(name: str) -> dict[str, Any]:
    """Return one file of vectors."""
    loaded: dict[str, Any] = json.loads((FOLDER / name).read_text(encoding="utf-8"))
    return loaded
