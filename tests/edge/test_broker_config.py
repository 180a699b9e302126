"""The brokers of `broker-config` are started as its page says, and do what it says of them."""

import asyncio
import contextlib
import json
import re
import secrets
import shutil
import socket
import subprocess
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import aiomqtt
import pytest

from tests.edge.network import FOLDER, Shell, blocks, needs, own_network, shell
from tests.edge.support import until
from unop2p.edge.broker_check import Finding, Probe, Verdict, check_broker, probe
from unop2p.edge.broker_url import BrokerURL, parse_broker_url
from unop2p.edge.errors import BrokerAuthError, BrokerError

pytestmark = pytest.mark.broker
INTERNET_PORTS = (8883, 8443)
BRIDGED = ("mqtt://127.0.0.1:1883", "mqtt://127.0.0.1:1884")


@pytest.fixture
def opened() -> Iterator[Shell]:
    needs("mosquitto", "mosquitto")
    with shell() as one:
        yield one


def checked(url: BrokerURL | str) -> dict[str, Finding]:
    url = parse_broker_url(url) if isinstance(url, str) else url
    return {
        finding.name: finding for finding in asyncio.run(check_broker(url, lambda _found: None))
    }


def verdicts(found: dict[str, Finding], *wanted: Verdict) -> set[str]:
    return {name for name, finding in found.items() if finding.verdict in wanted}


def listens(address: str, port: int) -> bool:
    with socket.socket() as one:
        return one.connect_ex((address, port)) == 0


def test_the_loopback_configuration_carries_games_of_this_machine_alone(opened: Shell) -> None:
    with own_network(1883):
        opened.serve(blocks("One machine")[0], 1883)
        found = checked("mqtt://127.0.0.1:1883")
        assert not listens("127.0.0.2", 1883)
        opened.close()
    assert verdicts(found, Verdict.BAD) == set()
    assert verdicts(found, Verdict.WIDE) == {"sys", "other-topics"}
    assert found["message-size"].value == 256 * 1024
    assert found["other-version"].value is True


def test_the_lan_configuration_carries_games_of_other_machines_too(opened: Shell) -> None:
    with own_network(1883, outside=True):
        opened.serve(blocks("A network that you trust")[0], 1883)
        found = checked("mqtt://127.0.0.2:1883")
        opened.close()
    assert verdicts(found, Verdict.BAD) == set()
    assert verdicts(found, Verdict.WIDE) == {"sys", "other-topics"}
    assert found["strangers"].value is True


def internet(opened: Shell) -> BrokerURL:
    """Start the broker of the internet in the test's network; return how Ann reaches it."""
    certificate, player, broker, _kernel = blocks("The internet")
    opened.run(certificate)
    opened.run(player, b"sesame\nsesame\n")
    opened.serve(broker, 8883)
    return parse_broker_url(
        "mqtts://ann:sesame@localhost:8883", ca_file=opened.folder / "server.crt"
    )


def test_of_the_internet_configuration_nothing_is_found_too_wide(opened: Shell) -> None:
    with own_network(*INTERNET_PORTS, outside=True):
        url = internet(opened)
        found = checked(url)
        opened.close()
    assert verdicts(found, Verdict.BAD, Verdict.WIDE) == set()
    values = {name: found[name].value for name in ("strangers", "sys", "other-topics", "retained")}
    assert values == dict.fromkeys(values, False)
    assert "sesame" not in repr(found)


def test_on_the_internet_nobody_comes_in_without_the_password_or_in_plain(opened: Shell) -> None:
    with own_network(*INTERNET_PORTS, outside=True):
        url = internet(opened)
        ca_file = opened.folder / "server.crt"
        for scheme, port in (("mqtts", 8883), ("wss", 8443)):
            for user in ("", "ann:wrong@", "ben:sesame@"):
                with pytest.raises(BrokerAuthError):
                    checked(parse_broker_url(f"{scheme}://{user}localhost:{port}", ca_file=ca_file))
        for port in INTERNET_PORTS:
            with socket.create_connection(("127.0.0.1", port)) as plain:
                plain.sendall(b"\x10\x0e\x00\x04MQTT\x04\x02\x00\x0a\x00\x02ab")
                with contextlib.suppress(ConnectionResetError):
                    assert plain.recv(1) in (b"", b"\x15")  # gone, or an alert of TLS
        asyncio.run(echoes(url))
        opened.close()


