"""What somebody on a host sees of what the computers of its runs use, while a `with` block lasts: the readings of its agent, as Monitor gets them."""
import json
import os
import pathlib
import subprocess

BIN = pathlib.Path(os.environ.get("TANDEM_BIN", "build/dev/bin")).resolve()


class Loads:
    def __init__(self, hosts, node, file):
        self.hosts, self.node, self.file = hosts, node, pathlib.Path(file)

    def __enter__(self):
        with open(self.file, "w", encoding="utf-8") as out:
            self.program = self.hosts.start(self.node, [BIN / "tandem-cli", "agent", "--follow", "--json"], stdout=out, stderr=subprocess.DEVNULL)
        return self

    def __exit__(self, *_):
        self.program.kill()
        self.program.wait()

    def all(self):
        """Every reading so far; the last line may still be on its way."""
        lines = self.file.read_text(errors="replace").split("\n")[:-1]
        return [json.loads(line) for line in lines]

    def tasks_of(self, run):
        """By task of the run: the newest reading that has it, and what that says of the task."""
        found = {}
        for load in self.all():
            for task in load["tasks"]:
                if task["run"] == run:
                    found[task["task"]] = (load, task)
        return found

    def measured(self, run):
        """What tasks_of() returns, where the computer of each task was measured with it, else None: a task may tell of itself alone before that."""
        found = self.tasks_of(run)
        return found if all(load["cores"] > 0 for load, _ in found.values()) else None
