"""The figures of an unattended bot, for Prometheus; what each means is in the reference."""

import os
import time
from collections.abc import Collection

from unop2p import __version__
from unop2p.edge.bot_table import BotTable
from unop2p.edge.link_state import LinkStatus
from unop2p.edge.meter import Meter, Work
from unop2p.edge.metrics import Metric
from unop2p.edge.processes import rss_bytes
from unop2p.edge.sd_notify import Link

STARTED_S = time.time()
KINDS = ("check", "make", "prepare")


def figures(
    meter: Meter, tables: Collection[BotTable], links: Collection[Link], ended: tuple[int, int]
) -> list[Metric]:
    """Return what is to be told.

    Args:
        meter: of all seats.
        tables: where there is a seat now.
        links: to brokers.
        ended: rounds and matches that have ended.
    """
    began = sum(table.began for table in tables)
    return [
        _gauge("unop2p_info", "The version.", {f'version="{__version__}"': 1}),
        _gauge(
            "unop2p_tables",
            "Seats at tables, by whether the match is on.",
            {'state="playing"': began, 'state="waiting"': len(tables) - began},
        ),
        _gauge(
            "unop2p_links",
            "Links to brokers, by how they are.",
            {
                f'state="{status.value}"': sum(one.state.status is status for one in links)
                for status in LinkStatus
            },
        ),
        _gauge(
            "unop2p_statements_missing",
            "Statements of others that are waited for, all seats together.",
            {"": sum(table.missing() for table in tables)},
        ),
        _counter("unop2p_rounds_total", "Rounds that have ended.", {"": ended[0]}),
        _counter("unop2p_matches_total", "Matches that have ended.", {"": ended[1]}),
        *_talk(meter),
        *_process(),
    ]


def _talk(meter: Meter) -> list[Metric]:
    """Return what steps, proofs and messages come to."""
    link, repairs = meter.links(), meter.repairs()
    work = {kind: meter.work.get(kind, Work()) for kind in KINDS}
    return [
        Metric(
            name="unop2p_step_seconds",
            kind="histogram",
            help="From one settled step of a seat to its next; what anybody thinks is in it.",
            values=meter.step_s,
        ),
        Metric(
            name="unop2p_round_trip_seconds",
            kind="histogram",
            help="From sending a message to hearing it back.",
            values=link.round_trip_s,
        ),
        _counter(
            "unop2p_proofs_total",
            "Proofs checked, made, and prepared.",
            {f'kind="{kind}"': done.count for kind, done in work.items()},
        ),
        _counter(
            "unop2p_proof_cpu_seconds_total",
            "CPU time of them.",
            {f'kind="{kind}"': done.cpu_s for kind, done in work.items()},
        ),
        _counter(
            "unop2p_messages_total",
            "Messages, by what became of them.",
            {
                'kind="sent"': link.sent_count,
                'kind="resent"': link.resent_count,
                'kind="received"': link.received_count,
                'kind="repeated"': link.repeated_count,
                'kind="dropped"': link.dropped_count,
                'kind="mended"': repairs.mended,
            },
        ),
        _counter(
            "unop2p_message_bytes_total",
            "Their bytes.",
            {'kind="sent"': link.sent_bytes, 'kind="received"': link.received_bytes},
        ),
        _counter(
            "unop2p_asked_total",
            "Times that what was missing was asked for.",
            {"": repairs.asked},
        ),
        _counter(
            "unop2p_reconnects_total",
            "Times that a link was made anew.",
            {"": link.reconnected_count},
        ),
    ]


def _process() -> list[Metric]:
    """Return what this process uses."""
    used = os.times()
    own = [
        _counter("process_cpu_seconds_total", "CPU time.", {"": used.user + used.system}),
        _gauge("process_start_time_seconds", "When it began, since 1970.", {"": STARTED_S}),
    ]
    memory = rss_bytes()
    if memory is not None:
        own.append(_gauge("process_resident_memory_bytes", "Memory.", {"": memory}))
    return own


def _gauge(name: str, what: str, values: dict[str, float]) -> Metric:
    return Metric(name=name, kind="gauge", help=what, values=values)


def _counter(name: str, what: str, values: dict[str, float]) -> Metric:
    return Metric(name=name, kind="counter", help=what, values=values)
