"""Runs a plug-in in a program of its own, `python -m unop2p.edge.plugin_host NAME`.

So a Python class at a table gets what its seat sees, and has no way to the keys and hands of others; and
one that never returns is ended like any other program.
"""

import json
import os
import sys
from random import Random
from typing import IO, Any, Final

from unop2p.bots.base import Bot
from unop2p.bots.guard import BotFailedError
from unop2p.bots.messages import BOT_PROTOCOL, move_dict, read_move
from unop2p.bots.view_text import read_view
from unop2p.edge.plugins import make_plugin, plugins
from unop2p.errors import Unop2pError
from unop2p.rules.options import Options, options_from_dict

MODULE: Final = "unop2p.edge.plugin_host"


def answer_to(message: dict[str, Any], bot: Bot, rules: Options | None) -> dict[str, Any]:
    """Return the answer to one `act`."""
    assert rules is not None, "hello comes first"
    view = read_view(message["view"], rules)
    legal = tuple(read_move(item["move"]) for item in message["legal"])
    try:
        move = bot.choose(view, legal, Random(message["seed"]))  # noqa: S311  # the bot's chance
    except BotFailedError as error:
        return {"type": "failed", "id": message["id"], "error": error.detail()}
    text = None if move is None else move_dict(move)["move"]
    return {"type": "move", "id": message["id"], "move": text}


def serve(bot: Bot, told: IO[str], said: IO[str]) -> None:
    """Answer all that is asked, until nothing more comes."""
    rules: Options | None = None
    for line in told:
        try:
            message = json.loads(line)
        except ValueError:
            continue
        match message:
            case {"type": "hello"}:
                rules = options_from_dict(message["rules"])
                answer = {"type": "ready", "protocol": BOT_PROTOCOL, "name": bot.name}
            case {"type": "act"}:
                answer = answer_to(message, bot, rules)
            case {"type": "bye"}:
                return
            case _:  # of a later protocol
                continue
        said.write(json.dumps(answer) + "\n")
        said.flush()


def main(name: str) -> int:
    """Run the plug-in of a name; what it prints goes to standard error."""
    own = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    try:
        bot = make_plugin(name, plugins()[name])
    except (Unop2pError, KeyError) as error:
        sys.stderr.write(f"{error.sentence() if isinstance(error, Unop2pError) else error}\n")
        return 2
    serve(bot, sys.stdin, own)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
