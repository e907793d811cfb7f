import argparse
import contextlib
import io
import os
import unittest

import studio


def frames(p99):
    return {"bench": "pan", "series": 20, "points": 1_000_000, "p50_ms": 5.0, "p99_ms": 9.0, "wall_p50_ms": 5.5, "wall_p99_ms": p99}


def intake(lost=0, dropped=0, drawn=True, most=12.0):
    return {"bench": "ingest", "tasks": 64, "rate": 100, "seconds": 60, "sent": 390_000, "lost": lost, "dropped": dropped, "drawn": drawn,
            "p99_ms": 4.0, "most_ms": 10.0, "wall_p99_ms": 5.0, "wall_most_ms": most}


class StudioTable(unittest.TestCase):
    def setUp(self):
        self.lines = {}
        self.asked = studio.bench
        studio.bench = lambda args, name, *options: self.lines.get((name, options[0] if options else ""))

    def tearDown(self):
        studio.bench = self.asked

    def rows(self, add, *arguments):
        table = studio.Table()
        add(table, argparse.Namespace(), *arguments)
        with contextlib.redirect_stdout(io.StringIO()) as out:
            table.print()
        return [row for row in out.getvalue().splitlines()[3:] if row]

    def test_judges_frames_by_their_slowest_hundredth(self):
        self.lines["monitor_bench", "frames"] = [frames(16.0), frames(17.0)]
        rows = self.rows(studio.add_frames)
        self.assertTrue(rows[0].endswith("| p99 under 16.7 ms | kept |"), rows[0])
        self.assertTrue(rows[1].endswith("| missed |"), rows[1])

    def test_counts_what_was_lost_left_out_or_not_drawn(self):
        for line, verdict in ((intake(), "kept"), (intake(lost=1), "missed"), (intake(dropped=1), "missed"), (intake(drawn=False), "missed"),
                              (intake(most=16.1), "missed")):
            self.lines["monitor_bench", "ingest"] = [line]
            for row in self.rows(studio.add_intake, 60):
                self.assertTrue(row.endswith(f"| {verdict} |"), row)

    def test_leaves_out_what_was_not_built(self):
        self.assertEqual(self.rows(studio.add_filter), [])

    def test_reads_the_memory_of_a_process(self):
        resident, proportional = studio.memory(os.getpid())
        self.assertGreater(resident, 5)
        self.assertGreater(resident, proportional - 0.1)


if __name__ == "__main__":
    unittest.main()
