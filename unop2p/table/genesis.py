"""How a table begins: `offer` -> `join` -> `genesis`, and what each must fulfil (protocol section 10)."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from unop2p import PROTOCOL_VERSION
from unop2p.errors import InvalidOptionsError, LocalError, MalformedError
from unop2p.ids import SEATS_MAX, SEATS_MIN
from unop2p.log.messages import Signed
from unop2p.rules.options import Options, check_seats, options_from_dict
from unop2p.table.lookalike import BLANKS
from unop2p.table.replay import is_replayed
from unop2p.table.standing import SEATS_TO_SHARE, resilience_max, threshold_for
from unop2p.table.work import ARGUMENTS
from unop2p.words import said, said_n

NAME_CHARACTERS_MAX = 24
PROGRAM_CHARACTERS_MAX = 32
"""Of a bot's level and version."""
_PLAIN_SIGNS = str.maketrans("-_.:+/", "000000")
_PROGRAM_WORDS = said("the level and version of a bot are 1 to 32 letters, digits and signs")
ARGUMENT_CHARACTERS_MAX = 64
NONCE_BYTES = 16
TABLE_ID_BYTES = 16


class NotSeatedError(LocalError):
    """The table began without you."""

    exit_code = 21


class OtherTermsError(LocalError):
    """The table was opened for another version of the protocol: everybody needs the same unop2p."""

    exit_code = 22


class UnknownArgumentError(LocalError):
    """The table is dealt with a shuffle argument that this program does not have."""

    exit_code = 23


class NotWelcomeError(LocalError):
    """The host does not seat you."""

    exit_code = 24


class TableFullError(LocalError):
    """Every seat at this table is taken: ask for a new ticket, or watch with `unop2p watch`."""

    exit_code = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Timers:
    """How long a table waits, in milliseconds (protocol section 5)."""

    turn_ms: int = 60_000
    reaction_ms: int = 2_000
    """With a human at the table; a table of bots has none."""
    patience_ms: int = 20_000

    def __post_init__(self) -> None:
        """Refuse lengths that no table can be played with."""
        limits = ((self.turn_ms, 1_000, 86_400_000), (self.reaction_ms, 0, 60_000))
        for value, low, high in (*limits, (self.patience_ms, 1_000, 3_600_000)):
            if not low <= value <= high:
                message = said(
                    "a timer of {value} ms is outside {low}..{high}",
                    value=value,
                    low=low,
                    high=high,
                )
                raise MalformedError(message)


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """The opener's word on what will be played. Who joins has seen the rules."""

    table: bytes
    """Random table id, 16 bytes."""
    version: int
    rules: dict[str, bool | int | str | list[str]]
    """The options by name (`rules.options.options_to_dict`)."""
    timers: Timers
    seats_wanted: int
    argument: str
    """Name of the shuffle argument: `proved`, `commit-reveal`, or one that all peers have added."""
    resilience: int
    """k of protocol section 6: the game goes on while at most k seats are away."""
    bots: Literal["any", "one-each", "none"] = "any"
    """Which programs may sit here: `one-each` of every owner, and none without; or none at all."""
    hints: bool = True
    """Whether a program may tell its person what a bot would play."""
    kind: Literal["offer"] = "offer"

    def __post_init__(self) -> None:
        """Refuse what no table can be."""
        if len(self.table) != TABLE_ID_BYTES:
            message = said("the table id is not 16 bytes")
            raise MalformedError(message)
        if not SEATS_MIN <= self.seats_wanted <= SEATS_MAX:
            message = said_n(
                "{n} seat: a table has {seats_min} to {seats_max}",
                "{n} seats: a table has {seats_min} to {seats_max}",
                self.seats_wanted,
                seats_min=SEATS_MIN,
                seats_max=SEATS_MAX,
            )
            raise MalformedError(message)
        check_argument_name(self.argument)

    def options(self) -> Options:
        """Return the rule options.

        Raises:
            InvalidOptionsError: an unknown option or value, a senseless combination, or too few or
                many seats for it; or a resilience that it cannot be played with.
            UnknownArgumentError: a shuffle argument that this program does not have.
            OtherTermsError: another version of the protocol.
        """
        if self.version != PROTOCOL_VERSION:
            message = said(
                "Theirs is {version}, ours is {protocol_version}.",
                version=self.version,
                protocol_version=PROTOCOL_VERSION,
            )
            raise OtherTermsError(message)
        if self.argument not in ARGUMENTS:
            message = said(
                "It is called `{argument}`: name the class that has it with `--deal`.",
                argument=self.argument,
            )
            raise UnknownArgumentError(message)
        check_resilience(self.resilience, self.seats_wanted, self.argument)
        options = options_from_dict(self.rules)
        check_seats(options, self.seats_wanted)
        return options


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """What the joining word of a bot says of it. Nobody can check more of this than the owner."""

    level: str
    """As `--level` takes it, or what a homemade bot calls itself."""
    version: str
    """Of the program that runs it."""
    owner: Signed | None = None
    """The owner's signature under the bot's key (`vouch_payload`), if somebody stands up for it."""

    def __post_init__(self) -> None:
        """Refuse words that could play tricks with a screen."""
        for word in (self.level, self.version):
            plain = word.translate(_PLAIN_SIGNS)
            if not (1 <= len(word) <= PROGRAM_CHARACTERS_MAX and plain.isascii()):
                raise MalformedError(_PROGRAM_WORDS)
            if not plain.isalnum():
                raise MalformedError(_PROGRAM_WORDS)


