"""Before the first step: offer, joins, genesis (protocol section 10)."""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum

from unop2p.errors import IllegalMoveError, LocalError, MalformedError
from unop2p.ids import SEATS_MAX
from unop2p.log.digest import fingerprint
from unop2p.log.messages import Signed
from unop2p.peer.desk import Desk
from unop2p.peer.limits import Limits
from unop2p.peer.programs import program_words
from unop2p.rules.options import check_seats
from unop2p.table import notices
from unop2p.table.genesis import (
    NONCE_BYTES,
    Genesis,
    Join,
    NotSeatedError,
    NotWelcomeError,
    Offer,
    OtherTermsError,
    Program,
    Table,
    TableFullError,
    UnknownArgumentError,
    make_table,
    unseated,
    vouch_payload,
)
from unop2p.table.lookalike import skeleton
from unop2p.table.replay import is_replayed
from unop2p.table.talk import Ready, Refuse, RefuseReason
from unop2p.wire import codec
from unop2p.words import joined, said

JOIN_EVERY_MS = 2_000
TRIES_MAX = 50
"""More names are not tried: an opener that refuses so many means something else."""
JOIN_SILENT_MS = 10_000
"""A join silent for this long is not taken in (protocol section 10)."""


class Role(StrEnum):
    """Why a peer is here."""

    OPENER = "opener"
    JOINER = "joiner"
    SPECTATOR = "spectator"


@dataclass(slots=True)
class JoinHeard:
    """A join, and when it was last heard."""

    signed: Signed
    join: Join
    heard_ms: int


