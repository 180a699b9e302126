"""What a shell can offer for the values of the laboratory's options; each loads what it needs."""

from collections.abc import Iterator

from unop2p.cli.offers import Offer, offered


@offered
def cheats(typed: str) -> Iterator[Offer]:
    """Offer cheats for a seat: the name, then the seat behind a `@`."""
    from unop2p.sim.lab.registry import CHEATS  # noqa: PLC0415

    name, at, _ = typed.partition("@")
    if at:
        yield from ((f"{name}@{seat}", "") for seat in range(10) if name in CHEATS)
        return
    yield from ((f"{cheat.name}@1", cheat.sentence) for cheat in CHEATS.values())


@offered
def cheats_or_families(_: str) -> Iterator[Offer]:
    """Offer cheats, and their families."""
    from unop2p.sim.lab.registry import CHEATS  # noqa: PLC0415

    yield from ((family, "") for family in dict.fromkeys(c.family for c in CHEATS.values()))
    yield from ((cheat.name, cheat.sentence) for cheat in CHEATS.values())


@offered
def defenses(_: str) -> Iterator[Offer]:
    """Offer the defenses that can be left out."""
    from unop2p.sim.lab.defenses import DEFENSES  # noqa: PLC0415

    yield from ((defense.name, defense.sentence) for defense in DEFENSES.values())
