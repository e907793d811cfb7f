"""`tandem --export`: the charts and the report of a run without a window, in the user's language, read by other programs."""
import re
import subprocess
import unicodedata
import unittest
import xml.etree.ElementTree as ElementTree

from programs import BIN, ProgramTest

LOSS = {"en": "Loss", "ko": "손실", "zh_CN": "损失"}
SETTINGS = {"en": "Settings", "ko": "설정", "zh_CN": "设置"}


@unittest.skipUnless((BIN / "tandem").exists(), "built without the studio")
class PictureExport(ProgramTest):
    def export(self, *arguments, expect=0):
        done = subprocess.run([BIN / "tandem", *map(str, arguments)], env=self.env, cwd=self.home, text=True, capture_output=True, timeout=120,
                              stdin=subprocess.DEVNULL, check=False)
        self.assertEqual(done.returncode, expect, f"{arguments}\n{done.stdout}\n{done.stderr}")
        return done.stdout.split() if expect == 0 else done.stderr

    def pdf_text(self, path):
        text = subprocess.run(["pdftotext", "-layout", path, "-"], text=True, capture_output=True, check=True).stdout
        return unicodedata.normalize("NFKC", text)  # Qt names a Han sign by its radical where a font draws both with one glyph

    def test_speaks_the_language_and_opens_elsewhere(self):
        self.train(self.project("mnist_mlp", name="실험 一", fit__epochs=2, data__take=1280))
        for language, loss in LOSS.items():
            with self.subTest(language):
                out = self.home / language
                [svg] = self.export("--export", "charts", "--format", "svg", "--language", language, "--out", out)
                words = "".join(ElementTree.parse(svg).getroot().itertext())
                self.assertIn(loss, words)
                [report] = self.export("--export", "report", "--language", language, "--out", out)
                text = self.pdf_text(report)
                self.assertIn(loss, text)
                self.assertIn("실험 一", text)
                self.assertIn(SETTINGS[language], text)
                [page] = self.export("--export", "report", "--format", "html", "--language", language, "--out", out)
                html = ElementTree.parse(page).getroot()
                self.assertEqual(html.get("lang"), language.replace("_", "-"))
                heads = [head.text for head in html.iter("{http://www.w3.org/1999/xhtml}h2")]
                self.assertIn(SETTINGS[language], heads)
                self.assertRegex(text, r"(?m)^ *steps +20 *$")
                fonts = subprocess.run(["pdffonts", report], text=True, capture_output=True, check=True).stdout.splitlines()[2:]
                self.assertTrue(fonts)
                for font in fonts:
                    self.assertRegex(font, r" yes (yes|no ) ?(yes|no )", "embedded")
                if language == "zh_CN":
                    self.assertTrue(any("sc-" in font.lower() for font in fonts), fonts)
        pictures = self.export("--export", "charts", "--split", "--size", "640x400", "--out", self.home / "split")
        self.assertGreaterEqual(len(pictures), 4)
        for picture in pictures:
            with open(picture, "rb") as file:
                self.assertEqual(file.read(8), b"\x89PNG\r\n\x1a\n")

    def test_refuses_what_it_cannot_do(self):
        self.assertIn("--run: no run's id begins with", self.export("--export", "charts", "--run", "nosuch", expect=1))
        for arguments, words in (((), "--export: expected charts or report, got poster"), (("--size", "9x9"), "--size: expected"),
                                 (("--format", "bmp"), "--format: expected png, svg or pdf, got bmp")):
            what = "charts" if arguments else "poster"
            self.assertRegex(self.export("--export", what, *arguments, expect=2), re.escape(words))


if __name__ == "__main__":
    unittest.main()