def vouch_payload(bot: bytes) -> bytes:
    """Return what an owner signs for a bot: no message of the protocol begins like it.

    Args:
        bot: its public key, 32 bytes.
    """
    return b"unop2p/v1/vouch\x00" + bot


@dataclass(frozen=True, slots=True, kw_only=True)
class Join:
    """A seat's own word that it plays."""

    offer: bytes
    """Hash of the signed offer, 32 bytes."""
    name: str
    bot: bool
    nonce: bytes
    """Fresh, 16 bytes."""
    program: Program | None = None
    """Of a bot that says what it is; None for a person."""
    kind: Literal["join"] = "join"

    @property
    def owner(self) -> bytes | None:
        """The key of the bot's owner, if it has named one."""
        named = self.program.owner if self.program is not None else None
        return named.author if named is not None else None

    def __post_init__(self) -> None:
        """Refuse names that could play tricks with a screen."""
        check_name(self.name)
        if self.program is not None and not self.bot:
            message = said("a person who is a program")
            raise MalformedError(message)
        if len(self.nonce) != NONCE_BYTES:
            message = said("the nonce of a join is not 16 bytes")
            raise MalformedError(message)


def default_resilience(seats: int, argument: str) -> int:
    """Return for how many seats others can stand in where nobody has asked for a number.

    Args:
        seats: wanted.
        argument: name of the shuffle argument.
    """
    return int(seats >= SEATS_TO_SHARE and not is_replayed(argument))


def check_resilience(resilience: int, seats: int, argument: str) -> None:
    """Refuse a resilience that a table cannot have.

    At a table whose shuffles are replayed it is 0: a seat that is away when its shuffle seed is asked for
    is out for good and the round counts for nobody, so a round played on without it would be in vain.

    Args:
        resilience: k.
        seats: wanted.
        argument: name of the shuffle argument.

    Raises:
        InvalidOptionsError: it is negative, leaves no majority, or goes with replayed shuffles.
    """
    most = resilience_max(seats)
    if not 0 <= resilience <= most:
        message = said_n(
            "resilience {resilience}: with {n} seat it is 0 to {most}",
            "resilience {resilience}: with {n} seats it is 0 to {most}",
            seats,
            resilience=resilience,
            most=most,
        )
        raise InvalidOptionsError(message)
    if resilience and is_replayed(argument):
        message = said(
            "nobody can stand in at a table that is dealt with `{argument}`: who does not show how it "
            "has shuffled is out, and the round is void. Its resilience is 0.",
            argument=argument,
        )
        raise InvalidOptionsError(message)


def check_argument_name(name: str) -> None:
    """Raise `MalformedError` unless a shuffle argument's name is one that a screen can show."""
    plain = name.replace("-", "").replace("_", "").replace(".", "")
    if not (1 <= len(name) <= ARGUMENT_CHARACTERS_MAX and plain.isascii() and plain.isalnum()):
        message = said(
            "the name of a shuffle argument is 1 to 64 letters, digits, '-', '_' and '.'"
        )
        raise MalformedError(message)


