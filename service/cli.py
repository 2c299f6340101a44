"""The command `arbitr`: one `add_*` function in COMMANDS a subcommand; what it needs it imports when run."""

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

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
    except BrokenPipeError:  # whoever reads our output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


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


def add_stream(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """`arbitr stream`."""
    parser = commands.add_parser(
        "stream",
        help="start the stream process alone, for a service that runs elsewhere",
        description="Start the stream process alone. It needs the store and the keys of the service, whose "
        "ARBITR_STREAM_URL names it; `arbitr serve` starts one by itself.",
    )
    parser.set_defaults(run=run_stream)


def run_stream(args: argparse.Namespace) -> int:
    """Start the streams and stay until they are stopped."""
    from service.serve import serve_streams

    return serve_streams(Settings.from_env())


def add_backup(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """`arbitr backup`."""
    parser = commands.add_parser(
        "backup",
        help="copy the sessions of the embedded store and the server keys into a folder",
        description="Copy the sessions in the data folder (ARBITR_DATA), and the server keys, into a new folder. The "
        "service may run meanwhile.",
    )
    parser.add_argument("folder", type=Path, help="a folder that is not there yet; keep it secret")
    parser.set_defaults(run=run_backup)


def run_backup(args: argparse.Namespace) -> int:
    """Copy, and say what was copied."""
    from service.backup import backup

    for line in backup(Settings.from_env(), args.folder.absolute()):
        print(line)
    return 0


def add_restore(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """`arbitr restore`."""
    parser = commands.add_parser(
        "restore",
        help="put a backup into a data folder that has no sessions",
        description="Put the sessions and keys of a backup into the data folder (ARBITR_DATA), which must hold no "
        "sessions.",
    )
    parser.add_argument("folder", type=Path, help="a folder that `arbitr backup` has made")
    parser.set_defaults(run=run_restore)


def run_restore(args: argparse.Namespace) -> int:
    """Copy, and say what was copied."""
    from service.backup import restore

    for line in restore(Settings.from_env(), args.folder.absolute()):
        print(line)
    return 0


def add_rules(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """`arbitr rules`."""
    parser = commands.add_parser("rules", help="print the clauses of a game, or one of them")
    parser.add_argument("game", help="a game: zavandor")
    parser.add_argument("rule", nargs="?", help="a clause: ZAV-GEM-1; without one, all of them")
    _language(parser)
    parser.set_defaults(run=run_rules)


def run_rules(args: argparse.Namespace) -> int:
    """Print clauses with their citations."""
    from service.play import printed_rules

    for line in printed_rules(args.game, args.rule, args.language):
        print(line)
    return 0


def add_play(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """`arbitr play`."""
    parser = commands.add_parser(
        "play", help="play a whole game by itself and print it so that it can be followed"
    )
    parser.add_argument("game", help="a game: zavandor")
    parser.add_argument("--seed", default="1", help="the same seed plays the same game [1]")
    parser.add_argument("--seats", type=int, default=3, help="how many players [3]")
    _players(parser)
    _language(parser)
    parser.set_defaults(run=run_play)


def run_play(args: argparse.Namespace) -> int:
    """Play and print."""
    from service.play import printed_game

    for line in printed_game(args.game, args.seed, args.seats, args.players, args.language):
        print(line)
    return 0


def add_record(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """`arbitr record`."""
    parser = commands.add_parser(
        "record",
        help="play a whole game by itself and print its record, or complete a record",
        description="Play a whole game and print its record; with --of, add odds and digest to a record.",
    )
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("game", nargs="?", help="a game: zavandor")
    which.add_argument(
        "--of", metavar="FILE", help="a record to complete; - reads it from the standard input"
    )
    parser.add_argument("--seed", default="1", help="the same seed plays the same game [1]")
    parser.add_argument(
        "--seats", default="ann,bob,cleo", help="who plays, in the order of the table [ann,bob,cleo]"
    )
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="an option of the set-up, or what a seat wishes for: length=short, ann.faction=eyrie; may be repeated",
    )
    _players(parser)
    parser.set_defaults(run=run_record)


def run_record(args: argparse.Namespace) -> int:
    """Play or complete, and print."""
    from service import recording
    from service.play import ruleset

    if args.of is not None:
        given = recording.read(args.of)
        record = recording.completed(recording.rules_of(given), given)
    else:
        rules = ruleset(args.game)
        setup = recording.setup_of(rules, args.seed, args.seats.split(","), args.set)
        record = recording.played_record(rules, setup, args.players)
    print(recording.written(record), end="")
    return 0


def add_verify(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """`arbitr verify`."""
    parser = commands.add_parser(
        "verify",
        help="judge the record of a game again",
        description="Judge a record again, from its first action to its last. Exit code 1: an action is illegal, the "
        "end is another one, or the draws are not those of the seed.",
    )
    parser.add_argument("file", help="a file with the record; - reads it from the standard input")
    parser.add_argument(
        "--strict",
        action="store_true",
        help="exit code 1 also where it cannot be said whether the draws are those of the seed",
    )
    _language(parser)
    parser.set_defaults(run=run_verify)


def run_verify(args: argparse.Namespace) -> int:
    """Judge, print, and say by the exit code whether all is well."""
    from service import recording
    from service.sessions.verifying import DIFFER, MATCH

    record = recording.read(args.file)
    rules = recording.rules_of(record)
    found = recording.verification(rules, record)
    for line in recording.printed_verification(rules, found, args.language):
        print(line)
    wrong = found.draws.verdict != MATCH if args.strict else found.draws.verdict == DIFFER
    return int(found.reason is not None or wrong)


def add_battery(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """`arbitr battery`."""
    parser = commands.add_parser(
        "battery",
        help="hold a running service to the laws that can be looked at over HTTP",
        description="Play games on a running service and hold its answers to the laws. Exit code 1: one is broken.",
    )
    parser.add_argument("--url", required=True, help="where it runs: http://127.0.0.1:8000")
    parser.add_argument("--game", help="one of its games; without it, all of them")
    parser.add_argument("--games", type=_positive, default=4, help="how many games of each are played [4]")
    parser.add_argument("--seed", type=int, default=1, help="the same seed plays the same games [1]")
    parser.set_defaults(run=run_battery)


def run_battery(args: argparse.Namespace) -> int:
    """Hold, print, and say by the exit code whether all is well."""
    from service.battery.run import battery

    line = ""
    for line in battery(args.url, args.games, args.seed, args.game):
        print(line, flush=True)
    return int(line.startswith("broken"))


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError
    return number


def _players(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--players",
        choices=("prudent", "random"),
        default="prudent",
        help="prudent ones take what pays back; random ones take anything that is legal [prudent]",
    )


def _language(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--language", choices=("en", "cs"), default="en", help="the language of the texts [en]"
    )


COMMANDS = (
    add_serve,
    add_stream,
    add_backup,
    add_restore,
    add_rules,
    add_play,
    add_record,
    add_verify,
    add_battery,
)


if __name__ == "__main__":
    sys.exit(main())