async def echoes(url: BrokerURL) -> None:
    """See that our own message comes back."""
    async with probe(url) as one:
        topic, data = f"unop2p/v1/{secrets.token_hex(16)}", secrets.token_bytes(1024)
        await one.subscribe(topic)
        await one.publish(topic, data)
        assert await one.hears(data)


def test_on_the_internet_a_player_reads_and_writes_our_topics_alone(opened: Shell) -> None:
    async def attack(url: BrokerURL) -> None:
        async with probe(url) as reader, probe(url) as writer:
            for topic in ("#", "+/+", "$SYS/#", "$SYS/broker/version", "elsewhere/#", "unop2p"):
                await reader.subscribe(topic)
            for topic in ("elsewhere/x", "unop2px/v1", "$SYS/broker/version", "unop2p2/x", "a/b"):
                await writer.publish(topic, b"no")
            last = b"the last"
            await writer.publish("unop2p/v1/x", last)
            topic, data = await asyncio.wait_for(reader.heard.get(), 5)
            assert (topic, data) == ("unop2p/v1/x", last)
            assert reader.heard.empty()

    with own_network(*INTERNET_PORTS, outside=True):
        asyncio.run(attack(internet(opened)))
        opened.close()


def test_on_the_internet_what_is_too_big_or_to_be_kept_is_not_carried(opened: Shell) -> None:
    async def attack(url: BrokerURL) -> None:
        async with probe(url) as one:
            await one.subscribe("unop2p/v1/x")
            await one.publish("unop2p/v1/x", bytes(300_001))
            assert not await one.hears(bytes(300_001), 0.3)
            await one.publish("unop2p/v1/x", bytes(300_000))
            assert await one.hears(bytes(300_000))
        async with probe(url) as one:
            with pytest.raises(aiomqtt.MqttError):  # that broke the link
                await one.client.publish("unop2p/v1/x", bytes(400_001), qos=1, timeout=0.5)
        async with probe(url) as one:
            with pytest.raises(aiomqtt.MqttError):
                await one.client.publish(
                    "unop2p/v1/kept", b"a ghost", qos=1, retain=True, timeout=0.5
                )
        async with probe(url) as late:
            await late.subscribe("unop2p/v1/kept")
            assert not await late.hears(b"a ghost", 0.3)

    with own_network(*INTERNET_PORTS, outside=True):
        asyncio.run(attack(internet(opened)))
        opened.close()


def answers(sock: socket.socket, seconds: float) -> bool:
    """Return whether a connection is still open after a while."""
    sock.settimeout(seconds)
    try:
        return sock.recv(1) != b""
    except TimeoutError:
        return True
    except OSError:
        return False


def test_on_the_internet_connections_are_limited_and_come_free_again(opened: Shell) -> None:
    with own_network(*INTERNET_PORTS, outside=True):
        url = internet(opened)
        held = [socket.create_connection(("127.0.0.1", 8883)) for _ in range(400)]
        try:
            with socket.create_connection(("127.0.0.1", 8883)) as one_more:
                assert not answers(one_more, 5)
            with pytest.raises(BrokerError):
                checked(url)
            assert answers(held[0], 0.1)
        finally:
            for sock in held:
                sock.close()
        asyncio.run(until_it_echoes(url))
        opened.close()


async def until_it_echoes(url: BrokerURL) -> None:
    async with asyncio.timeout(10):
        while True:
            with contextlib.suppress(BrokerError):
                return await echoes(url)
            await asyncio.sleep(0.1)


def test_the_kernel_limits_the_connections_of_one_address(opened: Shell) -> None:
    needs("nft", "nftables")
    with own_network(*INTERNET_PORTS, outside=True):
        url = internet(opened)
        for _ in range(2):  # again replaces it
            subprocess.run(["sh", "-euc", blocks("The internet")[3]], cwd=opened.folder, check=True)
        asyncio.run(echoes(url))
        held: list[socket.socket] = []
        try:
            with pytest.raises(ConnectionRefusedError):
                while len(held) <= 50:
                    held.append(socket.create_connection(("127.0.0.1", 8883), 5))
            assert len(held) > 40  # those just closed count for a while
            # Another address is not held to it.
            socket.create_connection(("127.0.0.1", 8883), 5, ("127.0.0.3", 0)).close()
        finally:
            for sock in held:
                sock.close()
        opened.close()