def check_name(name: str) -> None:
    """Raise `MalformedError` unless a name is 1 to 24 printable characters without odd spaces."""
    if not 1 <= len(name) <= NAME_CHARACTERS_MAX or not name.isprintable() or name != name.strip():
        message = said(
            "a name is 1 to {name_characters_max} printable characters",
            name_characters_max=NAME_CHARACTERS_MAX,
        )
        raise MalformedError(message)
    if any(character.isspace() for character in name):
        message = said("a name has no spaces")
        raise MalformedError(message)
    if any(character in BLANKS for character in name):
        message = said("a name has no letters that nobody sees")
        raise MalformedError(message)


@dataclass(frozen=True, slots=True, kw_only=True)
class Genesis:
    """The opener's list of who sits where. The hash of its signed form is the first head."""

    offer: Signed
    joins: tuple[Signed, ...]
    """By seat; a seat is its index here."""
    kind: Literal["genesis"] = "genesis"


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A genesis, checked and taken apart."""

    genesis: Signed
    offer: Offer
    options: Options
    keys: tuple[bytes, ...]
    """Public keys by seat."""
    names: tuple[str, ...]
    bots: tuple[bool, ...]
    programs: tuple[Program | None, ...]
    """What each bot says of itself."""

    @property
    def seat_count(self) -> int:
        """How many seats the table has."""
        return len(self.keys)

    def threshold(self, members: int) -> int:
        """Return how many act for another in a round of so many; 0 where nobody can.

        A table of four that begins with three shares nothing: who joined it was not told of less.
        """
        return threshold_for(self.offer.resilience, self.offer.seats_wanted, members)

    @property
    def resilience(self) -> int:
        """For how many seats others can stand in, where all are in the round."""
        threshold = self.threshold(self.seat_count)
        return self.seat_count - threshold if threshold else 0

    @property
    def reaction_ms(self) -> int:
        """The reaction window: none at a table of bots."""
        return 0 if all(self.bots) else self.offer.timers.reaction_ms

    @property
    def head(self) -> bytes:
        """The first head."""
        return self.genesis.hash


def unseated(
    offer: Offer, key: bytes, join: Join, others: Iterable[Join]
) -> Literal["bots", "owner"] | None:
    """Return why a join is against the offer, where it is; who vouched is checked by signature.

    Args:
        offer: what is offered.
        key: who joins.
        join: the word.
        others: who sits there already.

    Raises:
        MalformedError: the owner's signature is for something else.
    """
    named = join.program.owner if join.program is not None else None
    if named is not None and named.payload != vouch_payload(key):
        message = said("an owner who has signed for something else")
        raise MalformedError(message)
    if not join.bot or offer.bots == "any":
        return None
    if offer.bots == "none":
        return "bots"
    if join.owner is None or any(other.owner == join.owner for other in others):
        return "owner"
    return None


def make_table(signed: Signed, genesis: Genesis, offer: Offer, joins: tuple[Join, ...]) -> Table:
    """Check a decoded genesis whose signatures hold, and take it apart.

    Raises:
        MalformedError: too few or many seats, a key or name twice, a join for another offer.
        InvalidOptionsError: the rules of the offer make no sense, or not for so many seats.
    """
    keys = tuple(item.author for item in genesis.joins)
    names = tuple(join.name for join in joins)
    if not SEATS_MIN <= len(keys) <= offer.seats_wanted:
        message = said(
            "a genesis of {keys} seats where {seats_wanted} were offered",
            keys=len(keys),
            seats_wanted=offer.seats_wanted,
        )
        raise MalformedError(message)
    if signed.author != genesis.offer.author:
        message = said("the genesis is not by who made the offer")
        raise MalformedError(message)
    if len(set(keys)) != len(keys):
        message = said("a key sits twice at the table")
        raise MalformedError(message)
    if len({name.casefold() for name in names}) != len(names):
        message = said("a name sits twice at the table")
        raise MalformedError(message)
    if any(join.offer != genesis.offer.hash for join in joins):
        message = said("a join is for another offer")
        raise MalformedError(message)
    for index, join in enumerate(joins):
        why = unseated(offer, keys[index], join, joins[:index])
        if why is not None:
            message = said("a seat that the offer does not allow: {why}", why=why)
            raise MalformedError(message)
    options = offer.options()
    check_seats(options, len(keys))
    return Table(
        genesis=signed,
        offer=offer,
        options=options,
        keys=keys,
        names=names,
        bots=tuple(join.bot for join in joins),
        programs=tuple(join.program for join in joins),
    )
