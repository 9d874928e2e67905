"""Install and run OpenSearch on this machine, to test with: one node, or a cluster of three.

    python scripts/opensearch.py start [--nodes 3] [--version 3.8.0] [--wipe]
    python scripts/opensearch.py guard [--nodes 3] [--version 3.8.0]
    python scripts/opensearch.py stop [--wipe]

Maven fetches the server (the project's own distribution for integration tests); it is checked
against the SHA-512 below and unpacked once.  Every node is a separate process with its own data,
log and temporary folder; it listens on the loopback interface, without encryption or passwords,
so use it for tests only.  OpenSearch refuses to run as root, so root starts it as the user
``nobody``.

``start`` prints the address and process id of each node as JSON; nothing else goes to standard
output.  ``guard`` waits until its standard input is closed, then stops the nodes: a test holds the
other end, so the nodes stop however the test ends.
"""

import argparse
import hashlib
import json
import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

# The script runs without an installed package, by any Python.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src"))
from forebear_lab.baselines.maven import (
    Artifact,
    NotRunError,
    copy_artifact,
    find_java,
)

GROUP = "org.opensearch.distribution.integ-test-zip"
DEFAULT_VERSION = "2.19.6"
FIRST_PORT = 9200
START_SECONDS = 300
RETRY_SECONDS = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Release:
    """A version of the server: what it must hash to, and which Java runs it."""

    sha512: str
    oldest_java: int
    newest_java: int