@asynccontextmanager
async def at_both() -> AsyncIterator[tuple[Probe, Probe]]:
    first, second = (parse_broker_url(text) for text in BRIDGED)
    async with probe(first) as one, probe(second) as two:
        yield one, two


async def bridged(topic: str, *probes: Probe) -> None:
    """Wait until what is said at the second broker is heard at the first, and the other way."""
    for listener in probes:
        await listener.subscribe(topic)
    async with asyncio.timeout(20):
        for speaker, listener in (probes, probes[::-1]):
            data = secrets.token_bytes(8)
            while not await listener.hears(data, 0.2):
                await speaker.publish(topic, data)
    await asyncio.sleep(0.5)
    for listener in probes:
        while not listener.heard.empty():
            listener.heard.get_nowait()


def test_bridged_brokers_carry_each_message_once_to_everybody_and_round_no_loop(
    opened: Shell,
) -> None:
    async def scenario() -> None:
        async with at_both() as (one, two):
            topic = f"unop2p/v1/{secrets.token_hex(16)}"
            await bridged(topic, one, two)
            words = [[f"{who} {at}".encode() for at in range(200)] for who in "ab"]
            await asyncio.gather(
                *(one.publish(topic, word) for word in words[0]),
                *(two.publish(topic, word) for word in words[1]),
            )
            for listener in (one, two):
                await until(lambda heard=listener.heard: heard.qsize() >= 400, "all are heard")  # type: ignore[misc]
            await asyncio.sleep(1)  # what goes round would come again
            for listener in (one, two):
                heard = [listener.heard.get_nowait()[1] for _ in range(listener.heard.qsize())]
                assert Counter(heard) == Counter(words[0] + words[1])
                for author in words:
                    assert [word for word in heard if word in set(author)] == author
            # Other topics than ours stay where they are.
            await two.subscribe("elsewhere")
            await one.publish("elsewhere", b"here")
            assert not await two.hears(b"here", 0.3)

    with own_network(1883, 1884, 1885):
        first, second = blocks("Two bridged brokers")
        opened.serve(second, 1884)  # in any order
        opened.serve(first, 1883)
        asyncio.run(scenario())
        assert verdicts(checked(BRIDGED[1]), Verdict.BAD) == set()
        opened.close()


def test_what_is_said_while_a_bridge_is_cut_comes_over_it_later(opened: Shell) -> None:
    async def scenario(first: str) -> None:
        second_url = parse_broker_url(BRIDGED[1])
        topic = f"unop2p/v1/{secrets.token_hex(16)}"
        words = [f"{at}".encode() for at in range(100)]
        async with at_both() as (one, two):
            await bridged(topic, one, two)
            opened.end(broker)
            async with probe(second_url) as speaker:
                for word in words:
                    await speaker.publish(topic, word)
        opened.serve(first, 1883)
        async with probe(parse_broker_url(BRIDGED[0])) as late:
            await late.subscribe(topic)
            await until(lambda: late.heard.qsize() >= len(words), "all come over", 20)
            heard = [late.heard.get_nowait()[1] for _ in range(late.heard.qsize())]
            assert heard == words

    with own_network(1883, 1884, 1885):
        first, second = blocks("Two bridged brokers")
        broker = opened.serve(first, 1883)
        opened.serve(second, 1884)
        asyncio.run(scenario(first))
        opened.close()


@pytest.mark.parametrize("script", ["rabbitmq/cluster", "ejabberd/cluster"])
def test_a_cluster_script_tells_how_it_is_used_and_leaves_its_files_to_its_owner(
    opened: Shell, script: str
) -> None:
    needs("rabbitmq-server", "rabbitmq-server")
    needs("ejabberdctl", "ejabberd")
    opened.run(f"FOLDER=$HOME/files {script} help")
    assert "./cluster start " in opened.said()
    for wrong, said in {
        f"PORT=x {script} start": "PORT is a number",
        f"PORT=65000 {script} start": "PORT is a number",
        f"{script} start 4": "the nodes are 1, 2 and 3",
        f"{script} stop 1 '2; true'": "the nodes are 1, 2 and 3",
        f"echo | {script} player ann": "the password is empty",
        f"{script} player ann": "its input has no password",
    }.items():
        before = opened.said()
        assert opened.start(f"FOLDER=$HOME/files; export FOLDER; {wrong}").wait(30) == 2, wrong
        assert said in opened.said().removeprefix(before), wrong
    cookie = opened.folder.parent / "files/.erlang.cookie"
    assert (cookie.stat().st_mode & 0o077, len(cookie.read_text())) == (0, 40)
    assert (cookie.parent.stat().st_mode & 0o077) == 0


