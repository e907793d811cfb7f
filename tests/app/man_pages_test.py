#!/usr/bin/env python3
"""The man pages hold every verb and option that the programs' --help lists, and groff reads them without a warning."""
import os
import re
import shutil
import subprocess
import unittest

BIN = os.environ["TANDEM_BIN"]
PAGES = os.environ["TANDEM_MAN"]
DEADLINE_S = 30


def help_of(program, *verbs):
    done = subprocess.run([os.path.join(BIN, program), *verbs, "--help"], capture_output=True, text=True, timeout=DEADLINE_S, check=True)
    return done.stdout


def verbs_of(text):
    listed = re.search(r"\nSubcommands:\n((?:  .*\n)+)", text)
    return re.findall(r"^  ([a-z][a-z0-9-]*)", listed.group(1), re.M) if listed else []


class ManPages(unittest.TestCase):
    def programs(self):
        found = [name[:-2] for name in sorted(os.listdir(PAGES)) if name.endswith(".1")]
        self.assertTrue(found, "no page was built")
        return found

    def page(self, program):
        with open(os.path.join(PAGES, program + ".1"), encoding="utf-8") as file:
            return file.read()

    def test_hold_every_verb_and_option(self):
        for program in self.programs():
            page = self.page(program).replace("\\-", "-")
            texts = [help_of(program)]
            texts += [help_of(program, verb) for verb in verbs_of(texts[0])]
            for text in texts:
                for option in re.findall(r"(?<![\w-])--[a-z][\w-]*", text):
                    self.assertIn(option, page, program)
            for verb in verbs_of(texts[0]):
                self.assertIn(f"\n.SH {verb.upper()}\n", page, program)

    def test_are_read_without_a_warning(self):
        if not shutil.which("groff"):
            self.skipTest("groff is not installed")
        for program in self.programs():
            path = os.path.join(PAGES, program + ".1")
            done = subprocess.run(["groff", "-man", "-Tutf8", "-ww", "-rLL=140n", path], capture_output=True, text=True, timeout=DEADLINE_S)
            self.assertEqual((done.returncode, done.stderr), (0, ""), program)
            self.assertIn("SEE ALSO", re.sub(".\x08", "", done.stdout))


if __name__ == "__main__":
    unittest.main()