RELEASES = {
    "2.19.6": Release(
        sha512="8adbfaa13162b8d42b388ece6b39bfb7f1a349ab9c128d4eced78ba1dd43b5a1"
        "0850b43b8aac19fa5ab11f4d5c355ddf6f6617514d6112b0936a1903005d1d36",
        oldest_java=17,
        newest_java=23,
    ),
    "3.8.0": Release(
        sha512="8470fc447309e84216f9359030db53a85b087492e161e5ce1a29276e776d4725"
        "b802f93ba8d218ea88e4a7999addadb863be93b8e1f89e9a292163e636e62de3",
        oldest_java=21,
        newest_java=99,
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """One process of a cluster."""

    name: str
    folder: Path
    port: int

    @property
    def url(self) -> str:
        """Return where the node answers."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def transport_port(self) -> int:
        """Return where the nodes talk to each other."""
        return self.port + 100

    def pid(self) -> int | None:
        """Return the process id of the node if it is running."""
        file = self.folder / "pid"
        if not file.is_file():
            return None
        pid = int(file.read_text())
        process = subprocess.run(
            ["ps", "-ww", "-o", "args=", "-p", str(pid)],
            capture_output=True,
            text=True,
            check=False,
        )
        # First the start script of the server, which then becomes Java.
        is_ours = "/bin/opensearch" in process.stdout or str(self.folder) in process.stdout
        return pid if is_ours else None


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("command", choices=["install", "start", "guard", "stop"])
    parser.add_argument("--version", default=DEFAULT_VERSION, choices=sorted(RELEASES))
    parser.add_argument("--nodes", type=int, default=1)
    parser.add_argument("--port", type=int, default=FIRST_PORT, help="of the first node")
    parser.add_argument("--heap", default="512m", help="Java's heap of each node")
    parser.add_argument("--home", type=Path, default=default_home())
    parser.add_argument("--wipe", action="store_true", help="delete the data of all nodes first")
    options = parser.parse_args()
    home = private_folder(options.home)
    nodes = nodes_of(home, options.version, options.nodes, options.port)
    match options.command:
        case "stop":
            stop(home)
            if options.wipe:
                shutil.rmtree(home / "clusters", ignore_errors=True)
        case "guard":
            sys.stdin.read()
            end(nodes)
        case "install":
            install(home, options.version)
        case "start":
            server = install(home, options.version)
            if options.wipe:
                wipe(nodes)
            start(server, nodes, java_home(options.version), options.heap)
            print(json.dumps([{"name": n.name, "url": n.url, "pid": n.pid()} for n in nodes]))


def default_home() -> Path:
    """Return the folder of servers and data: outside the repository, where ``nobody`` may read."""
    folder = os.environ.get("FOREBEAR_OPENSEARCH_HOME")
    return Path(folder) if folder else Path(f"/var/tmp/forebear-opensearch-{os.getuid()}")


def private_folder(home: Path) -> Path:
    """Return the folder, created if needed; refuse one of another user."""
    home.mkdir(mode=0o755, parents=True, exist_ok=True)
    if home.stat().st_uid != os.getuid():
        fail(f"{home} belongs to another user; set FOREBEAR_OPENSEARCH_HOME")
    return home.resolve()


def install(home: Path, version: str) -> Path:
    """Return the server's folder; fetch, check and unpack it the first time.

    Several runs may install at once: each works in a temporary folder, and the first to rename
    its result wins.
    """
    server = home / f"opensearch-{version}"
    if server.is_dir():
        return server
    with tempfile.TemporaryDirectory(dir=home, prefix="install-") as folder:
        work = Path(folder)
        archive = fetch(version, work)
        with archive.open("rb") as file:
            digest = hashlib.file_digest(file, "sha512").hexdigest()
        if digest != RELEASES[version].sha512:
            fail(f"{archive.name} has SHA-512 {digest}, not the one expected")
        unpacked = unpack(archive, work / "unpacked")
        work.chmod(0o755)
        try:
            unpacked.rename(server)
        except OSError:
            if not server.is_dir():
                raise
    return server


def fetch(version: str, folder: Path) -> Path:
    """Fetch the server by Maven, which knows where its repository is."""
    say(f"fetching OpenSearch {version}")
    try:
        return copy_artifact(artifact_of(version), folder)
    except NotRunError as error:
        fail(str(error))


def artifact_of(version: str) -> Artifact:
    """Return the server as Maven knows it."""
    sha512 = RELEASES[version].sha512
    return Artifact(group=GROUP, name="opensearch", version=version, sha512=sha512, kind="zip")


def unpack(archive: Path, folder: Path) -> Path:
    """Unpack the server, make its programs executable and return its folder."""
    with zipfile.ZipFile(archive) as file:
        file.extractall(folder)
    for program in folder.glob("*/bin/*"):
        program.chmod(0o755)
    (unpacked,) = folder.iterdir()
    return unpacked


def java_home(version: str) -> Path:
    """Return a Java that can run the version."""
    release = RELEASES[version]
    variables = ("OPENSEARCH_JAVA_HOME", "JAVA_HOME")
    span = {"oldest": release.oldest_java, "newest": release.newest_java}
    try:
        return find_java(**span, variables=variables)
    except NotRunError as error:
        fail(f"OpenSearch {version}: {error}")


def nodes_of(home: Path, version: str, count: int, port: int) -> list[Node]:
    """Return the nodes of a cluster; each version, size and port is a separate cluster."""
    cluster = home / "clusters" / f"{version}-{count}-at-{port}"
    return [
        Node(name=f"n{number}", folder=cluster / f"n{number}", port=port + number - 1)
        for number in range(1, count + 1)
    ]


def start(server: Path, nodes: list[Node], java: Path, heap: str) -> None:
    """Start those nodes that are not running, and wait until the cluster is green."""
    for node in nodes:
        if node.pid() is None:
            if answers(node.url):
                fail(f"something else answers at {node.url}; stop it, or give another --port")
            configure(server, node, nodes)
            launch(server, node, java, heap)
    deadline = time.monotonic() + START_SECONDS
    retry = time.monotonic() + RETRY_SECONDS
    while not is_green(nodes):
        if time.monotonic() > retry:
            retry_allocation(nodes)
            retry = time.monotonic() + RETRY_SECONDS
        if dead := [node for node in nodes if node.pid() is None]:
            fail(f"node {dead[0].name} has died; see {dead[0].folder}/out.log")
        if time.monotonic() > deadline:
            why = answers(f"{nodes[0].url}/_cluster/allocation/explain")
            fail(f"not green after {START_SECONDS} s; see {nodes[0].folder}/out.log; {why}")
        time.sleep(0.5)
    say(f"{len(nodes)} of {len(nodes)} nodes, first at {nodes[0].url}")


def retry_allocation(nodes: list[Node]) -> None:
    """Let shards be placed again that the cluster has given up on: it tries five times only."""
    for node in nodes:
        request = urllib.request.Request(
            f"{node.url}/_cluster/reroute?retry_failed=true&metric=none", method="POST"
        )
        try:
            with urllib.request.urlopen(request, timeout=10):
                return
        except (OSError, urllib.error.URLError):
            continue


def configure(server: Path, node: Node, nodes: list[Node]) -> None:
    """Write a node's configuration, and give its folder to whoever runs it."""
    config = node.folder / "config"
    shutil.rmtree(config, ignore_errors=True)
    shutil.copytree(server / "config", config)
    for name in ("data", "logs", "tmp"):
        (node.folder / name).mkdir(exist_ok=True)
    lines = [
        f"cluster.name: forebear-{node.folder.parent.name}",
        f"node.name: {node.name}",
        f"path.data: {node.folder / 'data'}",
        f"path.logs: {node.folder / 'logs'}",
        "network.host: 127.0.0.1",
        f"http.port: {node.port}",
        f"transport.port: {node.transport_port}",
        "cluster.routing.allocation.disk.threshold_enabled: false",
        # A copy that hangs because its source died is begun again soon, not after 30 minutes.
        "indices.recovery.recovery_activity_timeout: 20s",
        *discovery(nodes),
    ]
    (config / "opensearch.yml").write_text("\n".join(lines) + "\n")
    options = config / "jvm.options"
    lines = [
        line.replace("logs/", f"{node.folder}/logs/").replace("=data", f"={node.folder}/data")
        for line in options.read_text().splitlines()
        if "jdk.incubator.vector" not in line  # not every Java has that module
    ]
    options.write_text("\n".join(lines) + "\n")
    if os.getuid() == 0:
        user = pwd.getpwnam("nobody")
        for path in (node.folder, *node.folder.rglob("*")):
            os.chown(path, user.pw_uid, user.pw_gid)


def discovery(nodes: list[Node]) -> list[str]:
    """Return how the nodes find each other."""
    if len(nodes) == 1:
        return ["discovery.type: single-node"]
    addresses = ",".join(f"127.0.0.1:{node.transport_port}" for node in nodes)
    names = ",".join(node.name for node in nodes)
    return [
        f"discovery.seed_hosts: [{addresses}]",
        f"cluster.initial_cluster_manager_nodes: [{names}]",
    ]


def launch(server: Path, node: Node, java: Path, heap: str) -> None:
    """Start a node's process and note its id."""
    environment = {
        "PATH": os.environ["PATH"],
        "OPENSEARCH_PATH_CONF": str(node.folder / "config"),
        "OPENSEARCH_JAVA_HOME": str(java),
        "OPENSEARCH_JAVA_OPTS": f"-Xms{heap} -Xmx{heap}",
        "OPENSEARCH_TMPDIR": str(node.folder / "tmp"),
    }
    nobody = pwd.getpwnam("nobody") if os.getuid() == 0 else None
    with (node.folder / "out.log").open("ab") as log:
        process = subprocess.Popen(
            [str(server / "bin" / "opensearch")],
            env=environment,
            cwd=node.folder,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
            user=nobody.pw_uid if nobody else None,
            group=nobody.pw_gid if nobody else None,
            extra_groups=[] if nobody else None,
        )
    (node.folder / "pid").write_text(str(process.pid))


def is_green(nodes: list[Node]) -> bool:
    """Return whether every node is in the cluster and every shard where it should be."""
    health = answers(f"{nodes[0].url}/_cluster/health")
    return bool(health and health["status"] == "green" and health["number_of_nodes"] == len(nodes))


def answers(url: str) -> dict[str, object] | None:
    """Return the JSON that a URL answers with, or None if nothing answers."""
    try:
        with urllib.request.urlopen(url, timeout=5) as answer:
            content: dict[str, object] = json.load(answer)
            return content
    except (OSError, urllib.error.URLError, ValueError):
        return None


def stop(home: Path) -> None:
    """Stop every node that was started under the folder."""
    files = sorted((home / "clusters").glob("*/*/pid"))
    end([Node(name=file.parent.name, folder=file.parent, port=0) for file in files])


def wipe(nodes: list[Node]) -> None:
    """Stop nodes and delete their data."""
    end(nodes)
    for node in nodes:
        shutil.rmtree(node.folder, ignore_errors=True)


def end(nodes: list[Node]) -> None:
    """Stop those of the nodes that are running, by force if they take too long."""
    running = [node for node in nodes if node.pid()]
    for node in running:
        if pid := node.pid():
            os.kill(pid, signal.SIGTERM)
    deadline = time.monotonic() + 30
    while any(node.pid() for node in running) and time.monotonic() < deadline:
        time.sleep(0.2)
    for node in running:
        if pid := node.pid():
            os.kill(pid, signal.SIGKILL)
    say(f"stopped {len(running)} nodes")


def say(text: str) -> None:
    """Print progress."""
    print(text, file=sys.stderr)


def fail(text: str) -> NoReturn:
    """End with a reason."""
    sys.exit(f"error: {text}")


if __name__ == "__main__":
    main()
