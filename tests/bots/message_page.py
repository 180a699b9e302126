"""The messages that the reference shows, from the code that writes and reads them.

`python -m tests.bots.message_page` writes them into the page anew.
"""

import json
import re
from pathlib import Path
from typing import Any

from tests.bots.support import position
from unop2p.bots.messages import act_line, bye_line, hello_line, read_answer, read_ready
from unop2p.ids import Seat
from unop2p.rules.options import PRESETS

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "bots.md"
MESSAGE = re.compile(r"<!-- message: (\w+) -->\n(?:\n```json\n.*?\n```\n)?", re.DOTALL)


def shown(value: Any, depth: int, indent: str = "") -> str:
    """Return JSON with the outer objects over several lines."""
    if depth and isinstance(value, dict):
        inner = indent + " "
        parts = [
            f"{inner}{json.dumps(key)}: {shown(item, depth - 1, inner)}"
            for key, item in value.items()
        ]
        return "{\n" + ",\n".join(parts) + f"\n{indent}}}"
    if depth and isinstance(value, list) and value and isinstance(value[0], dict):
        inner = indent + " "
        return "[\n" + ",\n".join(f"{inner}{json.dumps(item)}" for item in value) + f"\n{indent}]"
    return json.dumps(value)


def examples() -> dict[str, str]:
    """Return each message as the page shows it."""
    view = position("R1 G2 W", top="R5", others=("B1", "B2 B3")).view(Seat(0))
    legal = view.legal()
    answers = {
        "ready": {"type": "ready", "protocol": 1, "name": "mybot"},
        "move": {"type": "move", "id": 1, "index": 0},
        "text": {"type": "move", "id": 1, "move": "play R1"},
        "failed": {"type": "failed", "id": 1, "error": "no idea"},
    }
    read_ready(json.dumps(answers["ready"]).encode())
    for name in ("move", "text", "failed"):
        read_answer(json.dumps(answers[name]).encode())
    found = {name: json.dumps(message) for name, message in answers.items()}
    found["hello"] = shown(json.loads(hello_line(PRESETS["official"], 1000)), 1)
    found["act"] = shown(json.loads(act_line(1, view, legal, 1734)), 3)
    found["bye"] = shown(json.loads(bye_line()), 0)
    return found


def page(text: str) -> str:
    """Return the page with its examples as they are now."""
    known = examples()
    return MESSAGE.sub(
        lambda found: f"<!-- message: {found[1]} -->\n\n```json\n{known[found[1]]}\n```\n", text
    )


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text("utf-8")), "utf-8")
