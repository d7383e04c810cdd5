"""python -m stint track RUN --to TRACKER: the commands that Python has and the program has not."""
import argparse
import sys

from . import Error


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="python -m stint")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    track = commands.add_parser("track", help="send a run of the ledger to a tracker",
                                description="Send cost, energy and carbon of a run to a tracker: by step, and as summary.")
    track.add_argument("run", metavar="RUN", help="id or name; last is the newest")
    track.add_argument("--to", action="append", required=True, metavar="TRACKER",
                       help="mlflow, mlflow:http://HOST:5000, tensorboard:FOLDER or wandb; may be repeated")
    chosen = parser.parse_args(arguments)
    try:
        from . import trackers
        points = trackers.send(chosen.run, chosen.to)
        print(f"sent {points} point{'' if points == 1 else 's'} to {', '.join(chosen.to)}")
        return 0
    except Error as error:
        print(f"stint: {error.text}", file=sys.stderr)
        if error.hint:
            print(f"  hint: {error.hint}", file=sys.stderr)
        return error.status


if __name__ == "__main__":
    sys.exit(main())
