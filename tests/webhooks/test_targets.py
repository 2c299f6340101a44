"""Targets: nobody reaches through us what he cannot reach himself."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence

import pytest

from service.webhooks.targets import (
    DOMAIN_SHARE,
    LOOKUPS,
    SHARE,
    LookupsBusy,
    Target,
    TargetRefused,
    Targets,
)

PUBLIC = "93.184.215.14"


def leading_to(*addresses: str, private: bool = False) -> Targets:
    return Targets(private, lambda host: addresses)


def why(url: str, targets: Targets) -> str | None:
    """Why an URL is refused; None where it is not."""
    try:
        targets.demand(url)
    except TargetRefused as refused:
        return refused.why
    return None


@pytest.mark.parametrize(
    ("url", "target"),
    [
        ("https://player.example.org", Target("https", "player.example.org", 443, "/")),
        ("https://player.example.org/", Target("https", "player.example.org", 443, "/")),
        (
            "https://Player.Example.ORG:443/a/b?c=d&e",
            Target("https", "player.example.org", 443, "/a/b?c=d&e"),
        ),
        ("https://xn--hra-wma.example.org/%20", Target("https", "xn--hra-wma.example.org", 443, "/%20")),
        ("https://8.8.8.8/x", Target("https", "8.8.8.8", 443, "/x")),
        ("https://[2606:4700::1111]/x", Target("https", "2606:4700::1111", 443, "/x")),
        ("HTTPS://player.example.org/x", Target("https", "player.example.org", 443, "/x")),
    ],
)
def test_what_leads_out_is_read(url: str, target: Target) -> None:
    assert leading_to(PUBLIC).read(url) == target
    assert why(url, leading_to(PUBLIC)) is None


def test_the_host_header_names_what_the_url_names() -> None:
    inside = leading_to(private=True)
    assert leading_to().read("https://player.example.org/x").authority == "player.example.org"
    assert leading_to().read("https://[2606:4700::1111]/x").authority == "[2606:4700::1111]"
    assert inside.read("http://[::1]:8080/x").authority == "[::1]:8080"
    assert inside.read("http://localhost:80/x").authority == "localhost"


@pytest.mark.parametrize(
    "address",
    [
        "0.0.0.0",
        "0.1.2.3",
        "10.0.0.1",
        "10.255.255.255",
        "100.64.0.1",
        "100.100.100.200",
        "100.127.255.255",
        "127.0.0.1",
        "127.255.255.254",
        "168.63.129.16",
        "169.254.0.1",
        "169.254.169.254",
        "172.16.0.1",
        "172.31.255.255",
        "192.0.0.192",
        "192.0.2.1",
        "192.88.99.1",
        "192.168.0.1",
        "198.18.0.1",
        "198.19.255.255",
        "198.51.100.7",
        "203.0.113.7",
        "224.0.0.1",
        "239.255.255.255",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::127.0.0.1",
        "::ffff:127.0.0.1",
        "::ffff:7f00:1",
        "::ffff:10.0.0.1",
        "::ffff:8.8.8.8",
        "::ffff:0:127.0.0.1",
        "64:ff9b::7f00:1",
        "64:ff9b:1::1",
        "100::1",
        "2001::1",
        "2001:0:7f00:1::",
        "2001:db8::1",
        "2002:7f00:1::1",
        "3fff::1",
        "5f00::1",
        "fc00::1",
        "fd00:ec2::254",
        "fe80::1",
        "fec0::1",
        "ff02::1",
    ],
)
def test_what_is_not_of_the_public_internet_is_refused_as_literal_and_behind_a_name(address: str) -> None:
    shown = f"[{address}]" if ":" in address else address
    assert why(f"https://{shown}/", leading_to()) == "address"
    assert why("https://player.example.org/", leading_to(address)) == "address"
    assert why("https://player.example.org/", leading_to(PUBLIC, address)) == "address", "each must be public"


@pytest.mark.parametrize(
    "address",
    ["1.1.1.1", "11.0.0.1", "100.63.255.255", "100.128.0.1", "172.15.255.255", "172.32.0.1", "223.255.255.1"],
)
def test_their_neighbours_are_not(address: str) -> None:
    assert why(f"https://{address}/", leading_to()) is None


@pytest.mark.parametrize("address", ["2606:4700::1111", "2001:4860:4860::8888", "2a00:1450::1", "3ffe::1"])
def test_nor_are_those_of_ipv6(address: str) -> None:
    assert why(f"https://[{address}]/", leading_to()) is None
    assert why("https://player.example.org/", leading_to(address)) is None


@pytest.mark.parametrize(
    "url",
    [
        # 127.0.0.1 and 169.254.169.254 as C libraries, browsers and other programs read them
        "https://2130706433/",
        "https://0x7f000001/",
        "https://0x7f.0.0.1/",
        "https://0177.0.0.1/",
        "https://127.1/",
        "https://127.0.1/",
        "https://127.000.000.001/",
        "https://0/",
        "https://0x/",
        "https://1.2.3.0x4/",
        "https://example.0177/",
        "https://2852039166/",
        "https://127.0.0.1./",
        "https://127.0.0.1%2f@player.example.org/",
        "https://[::1%25lo]/",
        "https://[fe80::1%eth0]/",
        "https://[fe80::1%25eth0]/",
        "https://[::1/",
        "https://::1/",
        "https://[::ffff:127.0.0.1]:443:80/",
        "https://[1.2.3.4]/",
        "https://[player.example.org]/",
        "https://[v1.fe80]/",
        "https://[2606:4700::1111]evil/",
        "https://[2606:4700::1111]evil:443/",
        "https://[2606:4700::1111].example.org/",
        "https://[2606:4700::1111]443/",
        "https://evil[2606:4700::1111]/",
        "https://[[2606:4700::1111]]/",
        # names that are none, or that others read otherwise
        "https:///x",
        "https://",
        "https://.example.org/",
        "https://player..example.org/",
        "https://player.example.org./",
        "https://-player.example.org/",
        "https://player_.example.org/",
        f"https://{'a' * 64}.example.org/",
        f"https://{'a.' * 127}org/",
        "https://%6c%6f%63%61lhost/",
        "https://１２７.０.０.１/",
        "https://ⓛocalhost/",
        "https://hráč.example.org/",
        "https://127。0。0。1/",
        "https://localhost\\@player.example.org/",
        "https:\\\\player.example.org/",
        "https://player.example.org/a b",
        "https://player.example.org/\r\nHost: x",
        "https://player.example.org/\x00",
        "https://player.example.org/\x7f",
        "https://player.example.org\t/",
        "https://player.example.org/#part",
        "https://player.example.org:/",
        "https://player.example.org:44x/",
        "https://player.example.org:-1/",
        "https://player.example.org:65536/",
        " https://player.example.org/",
        "",
        f"https://player.example.org/{'x' * 2000}",
    ],
)
@pytest.mark.parametrize("private", [False, True])
def test_what_some_program_could_read_otherwise_is_refused_by_its_form(url: str, private: bool) -> None:
    asked: list[str] = []

    def resolve(host: str) -> Sequence[str]:
        asked.append(host)
        return (PUBLIC,)

    assert why(url, Targets(private, resolve)) in ("form", "credentials")
    assert not asked, "and nobody was asked for it"


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("http://player.example.org/", "scheme"),
        ("ftp://player.example.org/", "scheme"),
        ("file:///etc/passwd", "scheme"),
        ("gopher://player.example.org/", "scheme"),
        ("//player.example.org/", "scheme"),
        ("player.example.org", "scheme"),
        ("https://ann@player.example.org/", "credentials"),
        ("https://ann:secret@player.example.org/", "credentials"),
        ("https://@player.example.org/", "credentials"),
        ("https://player.example.org:444/", "port"),
        ("https://player.example.org:80/", "port"),
        ("https://player.example.org:6379/", "port"),
        ("https://player.example.org:0/", "port"),
        ("https://localhost/", "address"),
        ("https://LOCALHOST/", "address"),
        ("https://a.localhost/", "address"),
        ("https://redis/", "address"),
        ("https://printer.local/", "address"),
        ("https://metadata.google.internal/", "address"),
        ("https://nas.lan/", "address"),
        ("https://router.home.arpa/", "address"),
    ],
)
def test_a_refusal_says_why(url: str, reason: str) -> None:
    assert why(url, leading_to(PUBLIC)) == reason


def test_a_name_that_leads_nowhere_looks_like_one_that_leads_inside() -> None:
    def nowhere(host: str) -> Sequence[str]:
        raise OSError(-2, "Name or service not known")

    def unencodable(host: str) -> Sequence[str]:
        raise UnicodeError("label too long")

    for targets in (
        Targets(resolve=nowhere),
        Targets(resolve=unencodable),
        leading_to(),
        leading_to("no address"),
    ):
        assert why("https://player.example.org/", targets) == "address"


def test_one_setting_lets_messages_inside() -> None:
    inside = leading_to("127.0.0.1", private=True)
    for url in (
        "http://localhost:8080/",
        "http://redis/",
        "https://10.0.0.1:444/",
        "http://[::1]/",
        "https://a.local/",
    ):
        assert why(url, inside) is None
    assert why("ftp://localhost/", inside) == "scheme"
    assert why("http://ann:secret@localhost/", inside) == "credentials"
    assert why("http://localhost:0/", inside) == "port"


def test_a_name_is_looked_up_each_time() -> None:
    answers = iter([[PUBLIC], ["127.0.0.1"], [PUBLIC]])
    targets = Targets(resolve=lambda host: next(answers))
    found = [why("https://player.example.org/", targets) for _ in range(3)]
    assert found == [None, "address", None]


class Slow:
    """Looks names up that begin with `slow` only when it is let, all others at once."""

    def __init__(self) -> None:
        self.hang, self.asked = threading.Event(), list[str]()

    def __call__(self, host: str) -> Sequence[str]:
        self.asked.append(host)
        if host.startswith("slow"):
            self.hang.wait(30)
        return (PUBLIC,)


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Iterator[Slow]:
    monkeypatch.setattr("service.webhooks.targets.LOOKUP_WAIT", 0.05)
    found = Slow()
    yield found
    found.hang.set()


def test_lookups_that_hang_are_waited_for_shortly_and_are_few(
    slow: Slow, monkeypatch: pytest.MonkeyPatch
) -> None:
    targets = Targets(resolve=slow)
    assert why("https://slow.example.org/", targets) == "address"
    waiting = [targets.looked_up(f"slow.example{n}.org") for n in range(1, LOOKUPS)]
    for _ in range(LOOKUPS):
        with pytest.raises(LookupsBusy):
            targets.looked_up("player.example.net")
    with pytest.raises(LookupsBusy):
        targets.demand("https://player.example.net/")
    targets.demand("https://8.8.8.8/")  # nobody is asked for that one
    assert len(slow.asked) == LOOKUPS
    slow.hang.set()
    assert [each.result(10) for each in waiting] == [[PUBLIC]] * (LOOKUPS - 1)
    monkeypatch.setattr("service.webhooks.targets.LOOKUP_WAIT", 20)
    targets.demand("https://player.example.net/")


def test_a_thread_that_becomes_free_in_time_is_waited_for(
    slow: Slow, monkeypatch: pytest.MonkeyPatch
) -> None:
    targets = Targets(resolve=slow)
    for n in range(LOOKUPS):
        targets.looked_up(f"slow.example{n}.org")
    monkeypatch.setattr("service.webhooks.targets.LOOKUP_WAIT", 20)
    threading.Timer(0.1, slow.hang.set).start()
    targets.demand("https://player.example.net/")


def test_nobody_takes_all_threads(slow: Slow, monkeypatch: pytest.MonkeyPatch) -> None:
    targets = Targets(resolve=slow)
    for n in range(SHARE):
        targets.looked_up(f"slow.example{n}.org", "session:1", "address:1")
    for whose in (["session:1"], ["session:2", "address:1"]):
        begun = time.monotonic()
        with pytest.raises(LookupsBusy):
            targets.looked_up("slow.example.net", *whose, wait=20)
        assert time.monotonic() - begun < 10, "he does not wait, for then he would hold up others"
    for n in range(DOMAIN_SHARE):
        targets.looked_up(f"slow{n}.evil.org", f"session:{2 + n}", f"address:{2 + n}")
    with pytest.raises(LookupsBusy):
        targets.looked_up("slow.evil.org", "session:90", "address:90")
    monkeypatch.setattr("service.webhooks.targets.LOOKUP_WAIT", 20)
    targets.demand("https://player.example.net/", "session:90", "address:90")
    slow.hang.set()
    end = time.monotonic() + 10
    while targets._taken and time.monotonic() < end:
        time.sleep(0.01)
    assert not targets._taken, "and nobody is remembered for whom no thread works"
