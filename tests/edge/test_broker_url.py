"""Addresses of brokers: read as people write them, shown without the password."""

import ssl
from pathlib import Path

import pytest

from tests.edge.support import certificate
from unop2p.edge.broker_url import MQTTVersion, parse_broker_url, tls_context
from unop2p.edge.errors import (
    BrokerOptionsError,
    BrokerTLSError,
    BrokerURLError,
    PasswordFileError,
)


@pytest.mark.parametrize(
    ("text", "public"),
    [
        ("mqtt://192.168.1.5", "mqtt://192.168.1.5:1883"),
        ("192.168.1.5", "mqtt://192.168.1.5:1883"),
        ("localhost:2000", "mqtt://localhost:2000"),
        ("MQTTS://Example.org", "mqtts://example.org:8883"),
        ("mqtt://[::1]:1884", "mqtt://[::1]:1884"),
        ("ws://example.org", "ws://example.org:80"),
        ("wss://example.org/play", "wss://example.org:443/play"),
        ("wss://example.org:444/mqtt", "wss://example.org:444"),
        (" mqtt://ann:sesame@example.org/ ", "mqtt://example.org:1883"),
    ],
)
def test_it_is_read_and_shown_without_user_and_password(text: str, public: str) -> None:
    url = parse_broker_url(text, environ={})
    assert url.public_text() == public
    again = parse_broker_url(public, environ={})
    assert (again.scheme, again.host, again.port, again.path) == (
        url.scheme, url.host, url.port, url.path,
    )  # fmt: skip


@pytest.mark.parametrize(
    "text",
    ["", "mqtt://", "http://example.org", "mqtt://example.org:0", "mqtt://example.org:70000",
     "mqtt://example.org:port", "mqtt://example.org/path", "mqtt://a?b", "mqtt://a#b",
     "mqtt://[::1", "mqtt://a b", "://a", "mqtt://:1883"],
)  # fmt: skip
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(BrokerURLError) as caught:
        parse_broker_url(text, environ={})
    assert caught.value.exit_code == 2


@pytest.mark.parametrize(
    "text", ["mqtt://ann:sesame@host:port", "mqtt://ann:sesame@", "mqtt://ann:sesame@[::1"]
)
def test_a_refusal_does_not_repeat_the_password(text: str) -> None:
    with pytest.raises(BrokerURLError) as caught:
        parse_broker_url(text, environ={})
    assert "sesame" not in caught.value.sentence()
    assert caught.value.__cause__ is None


def test_the_password_comes_from_the_address_the_file_or_the_environment(tmp_path: Path) -> None:
    file = tmp_path / "password"
    file.write_text("from file\r\nsecond line\n")
    environ = {"UNOP2P_BROKER_PASSWORD": "from environment"}
    there = parse_broker_url("mqtt://ann:a%40b@host", password_file=file, environ=environ)
    assert (there.user, there.password) == ("ann", "a@b")
    from_file = parse_broker_url("mqtt://ann@host", password_file=file, environ=environ)
    assert from_file.password == "from file"
    assert parse_broker_url("mqtt://ann@host", environ=environ).password == "from environment"
    assert parse_broker_url("mqtt://host", environ=environ).password is None
    assert parse_broker_url("mqtt://ann@host", environ={}).password is None


@pytest.mark.parametrize(("name", "why"), [("nowhere", "No such file"), ("binary", "no text")])
def test_a_password_file_that_cannot_be_read_is_refused_by_its_own_name(
    name: str, why: str, tmp_path: Path
) -> None:
    (tmp_path / "binary").write_bytes(b"\xff\xfe")
    with pytest.raises(PasswordFileError, match=f"{name}: .*{why}") as caught:
        parse_broker_url("mqtt://ann@host", password_file=tmp_path / name, environ={})
    assert caught.value.exit_code == 2
    assert "address" not in caught.value.sentence()


def test_a_password_without_a_user_is_told_of_the_options_and_not_of_the_address(
    tmp_path: Path,
) -> None:
    with pytest.raises(BrokerOptionsError, match="no user") as caught:
        parse_broker_url("mqtt://host", password_file=tmp_path / "password", environ={})
    assert caught.value.exit_code == 2


def test_repr_and_str_hide_the_password() -> None:
    url = parse_broker_url("mqtt://ann:sesame@host", environ={})
    assert "sesame" not in f"{url} {url!r} {url.public_text()}"
    assert "ann" in repr(url)


def test_the_version_is_3_1_1_unless_asked_for() -> None:
    assert parse_broker_url("host", environ={}).version is MQTTVersion.V311
    assert parse_broker_url("host", version=MQTTVersion.V5, environ={}).version is MQTTVersion.V5


def test_a_plain_address_has_no_tls() -> None:
    assert tls_context(parse_broker_url("mqtt://host", environ={})) is None
    assert tls_context(parse_broker_url("ws://host", environ={})) is None


def test_tls_checks_certificates_and_host_names(tmp_path: Path) -> None:
    ca_file, key_file = certificate(tmp_path)
    url = parse_broker_url(
        "mqtts://host", ca_file=ca_file, certificate_file=ca_file, key_file=key_file, environ={}
    )
    context = tls_context(url)
    assert context is not None
    assert context.check_hostname
    assert context.verify_mode is ssl.CERT_REQUIRED
    assert context.minimum_version >= ssl.TLSVersion.TLSv1_2


@pytest.mark.parametrize("content", [None, b"", b"nonsense"])
def test_a_ca_file_that_cannot_be_used_is_named(tmp_path: Path, content: bytes | None) -> None:
    file = tmp_path / "ca.crt"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(BrokerTLSError, match=r"ca\.crt") as caught:
        tls_context(parse_broker_url("mqtts://host", ca_file=file, environ={}))
    assert caught.value.exit_code == 12


def test_a_key_without_a_certificate_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BrokerOptionsError, match="no certificate"):
        parse_broker_url("mqtts://host", key_file=tmp_path / "key", environ={})
