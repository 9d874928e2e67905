"""``forebear init``: make an empty archive."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from forebear.archive import create_archive
from forebear.cli.options import talk
from forebear.errors import InputError
from forebear.storage.port import ClusterAddress


def init(
    path: Annotated[Path, typer.Argument(help="The file to make.")],
    storage: Annotated[
        Literal["file", "opensearch"], typer.Option(help="Where its records live.")
    ] = "file",
    hosts: Annotated[
        str, typer.Option(help="Of the cluster: http://one:9200,http://two:9200.")
    ] = "",
    prefix: Annotated[
        str, typer.Option(help="Of the names of its indexes; else the name of the file.")
    ] = "",
    shards: Annotated[int, typer.Option(min=1, help="Of each index in the cluster.")] = 1,
    replicas: Annotated[int, typer.Option(min=0, help="Copies of each shard.")] = 1,
) -> None:
    """Make an empty archive, in one file or in an OpenSearch cluster."""
    if storage == "file":
        if hosts:
            raise InputError("--hosts is for a cluster", hint="add --storage opensearch")
        create_archive(path).close()
        talk.print(f"made {path}")
        return
    named = tuple(host.strip() for host in hosts.split(",") if host.strip())
    if not named:
        raise InputError("which cluster?", hint="give --hosts http://localhost:9200")
    address = ClusterAddress(
        hosts=named, prefix=prefix or path.stem.lower(), shards=shards, replicas=replicas
    )
    create_archive(path, cluster=address).close()
    talk.print(f"made {path}, its records at {hosts} under {address.prefix!r}")
