"""Real brokers on the loopback for tests, and the certificates and waits that they need."""

import asyncio
import datetime
import ipaddress
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from unop2p.edge.broker import mosquitto_program

TOPIC = "unop2p/v1/" + "ab" * 16
REQUIRE_VARIABLE = "UNOP2P_REQUIRE_BROKER"


def mosquitto_or_skip() -> Path:
    """Return the Mosquitto program, or skip the test; with the variable set, fail it."""
    program = mosquitto_program()
    if program is None:
        if os.environ.get(REQUIRE_VARIABLE) == "1":
            pytest.fail(f"{REQUIRE_VARIABLE}=1, and there is no Mosquitto")
        pytest.skip(
            "Mosquitto is no Python package and cannot come with the tests; install it (Debian: "
            f"mosquitto) to run this one. With {REQUIRE_VARIABLE}=1, as in CI, its lack is a failure"
        )
    return program


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def wait_for_port(port: int, process: "subprocess.Popen[bytes]", host: str = "127.0.0.1") -> None:
    """Wait until somebody listens, for at most half a minute."""
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        assert process.poll() is None, "the broker has ended"
        with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
            probe.settimeout(0.5)
            if probe.connect_ex((host, port)) == 0:
                return
        time.sleep(0.01)
    pytest.fail("the broker does not listen")


@contextmanager
def mosquitto(
    folder: Path, config: str, port: int, host: str = "127.0.0.1"
) -> Iterator["subprocess.Popen[bytes]"]:
    """Run Mosquitto with a configuration, and end it."""
    program = mosquitto_or_skip()
    file = folder / f"mosquitto-{port}.conf"
    # Started by root it would become another user, who cannot read the test's folder. Without the other
    # line every hop may wait 40 ms for an acknowledgment, which no broker of ours does.
    lines = ["user root", f"listener {port} {host}", config]
    if "set_tcp_nodelay" not in config:
        lines.append("set_tcp_nodelay true")
    file.write_text("\n".join(lines) + "\n")
    with (folder / "log").open("ab") as log:
        process = subprocess.Popen([str(program), "-c", str(file)], stdout=log, stderr=log)
    try:
        wait_for_port(port, process, "::1" if ":" in host else "127.0.0.1")
        yield process
    finally:
        process.kill()
        process.wait()


def password_file(folder: Path, user: str, password: str) -> Path:
    """Make a password file for Mosquitto."""
    tool = shutil.which("mosquitto_passwd")
    if tool is None:
        if os.environ.get(REQUIRE_VARIABLE) == "1":
            pytest.fail(f"{REQUIRE_VARIABLE}=1, and there is no mosquitto_passwd")
        pytest.skip(
            "only mosquitto_passwd, which comes with Mosquitto, writes its password files; install it "
            f"to run this one. With {REQUIRE_VARIABLE}=1, as in CI, its lack is a failure"
        )
    file = folder / "passwords"
    subprocess.run([tool, "-b", "-c", str(file), user, password], check=True, capture_output=True)
    return file


def certificate(folder: Path, *, host: str = "127.0.0.1", days: int = 30) -> tuple[Path, Path]:
    """Make a self-signed certificate: its file, which is the CA's too, and the key's."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "unop2p test")])
    now = datetime.datetime.now(datetime.UTC)
    day = datetime.timedelta(days=1)
    try:
        alternative: x509.GeneralName = x509.IPAddress(ipaddress.ip_address(host))
    except ValueError:
        alternative = x509.DNSName(host)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - 10 * day)
        .not_valid_after(now + days * day)
        .add_extension(x509.SubjectAlternativeName([alternative]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    certificate_file, key_file = folder / "server.crt", folder / "server.key"
    certificate_file.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    key_file.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return certificate_file, key_file


async def until(condition: Callable[[], bool], what: str, seconds: float = 10.0) -> None:
    """Wait until something is so; fail if it never is."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            pytest.fail(f"it did not come to pass: {what}")
        await asyncio.sleep(0.01)