UNITS = {"unop2p-broker.service": 1.5, "unop2p-bot@marvin.service": 1.5}
"""The services, and what systemd may find them exposed to at most, of 10."""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Make the root of a machine that has the services, and the programs that they start."""
    needs("systemd-analyze", "systemd")
    services = tmp_path / "etc/systemd/system"
    services.mkdir(parents=True)
    for path in (FOLDER / "systemd").iterdir():
        shutil.copy(path, services)
    for name in ("sysinit", "basic", "shutdown", "multi-user", "network-online"):
        (services / f"{name}.target").write_text("[Unit]\n")
    for name in ("usr/sbin/mosquitto", "usr/local/bin/unop2p", "bin/kill"):
        program = tmp_path / name
        program.parent.mkdir(parents=True, exist_ok=True)
        program.write_text("#!/bin/sh\n")
        program.chmod(0o755)
    return tmp_path


@pytest.mark.parametrize(("unit", "exposure"), UNITS.items())
def test_a_service_is_right_in_the_eyes_of_systemd_and_exposed_to_little(
    root: Path, unit: str, exposure: float
) -> None:
    found = subprocess.run(
        ["systemd-analyze", "verify", f"--root={root}", unit],
        capture_output=True,
        text=True,
        check=False,
    )
    complaints = [line for line in found.stderr.splitlines() if "unop2p" in line]
    assert complaints == []
    file = root / "etc/systemd/system" / unit.replace("marvin", "")
    found = subprocess.run(
        ["systemd-analyze", "security", "--offline=yes", "--no-pager", str(file)],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    told = re.search(r"Overall exposure level for \S+: ([\d.]+)", found.stdout)
    assert told is not None, found.stderr
    assert float(told[1]) <= exposure


def test_a_service_starts_what_the_page_starts(root: Path) -> None:
    broker = (root / "etc/systemd/system/unop2p-broker.service").read_text()
    command = blocks("The internet")[2].strip()
    assert f"ExecStart=/usr/sbin/{command}\n" in broker
    bot = (root / "etc/systemd/system/unop2p-bot@.service").read_text()
    assert "ExecStart=/usr/local/bin/unop2p bot --config /etc/unop2p/%i.toml --json\n" in bot
    for unit in (broker, bot):
        assert (
            re.search(r"(?m)^(User=root|AmbientCapabilities|CapabilityBoundingSet=.)", unit) is None
        )


def test_every_file_that_the_compose_file_binds_is_here_or_is_made_by_its_page() -> None:
    text = (FOLDER / "compose.yaml").read_text(encoding="utf-8")
    bound = set(re.findall(r"(?m)^\s+- \./([^:]+):", text))
    made = {"passwords", "server.crt", "server.key", "bot.toml", "bot.password", "bot-data"}
    assert bound - made == {"mosquitto-internet.conf", "acl"}
    head = text.partition("services:")[0]
    assert [name for name in bound - {"bot-data"} if name not in head] == []
    assert blocks("The internet")[2].split() == json.loads(
        re.findall(r"(?m)^    command: (.*)$", text)[0]
    )
    assert (FOLDER.parent / re.findall(r"dockerfile: (\S+)", text)[0]).is_file()


def test_every_file_of_the_folder_is_spoken_of_on_its_page() -> None:
    page = (FOLDER / "README.md").read_text(encoding="utf-8")
    names = {path.relative_to(FOLDER) for path in FOLDER.rglob("*") if path.is_file()}
    spoken = {path for path in names if path.name in page or f"{path.parts[0]}/`" in page}
    assert names - spoken == {Path("README.md")}
    for path in (FOLDER / "others").iterdir():
        # Said in the file too, for whoever has only that.
        if path.name != "emqx-acl.conf":
            assert "Not run by us" in path.read_text(encoding="utf-8")
