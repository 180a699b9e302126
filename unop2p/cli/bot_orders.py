"""What an unattended bot is to do: its file, read and checked as far as it can be without a network."""

from dataclasses import dataclass
from pathlib import Path

from unop2p.bots.pace import Pace, read_pace
from unop2p.cli.common import make_offer, read_broker, read_rules
from unop2p.edge.arguments import load_argument
from unop2p.edge.bot_config import BotConfig, BotConfigError, BrokerPart, read_bot_config
from unop2p.edge.broker_url import BrokerURL, tls_context
from unop2p.edge.keystore import Identity, load_identity
from unop2p.edge.lounge import read_lounge
from unop2p.edge.metrics import check_address
from unop2p.edge.paths import data_home, ensure_folder
from unop2p.edge.roster import check_bot
from unop2p.rules.options import PRESETS, options_to_dict
from unop2p.table.genesis import Offer
from unop2p.wire.lounge import Lounge
from unop2p.wire.ticket import Ticket, parse_ticket
from unop2p.words import said


@dataclass(frozen=True, slots=True, kw_only=True)
class Orders:
    """The file, read and checked as far as it can be without a network."""

    config: BotConfig
    urls: tuple[BrokerURL, ...]
    lounge: Lounge | None
    pace: Pace
    identities: dict[str, Identity]
    owner: Identity | None
    tickets: tuple[Ticket, ...]

    def __repr__(self) -> str:
        """Show no ticket."""
        return f"Orders({len(self.tickets)} tickets)"

    def offer(self) -> Offer:
        """Return the terms of a table that it hosts.

        Raises:
            LocalError: rules, seats or shuffle argument.
        """
        host = self.config.host
        return make_offer(
            read_rules(host.rules, list(host.set)),
            host.seats,
            argument=load_argument(host.deal),
            turn_s=host.turn_time,
            resilience=host.resilience if host.resilience >= 0 else None,
            bots=host.allow_bots,
        )

    def brokers(self, ticket: Ticket) -> tuple[BrokerURL, ...]:
        """Return the brokers of a ticket, with user and password where the file has them.

        The password is for the addresses of the file: no ticket gets it sent elsewhere.

        Raises:
            BrokerURLError: an address cannot be right.
        """
        ours = {url.public_text(): url for url in self.urls}
        part = self.config.broker
        strange = part.model_copy(update={"password_file": ""}) if part.url else part
        return tuple(ours.get(url) or broker_of(strange, url) for url in ticket.brokers)


def read_orders(path: Path) -> Orders:
    """Read the file, and all that it names.

    Raises:
        EdgeError: file, broker's address, keys.
        LocalError: a ticket, a level, rules.
    """
    return orders_of(read_bot_config(path), path)


def orders_of(config: BotConfig, path: Path) -> Orders:
    """Check all that a file says and names.

    Args:
        config: what it says.
        path: what it is called in what is told of a fault.

    Raises:
        EdgeError: broker's address, keys.
        LocalError: a ticket, a level, rules.
    """
    home = data_home()
    for seat in config.seat:
        check_bot(seat.level)
    _check_names(path, config)
    orders = Orders(
        config=config,
        urls=tuple(broker_of(config.broker, url) for url in config.broker.url),
        lounge=_lounge(config),
        pace=read_pace(config.pace),
        identities={seat.profile: load_identity(home, seat.profile) for seat in config.seat},
        owner=load_identity(home, config.owner) if config.owner else None,
        tickets=tuple(parse_ticket(text) for text in config.tickets),
    )
    for url in orders.urls:
        tls_context(url)
    if config.host.seats:
        orders.offer()
    check_address(config.metrics.address, beyond_loopback=config.metrics.beyond_loopback)
    if config.records:
        ensure_folder(Path(config.records))
    return orders


def _check_names(path: Path, config: BotConfig) -> None:
    """Refuse presets and options that there are not: they would be without effect, in silence.

    Raises:
        BotConfigError: which, and under what key.
    """
    accept, options = config.accept, options_to_dict(PRESETS["official"])
    for key, names, known in (
        ("presets", accept.presets, PRESETS),
        ("may_differ", accept.may_differ, options),
        ("options", accept.options, options),
    ):
        for name in names:
            if name not in known:
                message = said(
                    "{path}, `accept.{key}`: there is no '{name}'.", path=path, key=key, name=name
                )
                raise BotConfigError(message)


def broker_of(broker: BrokerPart, url: str) -> BrokerURL:
    """Return a broker of the file, with all that it takes to get in.

    Raises:
        BrokerURLError: the address cannot be right.
    """
    return read_broker(
        url,
        ca_file=_path(broker.ca_file),
        cert=_path(broker.cert),
        key=_path(broker.key),
        password_file=_path(broker.password_file),
        mqtt5=broker.mqtt5,
    )


def _path(text: str) -> Path | None:
    return Path(text) if text else None


def _lounge(config: BotConfig) -> Lounge | None:
    if not config.lounge.name:
        return None
    return read_lounge(config.lounge.name, _path(config.lounge.password_file))
