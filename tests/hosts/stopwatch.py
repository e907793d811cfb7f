"""How long something has taken, and whether the machine had the time for it: what is promised within seconds is promised of a quiet machine."""
import os
import pathlib
import time

PRESSURE = pathlib.Path("/proc/pressure")
MOST_WAITING = 0.1  # of the time, on a machine that is called quiet


def waited():
    """Seconds in which some process of this machine waited for a processor, a disk or memory, since it was started; 0 where nobody counts."""
    total = 0
    for kind in ("cpu", "io", "memory"):
        try:
            some = (PRESSURE / kind).read_text().splitlines()[0]
        except OSError:
            continue
        total += int(some.rpartition("total=")[2])
    return total / 1e6


def is_loaded():
    return os.getloadavg()[0] > (os.cpu_count() or 1)


class Stopwatch:
    def __init__(self):
        self.was_loaded, self.waited, self.began = is_loaded(), waited(), time.monotonic()

    def seconds(self):
        return time.monotonic() - self.began

    def was_busy(self):
        """Whether the machine had other things to do meanwhile. An average of a minute alone would not tell of the seconds that were measured."""
        return self.was_loaded or is_loaded() or waited() - self.waited > MOST_WAITING * self.seconds()

    def expect(self, seconds, what):
        """An AssertionError where it took longer, unless the machine was busy: then it has come, and that is all that is asked."""
        took = self.seconds()
        if took > seconds and not self.was_busy():
            raise AssertionError(f"{what} took {took:.1f} s on a machine that was not busy, expected at most {seconds:.1f} s")
