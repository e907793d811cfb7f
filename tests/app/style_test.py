#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The tree is formatted by .clang-format, locks are held where engine/thread/mutex.h says so, and the sources of tidy_sources.txt pass
.clang-tidy.

A pass of clang-tidy over every file takes an hour on two cores, over the growing list of sources that were brought into order seven minutes,
and the question about locks two. So a test sees those that the last fifty commits have touched, or that are not committed yet, and an eighth
of the others, and of many of them no more than it has time for: others with each commit. `style_test.py --listed` sees the whole list, `--all` every source.
TANDEM_SOURCE names the tree, TANDEM_BUILD the folder with compile_commands.json.
"""

import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import unittest

ROOT = pathlib.Path(os.environ["TANDEM_SOURCE"]).resolve()
BUILD = pathlib.Path(os.environ["TANDEM_BUILD"]).resolve()
TIDY = pathlib.Path(__file__).with_name("tidy_sources.txt")
FOLDERS = ("app", "agent", "engine", "ui", "tests")
CODE = re.compile(r"\.(h|cpp|cu)$")
ALL = "--all" in sys.argv
LISTED = "--listed" in sys.argv
MOST = 4  # sources a run for clang-tidy, ten to forty seconds each
MOST_FOR_LOCKS = 10  # sources a run for clang, two to eight seconds each


def compile_commands():
    """One command for each source, also for those that the build compiles as one (cmake/unity_groups.cmake)."""
    for one in json.loads((BUILD / "compile_commands.json").read_text()):
        group = one["file"]
        if not re.search(r"/Unity/unity_\w+\.cxx$", group):
            yield one
            continue
        for source in re.findall(r'^#include "(.+)"$', pathlib.Path(one["directory"], group).read_text(), re.MULTILINE):
            yield {**one, "file": source, "command": one["command"].replace(group, source)}


def compiled_sources():
    return {os.path.relpath(os.path.join(one["directory"], one["file"]), ROOT) for one in compile_commands()}


def compile_command(one):
    """The arguments for clang: what says which warnings GCC gives is left out."""
    words = shlex.split(one["command"]) if "command" in one else one["arguments"]
    compiler = next(at for at, word in enumerate(words) if re.search(r"(c\+\+|g\+\+|clang\+\+)(-\d+)?$", word))
    words = words[compiler + 1:]
    if "-o" in words:
        del words[words.index("-o"):words.index("-o") + 2]
    return [word for word in words if not word.startswith("-W") and word != "-c"]


def uses_mutexes(source):
    header = re.sub(r"(_posix)?\.cpp$", ".h", source)
    return any('"engine/thread/mutex.h"' in (ROOT / name).read_text() for name in {source, header} if (ROOT / name).exists())


def tidy_sources():
    """Those that are known to pass: who changes a source adds it to the list, and there it stays."""
    return [line for line in TIDY.read_text().split("\n") if line and not line.startswith("#")]


def git(*arguments):
    """The lines that git prints; None where there is no git, or no history."""
    done = subprocess.run(["git", "-C", ROOT, *arguments], text=True, capture_output=True) if shutil.which("git") else None
    return done.stdout.split("\n") if done and done.returncode == 0 else None


def due_sources(listed, most):
    """Those of the list to look at now, at most so many: all of them where git can't say what has changed."""
    touched, here, head = git("log", "-50", "--name-only", "--format="), git("status", "--porcelain"), git("rev-parse", "HEAD")
    if touched is None or here is None or head is None:
        return listed
    recent = set(touched) | {line[3:] for line in here}
    turn = int(head[0][:8], 16)
    due = [name for index, name in enumerate(listed) if name in recent or index % 8 == turn % 8]
    begin = turn % len(due)
    return (due[begin:] + due[:begin])[:most]


class Style(unittest.TestCase):
    @unittest.skipUnless(shutil.which("clang-format"), "clang-format is not installed")
    def test_every_file_is_formatted(self):
        files = [str(path.relative_to(ROOT)) for top in FOLDERS for path in sorted((ROOT / top).rglob("*")) if CODE.search(path.name)]
        self.assertGreater(len(files), 1000, "the tree was not found")
        done = subprocess.run(["clang-format", "--dry-run", "-Werror", *files], cwd=ROOT, text=True, capture_output=True)
        wrong = sorted(set(re.findall(r"^(\S+?):\d+:\d+: error", done.stderr, re.MULTILINE)))
        self.assertEqual(wrong, [], "run clang-format -i on these")

    @unittest.skipUnless(shutil.which("clang++"), "clang is not installed")
    def test_guarded_members_are_used_under_their_mutex(self):
        jobs = {}
        for one in compile_commands():
            source = os.path.relpath(os.path.join(one["directory"], one["file"]), ROOT)
            if source.startswith(("engine/", "agent/", "ui/", "app/")) and "emulat" not in one["command"] and uses_mutexes(source):
                jobs[source] = one
        self.assertGreater(len(jobs), 30, "the sources that use mutexes were not found")
        due = jobs if ALL or LISTED else due_sources(sorted(jobs), MOST_FOR_LOCKS)

        def look(one):
            done = subprocess.run(["clang++", "-fsyntax-only", "-Wthread-safety", *compile_command(one)], cwd=one["directory"], text=True,
                                  capture_output=True)
            return [line for line in done.stderr.split("\n") if "[-Wthread-safety" in line or ": error: " in line]

        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            found = sorted({line.replace(str(ROOT) + "/", "") for lines in pool.map(look, [jobs[name] for name in due]) for line in lines})
        self.assertEqual(found, [])

    @unittest.skipUnless(shutil.which("clang-tidy"), "clang-tidy is not installed")
    def test_sources_of_the_list_are_tidy(self):
        known = compiled_sources()
        listed = tidy_sources()
        self.assertEqual([name for name in listed if not (ROOT / name).exists()], [], "these are on the list and gone")
        wanted = sorted(known) if ALL else listed if LISTED else due_sources(listed, MOST)
        files = [name for name in wanted if name in known and name.endswith(".cpp")]
        self.assertGreater(len(files), 2)
        each = BUILD / "each_source"  # clang-tidy sees a source as it is when compiled alone, with all that it forgets to include
        each.mkdir(exist_ok=True)
        (each / "compile_commands.json").write_text(json.dumps(list(compile_commands())))

        def look(name):
            done = subprocess.run(["clang-tidy", "-p", str(each), "--quiet", "--warnings-as-errors=*", str(ROOT / name)], cwd=ROOT, text=True,
                                  capture_output=True)
            found = [line for line in done.stdout.split("\n") if re.search(r": (error|warning): ", line)]
            return [line for line in found if not line.startswith(str(BUILD))]  # what moc wrote and a source includes at its end is Qt's code

        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            found = sorted({line.replace(str(ROOT) + "/", "") for lines in pool.map(look, files) for line in lines})
        self.assertEqual(found, [])


if __name__ == "__main__":
    unittest.main(argv=[one for one in sys.argv if one not in ("--all", "--listed")])