@dataclass(slots=True)
class Lobby:
    """Offer, joins, genesis; ends with a `Table`."""

    desk: Desk
    role: Role
    name: str
    bot: bool
    limits: Limits
    terms: Offer | None
    """What the opener offers; None for others."""
    offer: Signed | None = None
    offered: Offer | None = None
    joins: dict[bytes, JoinHeard] = field(default_factory=dict)
    """By key, in the order in which they came."""
    own_join: Signed | None = None
    returns: bool = False
    """Our key sits at the table by a join that we do not know: we were there, and lost our journal."""
    own_ready: Signed | None = None
    """Our own mark, where we have set one; it is said again and again as the join is."""
    program: Program | None = None
    """What our own join says of the bot that plays."""
    welcome: Callable[[bytes, Join], bool] | None = None
    """Of an opener: whether somebody may sit down, by key and join; None for everybody."""
    wants: bool = True
    """Whether our own player wants the table to begin."""
    marks: dict[bytes, bool] = field(default_factory=dict)
    """By key, who wants the table to begin; who has said nothing does."""
    table: Table | None = None
    said_ms: int = -JOIN_EVERY_MS
    tries: int = 0
    passed_over: bool = False
    """Whether it was told that an offer makes no sense: once, for anybody can send many."""

    def start(self) -> None:
        """Open the table, unless the journal has it already."""
        if self.role is Role.OPENER and self.offer is None:
            assert self.terms is not None
            signed = self.desk.sign(self.terms)
            # The offer first: a journal that begins with a join for it could not be read back.
            self.desk.say(signed)
            self.on_offer(signed, self.terms)
        elif self.offer is not None and self.own_join is None and self.role is not Role.SPECTATOR:
            self._join()
        elif self.offer is not None and self.own_join is not None and self.table is None:
            self._mark()  # what we had said before we were interrupted counts no more
        self.tick()

    def _join(self) -> None:
        """Sign our own join for the offer that we have seen."""
        assert self.offer is not None
        suffix = str(self.tries + 1) if self.tries else ""
        join = Join(
            offer=self.offer.hash,
            name=self.name[: 24 - len(suffix)] + suffix,
            bot=self.bot,
            program=self.program,
            nonce=self.desk.entropy(NONCE_BYTES),
        )
        assert self.offered is not None
        why = unseated(self.offered, self.desk.public, join, ())
        if why is not None:
            self.desk.stop(_unseated(why).sentence(), NotWelcomeError.exit_code)
            return
        self.own_join = self.desk.sign(join)
        if not self.wants:
            self._mark()  # before the join: the table must not begin between the two
        self.on_join(self.own_join, join)
        self.desk.say(self.own_join)
        self.said_ms = self.desk.now_ms

    def on_offer(self, signed: Signed, offer: Offer) -> None:
        """Take an offer: the opener's own, or for others the first that makes sense."""
        if self.offer is not None:
            return
        if self.role is Role.OPENER and signed.author != self.desk.public:
            return
        try:
            offer.options()
        except (UnknownArgumentError, OtherTermsError) as error:
            self.desk.stop(error.sentence(), error.exit_code)
            return
        except LocalError as error:
            if not self.passed_over and not self.desk.replaying:
                self.passed_over = True
                self.desk.notify(notices.Warned(text=_passed_over(error)))
            return
        self.offer, self.offered = signed, offer
        if self.desk.replaying:
            return
        if offer.argument != "proved":
            self.desk.notify(notices.Warned(text=_deal_warning(offer.argument)))
        if signed.author != self.desk.public:
            self.desk.keep(signed)
        if self.role is not Role.SPECTATOR and self.own_join is None:
            self._join()

    def on_join(self, signed: Signed, join: Join) -> None:
        """Note who wants to sit; the opener makes the genesis when the seats are full."""
        if self.offer is None or join.offer != self.offer.hash or self.table is not None:
            return
        held = self.joins.get(signed.author)
        if held is not None and held.signed.hash == signed.hash:
            held.heard_ms = self.desk.now_ms
            self._begin_if_full()
            return
        if len(self.joins) >= self.limits.joins_max and held is None:
            return
        if not self._is_vouched(signed, join):
            return
        if signed.author == self.desk.public:
            self.own_join = signed
        elif self.role is Role.OPENER and self._refused(signed, join):
            return
        self.joins[signed.author] = JoinHeard(signed, join, self.desk.now_ms)
        assert self.offered is not None
        self.desk.notify(
            notices.SeatJoined(
                name=join.name,
                bot=join.bot,
                fingerprint=fingerprint(signed.author),
                seats_taken=len(self.joins),
                seats_wanted=self.offered.seats_wanted,
                **program_words(join.program),
            )
        )
        self._begin_if_full()

    def _begin_if_full(self) -> None:
        assert self.offered is not None
        present = [key for key, held in self.joins.items() if self._is_present(key, held)]
        if self.role is not Role.OPENER or len(present) != self.offered.seats_wanted:
            return
        if all(self.is_ready(key) for key in present):
            self.begin()

    # -- ready marks -------------------------------------------------------------------------------

    def is_ready(self, key: bytes) -> bool:
        """Say whether a seat wants the table to begin, as far as it has said."""
        return self.marks.get(key, True)

    def set_ready(self, *, ready: bool) -> None:
        """Mark our own seat.

        Raises:
            IllegalMoveError: the table has begun, or we do not sit in its lobby.
        """
        if self.table is not None or self.own_join is None:
            message = said("that can be said in the lobby alone")
            raise IllegalMoveError(message)
        self.wants = ready
        self._mark()

    def _mark(self) -> None:
        """Sign our own mark, say it, and act on it."""
        assert self.offer is not None
        mark = Ready(offer=self.offer.hash, ready=self.wants, nonce=self.desk.entropy(NONCE_BYTES))
        self.own_ready = self.desk.sign(mark)
        self.desk.publish(self.own_ready)
        self.on_ready(self.own_ready, mark)

    def on_ready(self, signed: Signed, mark: Ready) -> None:
        """Note whether somebody wants to begin; it may come before that seat's join."""
        if self.offer is None or mark.offer != self.offer.hash or self.table is not None:
            return
        if self.is_ready(signed.author) == mark.ready:
            return
        if len(self.marks) >= self.limits.joins_max and signed.author not in self.marks:
            return
        self.marks[signed.author] = mark.ready
        held = self.joins.get(signed.author)
        if held is not None:
            self.desk.notify(notices.SeatReady(name=held.join.name, ready=mark.ready))
        self._begin_if_full()

    def _refused(self, signed: Signed, join: Join) -> bool:
        assert self.offered is not None
        others = [held for key, held in self.joins.items() if key != signed.author]
        if any(skeleton(held.join.name) == skeleton(join.name) for held in others):
            self.refuse(signed.author, "name")
            return True
        if len(others) >= self.offered.seats_wanted:
            self.refuse(signed.author, "full")
            return True
        why = unseated(self.offered, signed.author, join, [held.join for held in others])
        if why is None and self.welcome is not None and not self.welcome(signed.author, join):
            self.refuse(signed.author, "unwelcome")
            return True
        if why is not None:
            self.refuse(signed.author, why)
        return why is not None

    def _is_vouched(self, signed: Signed, join: Join) -> bool:
        """Say whether the owner whom a join names has signed for it; nobody is named: it is."""
        named = join.program.owner if join.program is not None else None
        if named is None or self.desk.replaying:
            return True
        if named.payload != vouch_payload(signed.author):
            return False
        try:
            codec.verify(named)
        except codec.SignatureError:
            return False
        return True

    def refuse(self, key: bytes, reason: RefuseReason) -> None:
        """Tell a joiner that it cannot sit, and why."""
        refusal = Refuse(to=key, reason=reason, nonce=self.desk.entropy(NONCE_BYTES))
        self.desk.publish(self.desk.sign(refusal))

    def on_refuse(self, signed: Signed, refusal: Refuse) -> None:
        """The opener cannot take our join: take another name, or go."""
        mine = refusal.to == self.desk.public and self.role is Role.JOINER
        if not mine or self.offer is None or signed.author != self.offer.author:
            return
        if refusal.reason == "full":
            self.desk.stop(TableFullError().sentence(), TableFullError.exit_code)
        elif self.table is None and refusal.reason != "name":
            self.desk.stop(_unseated(refusal.reason).sentence(), NotWelcomeError.exit_code)
        elif self.table is None and self.tries < TRIES_MAX:
            self.tries += 1
            self._join()
            called = self.joins[self.desk.public].join.name
            text = said(
                "Somebody here has that name, or one that looks like it: you are {name}.",
                name=called,
            )
            self.desk.notify(notices.Warned(text=text))

    def present(self) -> list[JoinHeard]:
        """Return the joins heard lately, our own always, in the order in which they came."""
        return [held for key, held in self.joins.items() if self._is_present(key, held)]

    def _is_present(self, key: bytes, held: JoinHeard) -> bool:
        return key == self.desk.public or self.desk.now_ms - held.heard_ms <= JOIN_SILENT_MS

    def begin(self) -> None:
        """Make the genesis with who is here.

        Raises:
            IllegalMoveError: not the opener, or nobody else is here.
            InvalidOptionsError: the rules are for another number of seats.
        """
        if self.role is not Role.OPENER or self.offer is None or self.table is not None:
            message = said("only who opened the table can begin it, and only once")
            raise IllegalMoveError(message)
        present = self.present()
        if len(present) < 2:  # SEATS_MIN
            message = said("nobody else is here yet")
            raise IllegalMoveError(message)
        assert self.offered is not None
        check_seats(self.offered.options(), len(present))
        genesis = Genesis(offer=self.offer, joins=tuple(held.signed for held in present))
        signed = self.desk.sign(genesis)
        self.on_genesis(signed, genesis)
        self.desk.say(signed)

    def on_genesis(self, signed: Signed, genesis: Genesis) -> None:
        """Take the genesis, if it is one and we sit in it.

        Raises:
            RemoteError: it is not a genesis of this table; nothing has changed.
        """
        if self.table is not None:
            return
        if len(genesis.joins) > SEATS_MAX:  # hundreds fit, and each has a signature to check
            message = said("a genesis of {joins} seats", joins=len(genesis.joins))
            raise MalformedError(message)
        offer = codec.decode(genesis.offer.payload)
        joins = [codec.decode(item.payload) for item in genesis.joins]
        seated = tuple(join for join in joins if isinstance(join, Join))
        if not isinstance(offer, Offer) or len(seated) != len(joins):
            message = said("a genesis of other things than an offer and joins")
            raise MalformedError(message)
        if self.offer is not None and self.offer.hash != genesis.offer.hash:
            message = said("a genesis for another offer")
            raise MalformedError(message)
        if not self.desk.replaying:
            codec.verify(genesis.offer)
            for item, join in zip(genesis.joins, seated, strict=True):
                codec.verify_join(item, join)
        try:
            table = make_table(signed, genesis, offer, seated)
        except UnknownArgumentError as error:
            self.desk.stop(error.sentence(), error.exit_code)
            return
        except LocalError as error:
            raise MalformedError(str(error)) from error
        if self.role is not Role.SPECTATOR and self.desk.public not in table.keys:
            if self.own_join is not None or len(table.keys) >= offer.seats_wanted:
                self.desk.stop(TableFullError().sentence(), TableFullError.exit_code)
            else:
                self.desk.stop(NotSeatedError().sentence(), NotSeatedError.exit_code)
            return
        self.table = table
        self.offer, self.offered = genesis.offer, offer
        ours = {item.hash for item in genesis.joins if item.author == self.desk.public}
        held = self.own_join.hash if self.own_join is not None else b""
        self.returns = bool(ours) and held not in ours and not self.desk.replaying

    def tick(self) -> None:
        """Say again what others may have missed."""
        if self.table is not None or self.role is Role.SPECTATOR:
            return
        if self.desk.now_ms - self.said_ms >= JOIN_EVERY_MS:
            self.said_ms = self.desk.now_ms
            if self.role is Role.OPENER and self.offer is not None:
                self.desk.publish(self.offer)
            for own in (self.own_ready, self.own_join):
                if own is not None:
                    self.desk.publish(own)
        self.desk.wake(self.said_ms + JOIN_EVERY_MS)


def _unseated(reason: RefuseReason) -> NotWelcomeError:
    """Return why a host does not seat us."""
    match reason:
        case "bots":
            return NotWelcomeError(said("Bots do not sit at this table."))
        case "owner":
            return NotWelcomeError(
                said("One bot of each owner sits at this table, and none without an owner.")
            )
        case _:
            return NotWelcomeError(said("It has not said why."))


def _deal_warning(argument: str) -> str:
    """Return what a player should know of a table whose shuffles are not proved as usual."""
    if is_replayed(argument):
        return said(
            "Cards are dealt by `{deal}`: a false shuffle is found only when the round has ended. "
            "Until then a cheat may choose and know every card. All hands are known then.",
            deal=argument,
        )
    return said("Cards are dealt by `{deal}`, which is not part of this program.", deal=argument)


def _passed_over(error: LocalError) -> str:
    """Return what a player should know of an offer that makes no sense: another may come."""
    return joined(said("A table is on offer that cannot be joined."), error.sentence())
