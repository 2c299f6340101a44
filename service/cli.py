"""The command `arbitr`: one `add_*` function in COMMANDS a subcommand; what it needs it imports when run."""

import argparse
import sys
from collections.abc import Sequence

from service import __version__
from service.config import Settings, UserError, setting_table, unknown_settings


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code: 2 for what the user can mend, told in one line on stderr."""
    args = build_parser().parse_args(arguments)
    try:
        return args.run(args)
    except UserError as error:
        print(f"arbitr: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command line."""
    parser = argparse.ArgumentParser(
        prog="arbitr", description="A referee for board games behind an HTTP API."
    )
    parser.add_argument("--version", action="version", version=f"arbitr {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for add in COMMANDS:
        add(commands)
    return parser


def add_serve(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """`arbitr serve`."""
    parser = commands.add_parser(
        "serve",
        help="start the service and, unless ARBITR_REDIS_URL names one, its store",
        description="Start the service. It is set by environment variables:",
        epilog="\n".join(f"  {name:18} {text} [{default}]" for name, default, text in setting_table()),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.set_defaults(run=run_serve)


def run_serve(args: argparse.Namespace) -> int:
    """Start the service and stay until it is stopped."""
    from service.serve import serve

    for line in unknown_settings():
        print(f"arbitr: warning: {line}", file=sys.stderr)
    return serve(Settings.from_env())


COMMANDS = (add_serve,)


if __name__ == "__main__":
    sys.exit(main())
