"""``forebear links``: who may attach and reject records on the page."""

from dataclasses import asdict
from typing import Annotated

import typer

from forebear.archive.archive import now
from forebear.cli.options import (
    ArchiveOption,
    JsonOption,
    open_archive,
    print_message,
    print_result,
)
from forebear.settings import PUBLIC_URL_VARIABLE

app = typer.Typer(help="Manage sign-in links.", no_args_is_help=True)

NameArgument = Annotated[str, typer.Argument(help="Whom the link is for.")]


@app.command()
def add(
    name: NameArgument,
    path: ArchiveOption = None,
    days: Annotated[int, typer.Option(help="How long the link is valid.")] = 30,
    public_url: Annotated[
        str,
        typer.Option(envvar=PUBLIC_URL_VARIABLE, help="The URL under which the archive is served."),
    ] = "http://127.0.0.1:8000",
    as_json: JsonOption = False,
) -> None:
    """Create a sign-in link and print it; it cannot be printed again."""
    with open_archive(path) as archive:
        token = archive.add_link(name, days=days)
        link = next(link for link in archive.links() if link.name == name.strip())
    url = f"{public_url.rstrip('/')}/sign-in/{token}"
    print_result(
        {"name": link.name, "url": url, "expires_at": link.expires_at}, as_json, lambda: url
    )
    print_message(f"valid until {link.expires_at[:10]}; whoever opens it is signed in")


@app.command("list")
def list_links(path: ArchiveOption = None, as_json: JsonOption = False) -> None:
    """List the links, also those that have ended."""
    with open_archive(path) as archive:
        links = archive.links()
    rows = [{**asdict(link), "state": link.state(now())} for link in links]
    print_result(
        rows,
        as_json,
        lambda: "\n".join(
            f"{row['name']:<20} {row['state']:<8} until {row['expires_at'][:10]}, "
            f"last used {row['last_used'] or 'never'}"
            for row in rows
        ),
    )
    if not links:
        print_message("there are no sign-in links; add one with `forebear links add NAME`")


@app.command()
def revoke(name: NameArgument, path: ArchiveOption = None) -> None:
    """Revoke a link; whoever used it is signed out at once."""
    with open_archive(path) as archive:
        archive.revoke_link(name)
    print_message(f"revoked {name}")
