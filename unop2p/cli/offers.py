"""What a shell can offer for the values of options and arguments; each loads what it needs."""

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from unop2p.cli.tongue import words

Offer = tuple[str, str]
"""A value, and what it means; the second may be empty."""
ENGINES = ("auto", "mosquitto", "iotcore", "amqtt")
_RULE_FILES = 100


def offered(find: Callable[[str], Iterable[Offer]]) -> Callable[[str], list[Offer]]:
    """Return what offers values in the way in which typer asks for them.

    Args:
        find: yields values for what is typed so far; typer leaves out those that begin in another way.
    """

    def offers(incomplete: str) -> list[Offer]:
        try:
            return list(find(incomplete))
        except Exception:  # noqa: BLE001  # a Tab is no place for a complaint, whatever is wrong
            return []

    offers.__doc__ = find.__doc__
    return offers


@offered
def languages(_: str) -> Iterator[Offer]:
    """Offer the languages by their codes."""
    from unop2p.words import LANGUAGES  # noqa: PLC0415

    yield from LANGUAGES.items()


@offered
def levels(_: str) -> Iterator[Offer]:
    """Offer the levels of bots, and the bots that other packages bring."""
    from unop2p.bots.levels import LEVELS  # noqa: PLC0415
    from unop2p.edge.plugins import plugins  # noqa: PLC0415

    yield from ((level, "") for level in LEVELS)
    yield from ((name, words().say("a bot of your own")) for name in plugins())


@offered
def allowed_bots(_: str) -> Iterator[Offer]:
    """Offer which bots a table may let in."""
    yield from ((word, "") for word in ("any", "one-each", "none"))


@offered
def level_lists(typed: str) -> Iterator[Offer]:
    """Offer levels with commas between."""
    before = typed.rpartition(",")[0]
    lead = f"{before}," if before else ""
    yield from ((f"{lead}{level}", told) for level, told in levels(""))


@offered
def taught_levels(_: str) -> Iterator[Offer]:
    """Offer the levels that learn."""
    yield from (("net", ""), ("linear", ""))


@offered
def rules(typed: str) -> Iterator[Offer]:
    """Offer the presets, and the rule files and folders that are there."""
    from unop2p.rules.options import PRESETS  # noqa: PLC0415

    yield from ((name, words().say("preset")) for name in PRESETS)
    folder = Path(typed if typed.endswith("/") else Path(typed).parent).expanduser()
    lead = typed[: typed.rfind("/") + 1]
    for path in sorted(folder.iterdir())[:_RULE_FILES]:
        if path.suffix == ".toml":
            yield f"{lead}{path.name}", ""
        elif path.is_dir() and lead and not path.name.startswith("."):
            yield f"{lead}{path.name}/", ""


@offered
def rule_changes(typed: str) -> Iterator[Offer]:
    """Offer options of the rules; behind a `=` the values of one."""
    from unop2p.rules.describe import TOPICS  # noqa: PLC0415
    from unop2p.rules.options import CHOICES, FLAGS, NUMBERS, SETS  # noqa: PLC0415

    name, equals, _ = typed.partition("=")
    if not equals:
        yield from ((f"{option}=", words().say(topic)) for option, topic in TOPICS.items())
        return
    values: Iterable[object] = CHOICES.get(name) or SETS.get(name, ())
    if name in FLAGS:
        values = ("true", "false")
    elif name in NUMBERS and not isinstance(NUMBERS[name], range):
        values = NUMBERS[name]
    yield from ((f"{name}={value}", "") for value in values)


@offered
def deals(_: str) -> Iterator[Offer]:
    """Offer the ways to shuffle that come with the game."""
    yield from (("proved", ""), ("commit-reveal", ""))


@offered
def engines(_: str) -> Iterator[Offer]:
    """Offer the brokers that can be our own."""
    yield from ((engine, "") for engine in ENGINES)


@offered
def profiles(_: str) -> Iterator[Offer]:
    """Offer the profiles that have a key."""
    from unop2p.edge.paths import data_home  # noqa: PLC0415

    yield from ((path.stem, "") for path in sorted((data_home() / "identities").glob("*.json")))


@offered
def tables(_: str) -> Iterator[Offer]:
    """Offer the tables that wait, with the command and the time when one was last there."""
    from unop2p.cli.tables import SHOWN_CHARACTERS, when  # noqa: PLC0415
    from unop2p.edge.paths import data_home  # noqa: PLC0415
    from unop2p.edge.tables import TableStore  # noqa: PLC0415

    for table in TableStore(data_home()).waiting():
        yield table.mark[:SHOWN_CHARACTERS], f"{table.words[0]}, {when(table)}"


@offered
def groups(_: str) -> Iterator[Offer]:
    """Offer the groups of the laboratory."""
    yield from (("ristretto255", ""), ("toy", ""))


@offered
def fault_modes(_: str) -> Iterator[Offer]:
    """Offer what can go wrong in the simulator."""
    for mode in ("swarm", "none", "loss", "partition", "crash", "slow", "cheat"):
        yield mode, ""


@offered
def shells(_: str) -> Iterator[Offer]:
    """Offer the shells that completion is there for."""
    yield from (("bash", ""), ("zsh", ""), ("fish", ""))


@offered
def addresses(typed: str) -> Iterator[Offer]:
    """Offer how a broker's address begins."""
    if not re.match(r"\w+://", typed):
        yield from ((f"{scheme}://", "") for scheme in ("mqtt", "mqtts", "ws", "wss"))
