#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The tree is formatted by .clang-format, and what was changed last passes .clang-tidy.

A pass of clang-tidy over every file would take hours on two cores. So it sees the sources that the newest commits touched, which earlier
passes have not seen; `style_test.py --all` sees all of them. TANDEM_SOURCE names the tree, TANDEM_BUILD the folder with compile_commands.json.
"""

import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

ROOT = pathlib.Path(os.environ["TANDEM_SOURCE"]).resolve()
BUILD = pathlib.Path(os.environ["TANDEM_BUILD"]).resolve()
NEWEST_COMMITS = 12
MOST_FILES = 24  # some five seconds each
CODE = re.compile(r"\.(h|cpp|cu)$")
ALL = "--all" in sys.argv


def git(*arguments):
    return subprocess.run(["git", "-C", str(ROOT), *arguments], text=True, capture_output=True, check=True).stdout.split("\n")


def compiled_sources():
    commands = json.loads((BUILD / "compile_commands.json").read_text())
    return {os.path.relpath(os.path.join(one["directory"], one["file"]), ROOT) for one in commands}


def newest_sources():
    """Sources by the newest commit that touched them; a header is seen through the sources beside it."""
    seen = []
    for name in git("log", f"-{NEWEST_COMMITS}", "--name-only", "--diff-filter=AM", "--pretty=format:"):
        stem = re.sub(r"\.(h|cpp)$", "", name)
        for source in (stem + ".cpp", stem + "_posix.cpp"):
            if source not in seen and (ROOT / source).exists():
                seen.append(source)
    return seen


class Style(unittest.TestCase):
    @unittest.skipUnless(shutil.which("clang-format"), "clang-format is not installed")
    def test_every_file_is_formatted(self):
        files = [name for name in git("ls-files") if CODE.search(name)]
        self.assertGreater(len(files), 1000, "the tree was not found")
        done = subprocess.run(["clang-format", "--dry-run", "-Werror", *files], cwd=ROOT, text=True, capture_output=True)
        wrong = sorted(set(re.findall(r"^(\S+?):\d+:\d+: error", done.stderr, re.MULTILINE)))
        self.assertEqual(wrong, [], "run clang-format -i on these")

    @unittest.skipUnless(shutil.which("clang-tidy"), "clang-tidy is not installed")
    def test_what_was_changed_last_is_tidy(self):
        known = compiled_sources()
        files = sorted(known) if ALL else [name for name in newest_sources() if name in known][:MOST_FILES]
        files = [name for name in files if not name.startswith(("build/", "..")) and name.endswith(".cpp")]

        def look(name):
            done = subprocess.run(["clang-tidy", "-p", str(BUILD), "--quiet", "--warnings-as-errors=*", str(ROOT / name)], cwd=ROOT, text=True,
                                  capture_output=True)
            return [line for line in done.stdout.split("\n") if re.search(r": (error|warning): ", line)]

        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            found = sorted({line.replace(str(ROOT) + "/", "") for lines in pool.map(look, files) for line in lines})
        self.assertEqual(found, [])


if __name__ == "__main__":
    unittest.main(argv=[one for one in sys.argv if one != "--all"])
