"""One message on its way: to the address that was looked at, in bounded time, whatever the receiver does."""

from __future__ import annotations

import asyncio
import datetime
import ssl
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from service.webhooks import posting
from service.webhooks.posting import Unsent, post
from service.webhooks.targets import Targets
from tests.webhooks.receivers import Answer, Receiver, hanging, saying, status

HEADERS = {"webhook-id": "msg_1", "webhook-timestamp": "7", "webhook-signature": "v1,abc"}
BODY = b'{"type":"your-decision"}'
INSIDE = Targets(private=True)
SHORT = 0.5  # seconds for a message, where a test waits for its end


def sent(
    answer: Answer, targets: Targets = INSIDE, url: str | None = None, **more: Any
) -> tuple[Any, Receiver]:
    """The status, or why there is none, and the receiver."""

    async def run() -> tuple[Any, Receiver]:
        async with Receiver(answer) as receiver:
            try:
                return await post(targets, url or receiver.url, HEADERS, BODY, **more), receiver
            except Unsent as unsent:
                return unsent.why, receiver

    return asyncio.run(run())


def test_the_request_is_what_was_signed_and_nothing_else() -> None:
    found, receiver = sent(status(204))
    assert found == 204
    (came,) = receiver.came
    assert came.line == "POST /told?a=b HTTP/1.1"
    assert came.body == BODY
    assert came.headers == {
        "host": f"127.0.0.1:{receiver.port}",
        "user-agent": "Arbitr-Webhooks",
        "content-type": "application/json",
        "content-length": str(len(BODY)),
        "accept": "*/*",
        "connection": "close",
        **HEADERS,
    }


@pytest.mark.parametrize("number", [200, 201, 204, 299, 400, 404, 410, 429, 500, 599])
def test_its_status_is_told(number: int) -> None:
    assert sent(status(number))[0] == number


@pytest.mark.parametrize("number", [301, 302, 303, 307, 308])
def test_no_redirect_is_followed(number: int) -> None:
    async def run() -> None:
        async with Receiver(status(200)) as elsewhere:
            async with Receiver(status(number, f"Location: {elsewhere.url}")) as receiver:
                assert await post(INSIDE, receiver.url, HEADERS, BODY) == number
            assert elsewhere.connections == 0

    asyncio.run(run())


@pytest.mark.parametrize("name", ["http_proxy", "HTTP_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"])
def test_no_proxy_is_asked(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, "http://127.0.0.1:9")
    assert sent(status(204))[0] == 204


def test_interim_answers_are_passed_over() -> None:
    interim = b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n"
    assert sent(saying(interim + interim + b"HTTP/1.1 200 OK\r\n\r\n"))[0] == 200
    assert sent(saying(interim * 50))[0] == "no-answer"


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"\r\n",
        b"HTTP/1.1",
        b"HTTP/2 200 OK\r\n\r\n",
        b"HTTP/1.1 2000 OK\r\n\r\n",
        b"HTTP/1.1 099 OK\r\n\r\n",
        b"HTTP/1.1 abc OK\r\n\r\n",
        b"200 OK\r\n\r\n",
        b"\x16\x03\x01\x02\x00\n",
        b"x" * 1_000_000,
    ],
)
def test_what_is_no_http_is_no_answer(text: bytes) -> None:
    assert sent(saying(text))[0] == "no-answer"


