"""Which page is served, and who may judge on it?  ``forebear serve`` and ``links``."""

from dataclasses import asdict, dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Annotated

import typer

from forebear.archive.records import now
from forebear.cli.options import (
    ArchiveOption,
    JsonOption,
    archive_path,
    grouped,
    open_archive,
    print_message,
    print_result,
    require_finite,
)
from forebear.errors import ServerError
from forebear.settings import PUBLIC_URL_VARIABLE

if TYPE_CHECKING:
    from forebear.server.limits import Limits

NEEDED = ("fastapi", "jinja2", "python_multipart", "uvicorn")  # the extra `server`


@dataclass(frozen=True, slots=True, kw_only=True)
class AddressOptions:
    """Where visitors reach the page."""

    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1"
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Port to listen on; 0 takes a free one.")
    ] = 8000
    public_url: Annotated[
        list[str] | None,
        typer.Option(
            envvar=PUBLIC_URL_VARIABLE,
            help="URL that visitors use, such as https://records.example.org; may be repeated. "
            "Requests for other hosts are refused.",
        ),
    ] = None
    trusted_proxy: Annotated[
        list[str] | None,
        typer.Option(
            help="Address or network of a proxy whose X-Forwarded-For header names the visitor; "
            "may be repeated."
        ),
    ] = None
    workers: Annotated[
        int, typer.Option(min=1, max=64, help="Number of processes that answer requests.")
    ] = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialOptions:
    """Which model is interleaved with the one in use, and how often."""

    model: Annotated[
        str | None,
        typer.Option(
            "--trial",
            metavar="MODEL",
            help="Interleave this model with the one in use, and promote it if people attach more "
            "of its records.",
        ),
    ] = None
    share: Annotated[
        float,
        typer.Option(
            "--trial-share",
            help="With --trial: share of the searches of visitors who may attach.",
            callback=require_finite,
        ),
    ] = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitOptions:
    """How much one address may ask for, and how large the log may become."""

    max_requests: Annotated[
        int, typer.Option(min=1, help="Requests per address in any 60 seconds.")
    ] = 120
    max_connections: Annotated[
        int, typer.Option(min=1, help="Connections per address at one time.")
    ] = 20
    header_seconds: Annotated[
        float,
        typer.Option(
            min=0.1, help="Time for the headers of a request to arrive.", callback=require_finite
        ),
    ] = 10
    body_seconds: Annotated[
        float,
        typer.Option(
            min=0.1, help="Time for the body of a request to arrive.", callback=require_finite
        ),
    ] = 30
    max_body: Annotated[int, typer.Option(min=1, help="Bytes in the body of a request.")] = 65536
    log_days: Annotated[
        float,
        typer.Option(
            min=0,
            help="Days that searches without judgments stay in the log.",
            callback=require_finite,
        ),
    ] = 365
    log_megabytes: Annotated[
        float,
        typer.Option(
            min=0,
            help="Size of the log; the oldest without judgments are removed.",
            callback=require_finite,
        ),
    ] = 1000

    def limits(self) -> "Limits":
        """Return the limits of an address."""
        from forebear.server.limits import Limits

        return Limits(
            requests=self.max_requests,
            connections=self.max_connections,
            header_seconds=self.header_seconds,
            body_seconds=self.body_seconds,
            body_bytes=self.max_body,
        )


@grouped
def serve(
    path: ArchiveOption = None,
    *,
    address: AddressOptions,
    allow_votes: Annotated[
        bool,
        typer.Option(
            "--allow-votes", help="Accept votes of visitors who are not signed in, held back."
        ),
    ] = False,
    trial: TrialOptions,
    limits: LimitOptions,
) -> None:
    """Serve the search page and the JSON API."""
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise ServerError(
            f"the server needs the extra 'server': {', '.join(missing)} is not installed",
            hint='pip install "forebear[server]"',
        )
    from forebear.cli.models import trial_text
    from forebear.server.listen import run_server
    from forebear.server.options import LogLimits, ServerOptions, read_networks, read_public_url

    options = ServerOptions(
        public_urls=tuple(map(read_public_url, address.public_url or ())),
        trusted_proxies=read_networks(address.trusted_proxy or ()),
        allow_votes=allow_votes,
        challenger=trial.model or "",
        limits=limits.limits(),
        log_limits=LogLimits(days=limits.log_days, megabytes=limits.log_megabytes),
    )
    if trial.model is not None:
        with open_archive(path) as archive:
            started = archive.start_trial(trial.model, share=trial.share)
            print_message(trial_text(started, archive.current_model()))
    run_server(
        archive_path(path),
        host=address.host,
        port=address.port,
        ready=print_message,
        options=options,
        workers=address.workers,
    )


links_app = typer.Typer(help="Manage sign-in links.", no_args_is_help=True)

NameArgument = Annotated[str, typer.Argument(help="Whom the link is for.")]


@links_app.command()
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


@links_app.command("list")
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


@links_app.command()
def revoke(name: NameArgument, path: ArchiveOption = None) -> None:
    """Revoke a link; whoever used it is signed out at once."""
    with open_archive(path) as archive:
        archive.revoke_link(name)
    print_message(f"revoked {name}")
