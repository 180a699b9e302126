"""Whether a bot that runs by itself plays at a table, by its file: the rules, and who sits there.

What is wrong is said in plain words, which the bot also says at the table before it goes.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from unop2p.edge.bot_config import BotConfig
from unop2p.log.digest import fingerprint
from unop2p.rules.options import PRESETS, Options, options_to_dict
from unop2p.table.genesis import Join, Offer

Known = Callable[[str, bytes], bool]
"""Whether a key under a name has been met before."""
_ALWAYS: Final = "anyone"


@dataclass(frozen=True, slots=True)
class Judge:
    """Judges tables and company by one bot's file."""

    config: BotConfig
    known: Known
    own: frozenset[bytes]
    """Our own keys: all that sit in this process are welcome to each other."""

    def rules(self, offer: Offer) -> str | None:
        """Return what is wrong with an offer that makes sense, or None."""
        accept = self.config.accept
        if not accept.seats_least <= offer.seats_wanted <= accept.seats_most:
            return (
                f"I play at tables of {accept.seats_least} to {accept.seats_most} seats, "
                f"and this one has {offer.seats_wanted}."
            )
        if offer.argument not in accept.deals:
            return f"I do not play where cards are dealt by `{offer.argument}`."
        options = offer.options()
        values = options_to_dict(options)
        for name, allowed in accept.options.items():
            if name in values and values[name] not in allowed:
                wanted = ", ".join(map(str, allowed))
                return f"I play with {name} = {wanted}, and here it is {values[name]}."
        return self._preset(options)

    def _preset(self, options: Options) -> str | None:
        wanted = self.config.accept.presets
        if not wanted:
            return None
        nearest: list[str] | None = None
        for name in wanted:
            strange = [at for at in differing(options, PRESETS[name]) if not self._may_differ(at)]
            if not strange:
                return None
            if nearest is None or len(strange) < len(nearest):
                nearest = strange
        listed = ", ".join((nearest or [])[:5])
        return f"I play by {', '.join(wanted)}, and here these differ: {listed}."

    def _may_differ(self, option: str) -> bool:
        return option in self.config.accept.may_differ

    def seat(self, key: bytes, join: Join) -> str | None:
        """Return what is against sitting with somebody, or None."""
        company = self.config.company
        if key in self.own:
            return None
        behind = {_plain(fingerprint(one)) for one in (key, join.owner) if one is not None}
        if behind & {_plain(one) for one in company.blocked}:
            return f"I do not play with {join.name}."
        if join.bot and not company.bots:
            return "I do not play with other bots."
        friend = behind & {_plain(one) for one in company.friends}
        if company.people == _ALWAYS or friend or self.known(join.name, key):
            return None
        return f"I play with those whom I know, and I do not know {join.name}."

    def seats(self, joins: Iterable[tuple[bytes, Join]]) -> str | None:
        """Return what is against the company at a table, or None."""
        return next((why for key, join in joins if (why := self.seat(key, join))), None)

    def host(self, key: bytes) -> bool:
        """Say whether a host is worth a closer look: its name and owner are seen at the table."""
        return _plain(fingerprint(key)) not in {_plain(one) for one in self.config.company.blocked}


def differing(options: Options, other: Options) -> list[str]:
    """Return the names of the options in which two sets of rules differ."""
    here, there = options_to_dict(options), options_to_dict(other)
    return [name for name, value in here.items() if there.get(name) != value]


def _plain(text: str) -> str:
    return text.replace(" ", "")
