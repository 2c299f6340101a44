"""TLS in front of servers that have none: certificates of our own making, and proxies that end it."""

from __future__ import annotations

import contextlib
import datetime
import ipaddress
import socket
import ssl
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

HOST = "127.0.0.1"
PART = 1 << 16


@dataclass
class Authority:
    """A certificate authority that nobody knows; `ca`, and what it issues, are files in a folder."""

    folder: Path

    def __post_init__(self) -> None:
        self.folder.mkdir(parents=True)
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = named("nobody's authority")
        made = self._signed(self._name, self._key, x509.BasicConstraints(ca=True, path_length=None))
        self.ca = self.folder / "ca.pem"
        self.ca.write_bytes(made)

    def issue(self, *names: str) -> tuple[Path, Path]:
        """A certificate for hosts (addresses, or names), and its key."""
        key = ec.generate_private_key(ec.SECP256R1())
        files = self.folder / f"{names[0]}.pem", self.folder / f"{names[0]}.key"
        files[0].write_bytes(
            self._signed(named(names[0]), key, x509.SubjectAlternativeName(list(map(host, names))))
        )
        files[1].write_bytes(
            key.private_bytes(
                serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
            )
        )
        return files

    def _signed(self, subject: x509.Name, key: Any, extension: Any) -> bytes:
        now = datetime.datetime.now(datetime.UTC)
        builder = x509.CertificateBuilder(self._name, subject, key.public_key(), x509.random_serial_number())
        made = (
            builder.not_valid_before(now - datetime.timedelta(days=1))
            .not_valid_after(now + datetime.timedelta(days=1))
            .add_extension(extension, critical=False)
            .sign(self._key, hashes.SHA256())
        )
        return made.public_bytes(serialization.Encoding.PEM)


def named(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])


def host(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)


class Proxy:
    """Ends TLS on a port of its own, and passes on to a server what it hears.

    `known`: ports that the server tells of, and what to tell in their place, of as many digits.
    """

    def __init__(
        self,
        reach: Callable[[], socket.socket],
        issued: tuple[Path, Path],
        clients_of: Path | None = None,
        port: int = 0,
        known: Mapping[int, int] | None = None,
    ) -> None:
        self._reach, self._known = reach, known or {}
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.load_cert_chain(*issued)
        if clients_of is not None:
            self._context.verify_mode = ssl.CERT_REQUIRED
            self._context.load_verify_locations(clients_of)
        self._held = socket.create_server((HOST, port))
        self.port: int = self._held.getsockname()[1]
        self.let_in = 0
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        self._held.close()

    def _accept(self) -> None:
        while True:
            try:
                taken, _ = self._held.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(taken,), daemon=True).start()

    def _serve(self, taken: socket.socket) -> None:
        with contextlib.suppress(OSError), self._context.wrap_socket(taken, server_side=True) as client:
            self.let_in += 1
            with self._reach() as server:
                back = threading.Thread(target=self._pass, args=(server, client, self._told), daemon=True)
                back.start()
                self._pass(client, server, bytes)
                back.join()

    def _told(self, part: bytes) -> bytes:
        for theirs, ours in self._known.items():
            part = part.replace(b"%d" % theirs, b"%d" % ours)
        return part

    @staticmethod
    def _pass(source: socket.socket, target: socket.socket, as_told: Callable[[bytes], bytes]) -> None:
        with contextlib.suppress(OSError):
            while part := source.recv(PART):
                target.sendall(as_told(part))
        with contextlib.suppress(OSError):
            target.shutdown(socket.SHUT_WR)
