#!/usr/bin/env python3
"""The man pages hold every line that the programs' --help prints, what they name beside it exists, and groff reads them without a warning."""
import os
import pathlib
import re
import shutil
import subprocess
import unittest

BIN = os.environ["TANDEM_BIN"]
PAGES = os.environ["TANDEM_MAN"]
SOURCE = pathlib.Path(os.environ["TANDEM_SOURCE"])
DEADLINE_S = 120


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
            whole = help_of(program)
            texts = [whole]
            for verb in verbs_of(whole):
                self.assertIn(f"\n.SH {verb.upper()}\n", page, program)
                texts.append(help_of(program, verb))
                for kind in verbs_of(texts[-1]):
                    self.assertIn(f"\n.SS {verb} {kind}\n", page, program)
                    texts.append(help_of(program, verb, kind))
            for text in texts:
                for line in filter(None, (line.strip() for line in text.split("\n"))):
                    if not line.startswith("Usage:"):
                        self.assertIn(line, page.replace("\\&", "").replace("\\e", "\\"), program)

    def test_name_variables_and_files_that_the_sources_know(self):
        sources = "".join(path.read_text(encoding="utf-8") for folder in ("app", "agent", "engine", "ui")
                          for path in (SOURCE / folder).rglob("*.cpp"))
        pages = [path for folder in ("docs/man", "docs/manual") for path in (SOURCE / folder).rglob("*") if path.suffix in (".roff", ".md")]
        self.assertGreater(len(pages), 30)
        for path in pages:
            text = path.read_text(encoding="utf-8").replace("\\-", "-")
            for name in re.findall(r"\b(?:TANDEM|XDG|TF)_[A-Z_]+[A-Z]\b", text):
                known = f'"{name}"' in sources or name == "XDG_CONFIG_HOME"  # which Qt reads
                self.assertTrue(known, f"{path.name}: {name}")
            for name in re.findall(r"tandem/([a-z]+(?:\.[a-z]+)?)\b", text):
                if path.suffix == ".roff" and name != "tandem.conf":
                    self.assertRegex(sources, rf'["/]{re.escape(name)}\b', path.name)

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