def test_an_endless_answer_is_not_read_to_its_end() -> None:
    wrote = [0]

    async def endless(receiver: Receiver, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
        while True:
            writer.write(b"x" * 65536)
            await writer.drain()
            wrote[0] += 65536

    assert sent(endless)[0] == 200
    assert wrote[0] < 50_000_000, "what the system holds back, and no more"


@pytest.mark.parametrize("line", [b"a\n", b"a: b\r\n", b"x" * 1000 + b"\n"])
def test_an_interim_answer_without_an_end_is_not_read_to_its_end(line: bytes) -> None:
    wrote = [0]

    async def endless(receiver: Receiver, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 100 C\r\n")
        while True:
            writer.write(line * (65536 // len(line)))
            await writer.drain()
            wrote[0] += 65536

    begun = time.monotonic()
    assert sent(endless)[0] == "no-answer", "and not time-out: it is left as soon as it is too much"
    assert time.monotonic() - begun < posting.WAIT / 2
    assert wrote[0] < 50_000_000


def test_interim_answers_and_the_answer_have_one_bound() -> None:
    interim = b"HTTP/1.1 103 Early Hints\r\n" + b"a: b\r\n" * 1200 + b"\r\n"  # 7 KB
    assert sent(saying(interim * 2 + b"HTTP/1.1 200 OK\r\n\r\n"))[0] == 200
    assert sent(saying(interim * 3 + b"HTTP/1.1 200 OK\r\n\r\n"))[0] == "no-answer"


async def slow_head(receiver: Receiver, writer: asyncio.StreamWriter) -> None:
    for letter in b"HTTP/1.1 200 OK\r\n" * 100:
        writer.write(bytes([letter]))
        await writer.drain()
        await asyncio.sleep(0.2)


async def slow_rest(receiver: Receiver, writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
    for _ in range(1000):
        writer.write(b"x")
        await writer.drain()
        await asyncio.sleep(0.2)


@pytest.mark.parametrize("answer", [hanging, slow_head])
def test_a_receiver_that_hangs_or_dribbles_is_left_in_time(answer: Answer) -> None:
    begun = time.monotonic()
    assert sent(answer, seconds=SHORT)[0] == "time-out"
    assert SHORT <= time.monotonic() - begun < SHORT + 5


def test_an_answer_whose_rest_does_not_come_is_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(posting, "LEAVE", 0.3)
    assert sent(slow_rest, seconds=SHORT)[0] == 200


def test_nobody_there_is_told_so() -> None:
    async def run() -> None:
        async with Receiver(status(200)) as receiver:
            url = receiver.url
        with pytest.raises(Unsent, match="unreachable"):
            await post(INSIDE, url, HEADERS, BODY)

    asyncio.run(run())


def test_all_of_it_takes_five_seconds_at_most() -> None:
    assert posting.WAIT == 5


# -- where it goes ----------------------------------------------------------------------------------------------------


def test_it_goes_to_the_next_address_where_the_first_takes_no_connection() -> None:
    asked: list[str] = []

    def resolve(host: str) -> Sequence[str]:
        asked.append(host)
        return ["127.0.0.2", "127.0.0.1"]  # the receiver listens on the second alone

    async def run() -> None:
        async with Receiver(status(204)) as receiver:
            url = f"http://player.example.org:{receiver.port}/"
            assert await post(Targets(True, resolve), url, HEADERS, BODY) == 204
            assert receiver.came[0].headers["host"] == f"player.example.org:{receiver.port}"

    asyncio.run(run())
    assert asked == ["player.example.org"]


def test_a_name_that_leads_inside_by_now_is_not_connected_to() -> None:
    """DNS rebinding: public when it was registered, loopback when the message is to go."""
    answers = iter([["8.8.8.8"], ["127.0.0.1"], ["127.0.0.1"]])
    targets = Targets(resolve=lambda host: next(answers))
    targets.demand("https://player.example.org/")
    found, receiver = sent(status(200), targets, "https://player.example.org/")
    assert (found, receiver.connections) == ("target-refused", 0)


def test_what_was_looked_at_is_what_is_connected_to(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody looks the name up a second time, where it might lead elsewhere."""
    looked_up: list[str] = []
    connected: list[Any] = []

    async def resolving(self: Any, host: Any, *given: Any, **more: Any) -> Any:
        looked_up.append(host)
        raise AssertionError("the system is asked again")

    def resolve(host: str) -> Sequence[str]:
        looked_up.append(host)
        return ["8.8.8.8"]

    async def connect(self: Any, sock: Any, address: Any) -> None:
        connected.append(address)
        raise ConnectionRefusedError

    monkeypatch.setattr(asyncio.BaseEventLoop, "getaddrinfo", resolving)
    monkeypatch.setattr("asyncio.selector_events.BaseSelectorEventLoop.sock_connect", connect)

    async def run() -> None:
        with pytest.raises(Unsent, match="unreachable"):
            await post(Targets(resolve=resolve), "https://player.example.org/", HEADERS, BODY)

    asyncio.run(run())
    assert looked_up == ["player.example.org"]
    assert connected == [("8.8.8.8", 443)]


@pytest.mark.parametrize(
    "url",
    ["https://127.0.0.1/", "https://[::1]/", "http://player.example.org/", "https://player.example.org:444/"],
)
def test_what_a_setting_allowed_once_is_refused_when_it_is_set_back(url: str) -> None:
    found, _ = sent(status(200), Targets(resolve=lambda host: ["8.8.8.8"]), url)
    assert found == "target-refused"


def test_a_name_that_is_looked_up_for_ever_takes_no_longer_than_a_message() -> None:
    begun = time.monotonic()
    slow = Targets(resolve=lambda host: time.sleep(1.5) or ["8.8.8.8"])
    assert sent(status(200), slow, "https://player.example.org/", seconds=0.3)[0] == "time-out"
    assert time.monotonic() - begun < 1.4


# -- certificates -----------------------------------------------------------------------------------------------------


def certificate(folder: Path, name: str) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """A receiver's certificate for a name, and who trusts it."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder(subject, subject, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    pem = made.public_bytes(serialization.Encoding.PEM)
    secret = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    (folder / "cert.pem").write_bytes(pem + secret)
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(folder / "cert.pem")
    return server, ssl.create_default_context(cadata=pem.decode("ascii"))


@pytest.mark.parametrize(
    ("host", "trusted", "found"),
    [
        ("player.example.org", True, 204),
        ("other.example.org", True, "tls"),
        ("127.0.0.1", True, "tls"),
        ("player.example.org", False, "tls"),
    ],
)
def test_the_certificate_must_be_that_of_the_name(
    tmp_path: Path, host: str, trusted: bool, found: Any
) -> None:
    server, trust = certificate(tmp_path, "player.example.org")
    named: list[str | None] = []
    server.sni_callback = lambda sock, name, context: named.append(name)

    async def run() -> Any:
        async with Receiver(status(204), server) as receiver:
            targets = Targets(True, lambda host: ["127.0.0.1"])
            url = f"https://{host}:{receiver.port}/x"
            try:
                got: Any = await post(targets, url, HEADERS, BODY, trust if trusted else None)
            except Unsent as unsent:
                got = unsent.why
            assert len(receiver.came) == (found == 204)
            return got

    assert asyncio.run(run()) == found
    assert named in ([host], [None]), "the name of the URL is asked for; an address is none"


def test_a_receiver_that_speaks_no_tls_gets_nothing() -> None:
    async def run() -> None:
        async with Receiver(status(204)) as receiver:
            with pytest.raises(Unsent, match=r"tls|no-answer|unreachable|time-out"):
                await post(INSIDE, receiver.url.replace("http:", "https:"), HEADERS, BODY, seconds=2)
            assert receiver.came == []

    asyncio.run(run())
