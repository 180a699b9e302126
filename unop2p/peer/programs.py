"""What is shown of a program that sits at a table."""

from typing import TypedDict

from unop2p.log.digest import fingerprint
from unop2p.table.genesis import Program


class ProgramWords(TypedDict):
    """What is shown of a program that sits at the table."""

    level: str
    version: str
    owner: str


def program_words(program: Program | None) -> ProgramWords:
    """Return what a bot says of itself, as it is shown."""
    if program is None:
        return {"level": "", "version": "", "owner": ""}
    owner = fingerprint(program.owner.author) if program.owner is not None else ""
    return {"level": program.level, "version": program.version, "owner": owner}
