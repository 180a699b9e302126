"""`broker check` says of real brokers what they let us do."""

import asyncio
from pathlib import Path

import pytest

from tests.edge.support import certificate, free_port, mosquitto, password_file
from unop2p.edge.broker import embedded_broker
from unop2p.edge.broker_check import Finding, Verdict, check_broker
from unop2p.edge.broker_url import BrokerURL, MQTTVersion
from unop2p.edge.errors import BrokerAuthError, BrokerRefusedError, BrokerSilentError

pytestmark = pytest.mark.broker
FOLDER = Path(__file__).parents[2] / "broker-config"


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
        "burst": (Verdict.GOOD, found["burst"].value),
        "order": (Verdict.NOTE, "one"),
        "retained": (Verdict.NOTE, True),
        "will": (Verdict.NOTE, True),
        "strangers": (Verdict.NOTE, True),
        "sys": (Verdict.WIDE, True),
        "other-tables": (Verdict.NOTE, True),
        "other-topics": (Verdict.WIDE, True),
    }


def test_of_the_internet_configuration_it_finds_nothing_too_wide(tmp_path: Path) -> None:
    port = free_port()
    text = (FOLDER / "mosquitto-internet.conf").read_text()
    settings = "\n".join(line for line in text.splitlines() if not line.startswith("listener "))
    for name in ("acl", "passwords", "server.crt", "server.key"):
        settings = settings.replace(f" {name}\n", f" {tmp_path / name}\n")
    (tmp_path / "acl").write_text((FOLDER / "acl").read_text())
    ca_file, _key_file = certificate(tmp_path)
    password_file(tmp_path, "ann", "sesame")
    with mosquitto(tmp_path, settings, port):
        url = BrokerURL(
            scheme="mqtts",
            host="127.0.0.1",
            port=port,
            user="ann",
            password="sesame",
            ca_file=ca_file,
        )
        found = checked(url)
        with pytest.raises(BrokerAuthError):
            checked(BrokerURL(scheme="mqtts", host="127.0.0.1", port=port, ca_file=ca_file))
    wide = [finding for finding in found.values() if finding.verdict in (Verdict.WIDE, Verdict.BAD)]
    assert wide == []
    assert found["strangers"].value is False
    assert found["sys"].value is False
    assert found["other-topics"].value is False
    assert "sesame" not in repr(found)


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
