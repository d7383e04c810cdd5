"""ci_steps.py PAGE FORGE: the shell steps of the job for FORGE in a page of the documentation, each as a file FORGE-N.sh. Steps that
install something are left out. Keys that the forge does not know, and steps that do two things, are errors: the part of a linter that
needs no network."""
import re
import sys

KNOWN = {
    "GitHub": "name on permissions contents pull-requests jobs cost runs-on container steps run uses with fetch-depth env if STINT_GIT GITHUB_TOKEN",
    "GitLab": "cost image rules if script",
}
INSTALLS = ("apt-get", "/opt/stint")


def indent(line):
    return len(line) - len(line.lstrip())


def block_after(lines, i, start):
    """The lines below `|`, which are indented more than what began them."""
    block = []
    for line in lines[i + 1:]:
        if line.strip() and indent(line) <= start:
            break
        block.append(line)
    return block


def main():
    page, forge = sys.argv[1:]
    with open(page, encoding="utf-8") as file:
        lines = file.read().split(f"## {forge}\n")[1].split("```yaml\n")[1].split("```")[0].splitlines()
    shell, steps, actions = set(), [], 0
    for i, line in enumerate(lines):
        if i in shell:
            continue
        assert "\t" not in line, f"a tab in '{line}'"
        key = re.match(r" *(?:- )?([A-Za-z_-]+):(?: |$)", line)
        assert not key or key[1] in KNOWN[forge].split(), f"{forge} has no key '{key[1]}'"
        actions += "uses: " in line
        begun = re.match(r" *(?:- )?run: (.*)", line) or (not key and re.match(r" *- (.*)", line))
        if not begun:
            continue
        block = block_after(lines, i, indent(line)) if begun[1] == "|" else [begun[1]]
        shell |= set(range(i + 1, i + 1 + len(block))) if begun[1] == "|" else set()
        steps.append("\n".join(block))
    for n, step in enumerate(step for step in steps if not any(word in step for word in INSTALLS)):
        with open(f"{forge}-{n}.sh", "w", encoding="utf-8") as file:
            file.write(step + "\n")
        print(n, step.strip().split("\n")[-1].strip())
    print(len(steps), "shell steps,", actions, "actions")


main()
