"""`broker check` says of real brokers what they let us do."""

import asyncio
import datetime
from pathlib import Path

import pytest

from tests.edge.support import certificate, free_port, mosquitto, wait_for_port
from unop2p.edge.broker import embedded_broker
from unop2p.edge.broker_check import (
    Finding,
    Verdict,
    check_broker,
    clear_password,
    size_findings,
    tls_finding,
)
from unop2p.edge.broker_url import BrokerURL, MQTTVersion
from unop2p.edge.errors import BrokerRefusedError, BrokerSilentError

pytestmark = pytest.mark.broker


def checked(url: BrokerURL) -> dict[str, Finding]:
    told: list[Finding] = []
    found = asyncio.run(check_broker(url, told.append))
    assert told == found
    return {finding.name: finding for finding in found}


def test_of_an_open_broker_it_says_what_is_too_wide(tmp_path: Path) -> None:
    port = free_port()
    with mosquitto(tmp_path, "allow_anonymous true\nset_tcp_nodelay true", port):
        found = checked(BrokerURL(scheme="mqtt", host="127.0.0.1", port=port))
    assert {name: (finding.verdict, finding.value) for name, finding in found.items()} == {
        "connect": (Verdict.GOOD, found["connect"].value),
        "other-version": (Verdict.GOOD, True),
        "round-trip": (Verdict.GOOD, found["round-trip"].value),
        "message-size": (Verdict.GOOD, 1024 * 1024),
        "message-time": (Verdict.GOOD, found["message-time"].value),
        "burst": (Verdict.GOOD, found["burst"].value),
        "order": (Verdict.NOTE, "one"),
        "retained": (Verdict.NOTE, True),
        "will": (Verdict.NOTE, True),
        "strangers": (Verdict.NOTE, True),
        "sys": (Verdict.WIDE, True),
        "other-tables": (Verdict.NOTE, True),
        "other-topics": (Verdict.WIDE, True),
    }


@pytest.mark.parametrize(("days", "verdict"), [(30, Verdict.GOOD), (5, Verdict.WIDE)])
def test_of_tls_it_says_the_version_and_until_when_the_certificate_is_good(
    tmp_path: Path, days: int, verdict: Verdict
) -> None:
    ca_file, key_file = certificate(tmp_path, days=days)
    ports = {"mqtts": free_port(), "wss": free_port()}
    tls = f"certfile {ca_file}\nkeyfile {key_file}\n"
    config = (
        f"{tls}allow_anonymous true\nlistener {ports['wss']} 127.0.0.1\nprotocol websockets\n{tls}"
    )
    with mosquitto(tmp_path, config, ports["mqtts"]):
        for scheme, port in ports.items():
            url = BrokerURL(scheme=scheme, host="127.0.0.1", port=port, ca_file=ca_file)
            found = asyncio.run(tls_finding(url))
            assert (found.name, found.verdict) == ("tls", verdict)
            assert found.text.startswith("It speaks TLS 1.3; its certificate ")
            until = (datetime.datetime.now(datetime.UTC) + datetime.timedelta(days=days)).date()
            assert found.value == str(until)


def test_a_password_that_others_on_the_way_can_read_is_told_of() -> None:
    def told(scheme: str, host: str, password: str | None) -> Finding | None:
        return clear_password(
            BrokerURL(scheme=scheme, host=host, port=1, user="ann", password=password)
        )

    found = told("mqtt", "broker.example.org", "sesame")
    assert found is not None
    assert (found.name, found.verdict) == ("password", Verdict.WIDE)
    assert "sesame" not in found.text
    assert told("ws", "192.0.2.7", "sesame") is not None
    assert told("ws", "2001:db8::1", "sesame") is not None
    for scheme, host, password in (
        ("mqtts", "broker.example.org", "sesame"),
        ("wss", "broker.example.org", "sesame"),
        ("mqtt", "broker.example.org", None),
        ("mqtt", "localhost", "sesame"),
        ("mqtt", "127.0.0.7", "sesame"),
        ("ws", "::1", "sesame"),
    ):
        assert told(scheme, host, password) is None


def test_a_broker_that_sends_large_messages_slowly_is_fit_and_told_of(tmp_path: Path) -> None:
    port = free_port()
    # Mosquitto 2.0 sends over websockets 4 KiB at a time, and waits a tenth of a second between.
    config = f"allow_anonymous true\nlistener {port} 127.0.0.1\nprotocol websockets"
    with mosquitto(tmp_path, config, free_port()) as process:
        wait_for_port(port, process)
        url = BrokerURL(scheme="ws", host="127.0.0.1", port=port, path="/mqtt")
        found = {finding.name: finding for finding in asyncio.run(size_findings(url))}
    assert found["message-size"].value == 256 * 1024
    assert found["message-size"].verdict is Verdict.GOOD
    assert found["message-time"].verdict is Verdict.WIDE
    assert float(found["message-time"].value or 0) > 1


def test_a_broker_that_takes_small_messages_only_is_unfit(tmp_path: Path) -> None:
    port = free_port()
    with mosquitto(tmp_path, "allow_anonymous true\nmessage_size_limit 100000", port):
        found = checked(BrokerURL(scheme="mqtt", host="127.0.0.1", port=port))
    assert found["message-size"].verdict is Verdict.BAD
    assert found["message-size"].value == 64 * 1024
    assert "raise its limit" in found["message-size"].text


def test_a_broker_that_swallows_what_we_say_is_told_of_at_once(tmp_path: Path) -> None:
    port = free_port()
    (tmp_path / "acl").write_text("topic readwrite elsewhere/#\n")
    with (
        mosquitto(tmp_path, f"allow_anonymous true\nacl_file {tmp_path / 'acl'}", port),
        pytest.raises(BrokerSilentError),
    ):
        checked(BrokerURL(scheme="mqtt", host="127.0.0.1", port=port))


def test_a_broker_without_mqtt_5_and_wills_is_good_enough() -> None:
    async def scenario() -> dict[str, Finding]:
        broker = embedded_broker("amqtt", "127.0.0.1", 0)
        await broker.start()
        try:
            return {f.name: f for f in await check_broker(broker.url, lambda _finding: None)}
        finally:
            await broker.stop()

    found = asyncio.run(scenario())
    assert found["other-version"].value is False
    assert found["other-version"].verdict is Verdict.NOTE
    assert all(finding.verdict is not Verdict.BAD for finding in found.values())


def test_where_nobody_listens_there_is_nothing_to_check() -> None:
    url = BrokerURL(scheme="mqtt", host="127.0.0.1", port=free_port(), version=MQTTVersion.V5)
    with pytest.raises(BrokerRefusedError):
        checked(url)
