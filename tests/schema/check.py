#!/usr/bin/python3
"""Do results match their schemas? check.py STINT: every schema is one (draft 2020-12), and every complete JSON result that
the command-line cases have recorded matches the schema of its operation. Prints TAP; skipped without python3-jsonschema."""
import glob
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def recorded():
    """(file, line, result) of all cases."""
    for name in sorted(glob.glob(os.path.join(HERE, "..", "cli", "*.t"))):
        with open(name, encoding="utf-8", errors="replace") as file:
            for number, line in enumerate(file, 1):
                if not line.startswith('| {"schema":"stint.'):
                    continue
                try:
                    yield os.path.basename(name), number, json.loads(line[2:])
                except ValueError:
                    continue  # a case that shows a part of it


def main():
    try:
        import jsonschema
    except ImportError:
        print("1..0 # SKIP python3-jsonschema is not installed")
        return 0
    done = subprocess.run([sys.argv[1], "schema", "--json"], capture_output=True, text=True, check=True)
    operations = json.loads(done.stdout)["operations"]
    validator = jsonschema.Draft202012Validator
    results, problems, seen = {}, [], set()
    for operation in operations:
        validator.check_schema(operation["request"])
        validator.check_schema(operation["result"])
        results.setdefault(operation["schema"], []).append(validator(operation["result"]))
    for name, number, result in recorded():
        if result["schema"] not in results:
            continue  # files that Stint writes, such as saved plans
        seen.add(result["schema"])
        if not any(schema.is_valid(result) for schema in results[result["schema"]]):
            error = jsonschema.exceptions.best_match(results[result["schema"]][0].iter_errors(result))
            problems.append(f"{name}:{number}: {'.'.join(map(str, error.absolute_path))}: {error.message[:200]}")
    print("1..2")
    print(f"ok 1 - {2 * len(operations)} schemas are valid")
    for problem in problems:
        print("#", problem)
    enough = len(seen) >= 40
    print(f"{'ok' if not problems and enough else 'not ok'} 2 - recorded results of {len(seen)} operations match their schemas")
    return 1 if problems or not enough else 0


if __name__ == "__main__":
    sys.exit(main())
