#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The manual's chapter of errors is the table's, in every language, and what a code says leads to headings that are there.

    TANDEM_BIN=build/release/bin TANDEM_SOURCE=. python3 tests/app/error_codes_test.py
"""
import json
import os
import pathlib
import re
import subprocess
import unittest
import xml.etree.ElementTree

BIN = pathlib.Path(os.environ["TANDEM_BIN"]).resolve()
SOURCE = pathlib.Path(os.environ["TANDEM_SOURCE"]).resolve()
MANUAL = SOURCE / "docs" / "manual"
LANGUAGES = ["en", "ko", "zh_CN"]


def explain(*options):
    return subprocess.run([BIN / "tandem-cli", "explain", *options], check=True, capture_output=True, text=True, timeout=120).stdout


class ErrorCodes(unittest.TestCase):
    def test_the_chapter_is_made_of_the_table(self):
        for language in LANGUAGES:
            with self.subTest(language):
                self.assertEqual((MANUAL / language / "errors.md").read_text(), explain("--markdown", "--language", language),
                                 "tandem-cli explain --markdown --language LANGUAGE writes it")

    def test_every_place_is_in_the_manual(self):
        rows = [json.loads(line) for line in explain("--json", "--language", "en").splitlines()]
        self.assertGreater(len(rows), 90)
        for row in rows:
            for place in (row["manual"], row["tutorial"]):
                if not place:
                    continue
                chapter, heading = place.split(", ", 1)
                headings = re.findall(r"^#+ (.*)$", (MANUAL / "en" / chapter).read_text(), re.MULTILINE)
                self.assertIn(heading, headings, f"{row['code']}: {chapter}")

    def test_korean_has_one_form_of_address(self):
        """Sentences end in -니다, -니까 or -십시오, in the window as in the manual; titles are nouns."""
        other = re.compile(r"(세요|해요|어요|아요|여요|예요|에요|네요|군요|지요|죠|돼요|나요|가요|까요)(?=[.!?)\s,;:]|$)|(?<!니)다\.(?=\s|$)", re.MULTILINE)
        texts = {}
        for row in map(json.loads, explain("--json", "--language", "ko").splitlines()):
            texts[row["code"]] = f"{row['cause']}\n{row['fix']}"
        for page in (MANUAL / "ko").glob("*.md"):
            texts[page.name] = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
        for message in xml.etree.ElementTree.parse(SOURCE / "resources" / "translations" / "tandem_ko.ts").iter("message"):
            texts[message.findtext("source")] = "\n".join(message.find("translation").itertext())
        self.assertGreater(len(texts), 3000)
        for name, text in texts.items():
            found = other.search(text)
            self.assertIsNone(found, f"{name}: {text[max(0, found.start() - 30):found.end()] if found else ''}")

    def test_it_speaks_the_language_of_the_terminal(self):
        for variable, title in (("ko_KR.UTF-8", "두 태스크의 주소가 같음"), ("zh_CN.UTF-8", "两个任务地址相同"), ("C.UTF-8", "Two tasks have one address")):
            env = {**os.environ, "LC_ALL": variable}
            done = subprocess.run([BIN / "tandem-cli", "explain", "TDM-C001"], env=env, check=True, capture_output=True, text=True, timeout=120)
            self.assertIn(title, done.stdout)


if __name__ == "__main__":
    unittest.main()
