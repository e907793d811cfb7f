"""What the window's program leaves behind when a signal ends it: nothing, or what the next start removes."""
import pathlib
import re
import signal
import unittest

from programs import ProgramTest, wait_for


class StudioSignals(ProgramTest):
    def setUp(self):
        super().setUp()
        self.temporary = self.home / "tmp"
        self.temporary.mkdir()
        self.env.update(TMPDIR=str(self.temporary), QT_QPA_PLATFORM="offscreen")
        self.studios = []

    def tearDown(self):
        for studio in self.studios:
            if studio.poll() is None:
                studio.kill()
            studio.communicate()
        super().tearDown()

    def folders(self):
        return sorted((self.home / "run" / "tandem").glob("studio-*"))

    def left_behind(self):
        return [*self.folders(), *self.temporary.glob("tandem-*")]

    def open_studio(self, **options):
        """A studio with its window, once it has written the pictures of its theme."""
        before = set(self.folders())
        studio = self.start("tandem", "--theme", "light", **options)
        self.studios.append(studio)

        def folder():
            self.assertIsNone(studio.poll(), "the studio has ended")
            return [one for one in self.folders() if one not in before and (one / "light" / "chevron-right.svg").exists()]
        return studio, wait_for(folder, "the pictures of the theme")[0]

    def test_a_signal_leaves_no_folder(self):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            with self.subTest(number.name):
                studio, folder = self.open_studio(preexec_fn=lambda number=number: signal.signal(number, signal.SIG_DFL))
                studio.send_signal(number)
                self.assertEqual(studio.wait(300), -number, "ended by the signal, as whoever sent it sees")
                self.assertFalse(folder.exists())
                self.assertEqual(self.left_behind(), [])

    def test_what_a_killed_one_left_goes_at_the_next_start_and_a_living_one_keeps_its_own(self):
        living, own = self.open_studio()
        killed, left = self.open_studio()
        killed.kill()
        killed.wait(300)
        self.assertTrue(left.exists(), "nobody could remove it")
        _, third = self.open_studio()
        self.assertFalse(left.exists())
        self.assertTrue((own / "light" / "chevron-right.svg").exists())
        self.assertIsNone(living.poll())
        self.assertEqual(self.left_behind(), sorted([own, third]))

    def test_an_ignored_hangup_stays_ignored(self):
        studio, folder = self.open_studio(preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        ignored = int(re.search(r"^SigIgn:\s*(\w+)", pathlib.Path(f"/proc/{studio.pid}/status").read_text(), re.MULTILINE)[1], 16)
        self.assertTrue(ignored & (1 << (signal.SIGHUP - 1)))
        studio.send_signal(signal.SIGTERM)
        self.assertEqual(studio.wait(300), -signal.SIGTERM)
        self.assertFalse(folder.exists())


if __name__ == "__main__":
    unittest.main()
