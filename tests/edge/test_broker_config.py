"""The configurations that we ship start the real broker, and the game's messages pass."""

import asyncio
import re
import subprocess
from pathlib import Path

import pytest

from tests.edge.support import (
    TOPIC,
    certificate,
    free_port,
    mosquitto_or_skip,
    password_file,
    wait_for_port,
)
from unop2p.edge.broker_url import BrokerURL
from unop2p.edge.errors import BrokerAuthError, BrokerSilentError
from unop2p.edge.mqtt import MQTTTransport

pytestmark = pytest.mark.broker
FOLDER = Path(__file__).parents[2] / "broker-config"


def first_connect(url: BrokerURL, topic: str = TOPIC) -> None:
    """Connect, and see that our own message comes back."""

    async def scenario() -> None:
        transport = MQTTTransport(
            url, topic, on_message=lambda _data: None, on_state=lambda _state: None
        )
        await transport.first_connect(8)

    asyncio.run(scenario())


@pytest.mark.parametrize("name", ["loopback", "lan", "internet"])
def test_the_configuration_starts_and_carries_a_table(tmp_path: Path, name: str) -> None:
    program = mosquitto_or_skip()
    port = free_port()
    text = (FOLDER / f"mosquitto-{name}.conf").read_text()
    # On a free port of the loopback, and as the test's user, who owns the files.
    text, count = re.subn(r"(?m)^listener \d+ \S+$", f"listener {port} 127.0.0.1", text)
    assert count == 1
    (tmp_path / "used.conf").write_text(f"user root\n{text}")
    (tmp_path / "acl").write_text((FOLDER / "acl").read_text())
    secure = name == "internet"
    ca_file = None
    if secure:
        ca_file, _key_file = certificate(tmp_path)
        password_file(tmp_path, "ann", "sesame")
    process = subprocess.Popen(
        [str(program), "-c", "used.conf"], cwd=tmp_path, stderr=subprocess.DEVNULL
    )
    try:
        wait_for_port(port, process)
        url = BrokerURL(
            scheme="mqtts" if secure else "mqtt",
            host="127.0.0.1",
            port=port,
            user="ann" if secure else None,
            password="sesame" if secure else None,
            ca_file=ca_file,
        )
        first_connect(url)
        if secure:
            with pytest.raises(BrokerAuthError):
                first_connect(
                    BrokerURL(scheme="mqtts", host="127.0.0.1", port=port, ca_file=ca_file)
                )
            with pytest.raises(BrokerSilentError):
                first_connect(url, "elsewhere/topic")
    finally:
        process.kill()
        process.wait()
