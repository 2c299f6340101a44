"""Several servers on loopback: a master with replicas and sentinels, and a cluster. Tests end some of them."""

from __future__ import annotations

import os
import random
import signal
import socket
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

import redis

from service.process import Child

SLOTS = 16384
HOST = "127.0.0.1"
PATIENCE = 60.0  # seconds; failovers take two or three, on a machine with nothing else to do
NAME = "tables"  # what the sentinels call the master
DOWN = 1000  # milliseconds of silence after which a server is taken for dead


def free_ports(n: int) -> list[int]:
    """Ports that nobody has, and that no system gives to whoever connects to somebody."""
    found: list[int] = []
    for port in random.sample(range(20_000, 32_000), 1_000):
        with socket.socket() as held, suppress(OSError):
            held.bind((HOST, port))
            found.append(port)
        if len(found) == n:
            return found
    raise AssertionError("no ports are free")


def until(condition: Callable[[], Any], what: str) -> Any:
    """What the condition says once it is true; a server that does not answer yet says nothing."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        with suppress(redis.RedisError, OSError, LookupError):
            if found := condition():
                return found
        time.sleep(0.05)
    raise AssertionError(f"not in {PATIENCE} s: {what}")


class Server:
    """A server with a port of its own."""

    def __init__(self, binary: str, folder: Path, port: int, *options: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.port, self.folder = port, folder
        common = ("--port", str(port), "--bind", HOST, "--dir", str(folder), "--loglevel", "warning")
        self.command = [binary, *options, *common]
        self.client = redis.Redis(HOST, port, socket_timeout=5, protocol=2, decode_responses=True)
        self.start()

    def start(self) -> None:
        with open(self.folder / "log", "ab") as log:
            self.child = Child(self.command, cwd=self.folder, stdout=log, stderr=log)
        until(self.client.ping, f"a server at {self.port}")

    def kill(self) -> None:
        self.child.kill()

    def hang(self) -> None:
        os.kill(self.child.pid, signal.SIGSTOP)

    def go_on(self) -> None:
        os.kill(self.child.pid, signal.SIGCONT)

    def cut_off_replicas(self) -> None:
        """What it writes from now on reaches no replica; who is connected to it otherwise goes on."""
        self.client.ping()  # this connection stays, too
        self.client.config_set("requirepass", "changed")
        self.client.client_kill_filter(_type="replica")

    def listeners(self) -> int:
        """How many listen here for changes of sessions; no server and no sentinel does."""
        return int(dict(self.client.pubsub_numsub("arbitr:changes"))["arbitr:changes"])

    def info(self, section: str = "replication") -> Any:
        return self.client.info(section)

    def end(self) -> None:
        self.client.close()
        self.child.kill()


QUICK = (
    "--save",
    "",
    "--appendonly",
    "no",
    "--repl-diskless-sync-delay",
    "0",
    "--repl-ping-replica-period",
    "1",
)


class Sentinels:
    """A master, two replicas, and three sentinels that watch over them."""

    url = ""
    replicas = 2  # of each master

    def __init__(self, binary: str, folder: Path) -> None:
        self.binary, self.folder = binary, folder
        self.servers: list[Server] = []
        self.watchers: list[Server] = []

    def start(self) -> None:
        binary, folder = self.binary, self.folder
        first, *others = free_ports(6)
        self.servers = [Server(binary, folder / "0", first, *QUICK)]
        for n, port in enumerate(others[:2], 1):
            self.servers.append(
                Server(binary, folder / str(n), port, *QUICK, "--replicaof", f"{HOST} {first}")
            )
        until(lambda: self._replicas() == 2, "two replicas")
        for port in others[2:]:
            self.watchers.append(self._watcher(binary, folder / str(port), port, first))
        for watcher in self.watchers:
            until(lambda: self._sees(watcher), "a sentinel that knows all others")  # noqa: B023
        self.places = ",".join(f"{HOST}:{port}" for port in others[2:])
        self.url = f"redis+sentinel://{self.places}/{NAME}"

    def _watcher(self, binary: str, folder: Path, port: int, master: int) -> Server:
        folder.mkdir()
        config = folder / "sentinel.conf"
        config.write_text(
            f"sentinel monitor {NAME} {HOST} {master} 2\n"
            f"sentinel down-after-milliseconds {NAME} {DOWN}\n"
            f"sentinel failover-timeout {NAME} 3000\n"
        )
        return Server(binary, folder, port, str(config), "--sentinel")

    def _replicas(self) -> int:
        info = self.servers[0].info()
        return sum(info.get(f"slave{n}", {}).get("state") == "online" for n in range(2))

    def _sees(self, watcher: Server) -> bool:
        found = watcher.client.execute_command("SENTINEL MASTERS")[NAME]
        return bool(found["num-other-sentinels"] == 2 and found["num-slaves"] == 2)

    def refuse_alone(self) -> None:
        """A master that has no replica takes nothing: two who both think that they are it do not both go on."""
        for server in self.servers:
            for name, value in (("min-replicas-to-write", "1"), ("min-replicas-max-lag", "2")):
                server.client.config_set(name, value)
                server.command += [f"--{name}", value]

    def master_of(self, session: str) -> Server:
        """The server that has a session. Raises LookupError as long as there is none."""
        for server in self.servers:
            if server.child.poll() is None and server.info()["role"] == "master":
                return server
        raise LookupError("there is no master")

    def settled(self, session: str) -> bool:
        """Whether all follow one master, and all sentinels know that: each may be the next one."""
        master = self.master_of(session).port
        told = [w.client.execute_command("SENTINEL SLAVES", NAME) for w in self.watchers]
        followers = [
            r["master-port"] == master and r["master-link-status"] == "ok" for each in told for r in each
        ]
        return followers == [True] * 6

    def replaced(self, master: Server) -> bool:
        """Whether all sentinels name another: one that does not would send us to the old one when it comes back."""
        told = [w.client.execute_command("SENTINEL MASTERS")[NAME]["port"] for w in self.watchers]
        return master.port not in told

    def stop(self) -> None:
        for server in (*self.watchers, *self.servers):
            server.end()


class Cluster:
    """Three masters with a replica each. Keys of those that are there are told while others are not."""

    url = ""
    replicas = 1

    def __init__(self, binary: str, folder: Path) -> None:
        self.binary, self.folder = binary, folder
        self.servers: list[Server] = []

    def start(self) -> None:
        ports = free_ports(12)
        for n in range(6):
            server = Server(
                *(self.binary, self.folder / str(n), ports[n], *QUICK),
                *("--cluster-enabled", "yes", "--cluster-port", str(ports[6 + n])),
                *("--cluster-node-timeout", str(DOWN), "--cluster-replica-validity-factor", "0"),
                *("--cluster-require-full-coverage", "no"),
            )
            self.servers.append(server)
        bus = {server.port: ports[6 + n] for n, server in enumerate(self.servers)}
        ids = [server.client.execute_command("CLUSTER MYID") for server in self.servers]
        for server in self.servers[1:]:
            self.servers[0].client.execute_command("CLUSTER MEET", HOST, server.port, bus[server.port])
        for n, server in enumerate(self.servers[:3]):
            server.client.execute_command("CLUSTER ADDSLOTSRANGE", SLOTS * n // 3, SLOTS * (n + 1) // 3 - 1)
        for server in self.servers:
            until(lambda: self._told(server, "cluster_known_nodes:6"), "all know all")  # noqa: B023
        for n, server in enumerate(self.servers[3:]):
            until(lambda: server.client.execute_command("CLUSTER REPLICATE", ids[n]), "a replica")  # noqa: B023
        for server in self.servers:
            until(lambda: self._told(server, "cluster_state:ok"), "a whole cluster")  # noqa: B023
        for server in self.servers[:3]:
            until(lambda: server.info().get("slave0", {}).get("state") == "online", "its replica")  # noqa: B023
        self.places = ",".join(f"{HOST}:{server.port}" for server in self.servers)
        self.url = f"redis+cluster://{self.places}"

    def _told(self, server: Server, line: str) -> bool:
        # redis-py makes a dict of it
        name, _, value = line.partition(":")
        return bool(str(server.client.execute_command("CLUSTER INFO")[name]) == value)

    def master_of(self, session: str) -> Server:
        """The server that has a session. Raises LookupError where none has it."""
        slot = redis.crc.key_slot(f"{{{session}}}".encode())
        for server in self.alive():
            for first, last, master, *_ in server.client.execute_command("CLUSTER", "SLOTS"):
                if first <= slot <= last:
                    return next(s for s in self.servers if s.port == master[1])
        raise LookupError("nobody has it")

    def settled(self, session: str) -> bool:
        """Whether a replica follows the master of a session."""
        return bool(self.master_of(session).info().get("slave0", {}).get("state") == "online")

    def replaced(self, master: Server) -> bool:
        """Whether all nodes know another in its place."""
        told = [s.client.execute_command("CLUSTER", "SLOTS") for s in self.alive()]
        return all(owner[1] != master.port for slots in told for _, _, owner, *_ in slots)

    def alive(self) -> Iterable[Server]:
        return (s for s in self.servers if s.child.poll() is None)

    def stop(self) -> None:
        for server in self.servers:
            server.end()


KINDS = {"sentinels": Sentinels, "cluster": Cluster}
