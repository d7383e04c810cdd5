"""Every command is registered in one place, src/op/operations.def, and no other file lists them all."""
import glob
import os
import re
import shutil
import subprocess
import unittest

ROWS = "src/op/operations.def"
# Made from that table (tests/cli/commands.t compares it), or a record of what changed.
MADE = {ROWS, "docs/reference/commands.md", "CHANGELOG.md"}


def read(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def registered():
    """Names and the files that a row says define them."""
    operations, commands = {}, {}
    for name, files in re.findall(r"^(?:OPERATION|COMMAND)\((\w+), (.*)\)$", read(ROWS), flags=re.M):
        paths = files.split(", ")
        commands[name] = f"src/cli/{paths[-1]}.c"
        if len(paths) == 2:
            operations[name] = f"src/op/{paths[0]}.c"
    return operations, commands


def defined(folder, pattern):
    return {name: path for path in sorted(glob.glob(f"src/{folder}/**/*.c", recursive=True))
            for name in re.findall(pattern, read(path), flags=re.M)}


def spellings(name):
    """As C, the library and a user spell it: price_list, price.list, price list, price-list."""
    return re.compile(r"\b" + name.replace("_", "[_. -]") + r"\b")


class Commands(unittest.TestCase):
    def test_each_operation_and_command_has_its_row(self):
        operations, commands = registered()
        self.assertGreater(len(operations), 100)
        self.assertEqual(defined("op", r"^const struct op op_(\w+) = \{"), operations)
        self.assertEqual(defined("cli", r"^const struct command cmd_(\w+) = \{"), commands)

    def test_no_build_file_names_them(self):
        _, commands = registered()
        for path in glob.glob("**/meson.build", recursive=True):
            named = {os.path.basename(file) for file in commands.values()} & set(re.findall(r"cmd_\w+\.c", read(path)))
            self.assertEqual(named, set(), path)

    def test_no_other_file_lists_them_all(self):
        _, commands = registered()
        words = {name: spellings(name) for name in commands}
        if not shutil.which("git"):
            self.skipTest("there is no git here")
        done = subprocess.run(["git", "ls-files"], capture_output=True, text=True)
        if done.returncode != 0:
            self.skipTest("this is not a git checkout")
        for path in set(done.stdout.split()) - MADE:
            if not os.path.isfile(path):
                continue
            text = read(path)
            missing = [name for name, word in words.items() if not word.search(text)]
            self.assertGreater(len(missing), len(commands) // 4, f"{path} names most commands: a new one would have to be added")
