#!/usr/bin/env python3
"""installer/bundle.sh: its bundle has all that it needs but glibc, trains wherever it is unpacked, and is the same each time.

TANDEM_BUILD names the build, TANDEM_SOURCE the tree.
"""

import contextlib
import filecmp
import hashlib
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tarfile
import tempfile
import time
import unittest

BUILD = pathlib.Path(os.environ["TANDEM_BUILD"]).resolve()
SCRIPT = pathlib.Path(os.environ["TANDEM_SOURCE"]).resolve() / "installer" / "bundle.sh"
PROGRAMS = ["tandem-agent", "tandem-cli", "tandem-worker"]
GLIBC = re.compile(r"(ld-linux-[a-z0-9_-]+|lib(c|m|mvec|dl|pthread|rt|resolv|util|anl|nss_[a-z]+))\.so\.\d+$")
FEW_STEPS = ["mnist_mlp", "--set", "fit.epochs=1", "--set", "data.take=640"]
DEADLINE = 120  # seconds, of each program


# NVIDIA's libraries hold two gigabytes, which a test neither packs nor unpacks: --list shows whether they would go in.
def make_bundle(out, build=BUILD):
    return subprocess.run(["bash", SCRIPT, "--build", build, "--without-gpu", out], text=True, capture_output=True, timeout=900)


def list_bundle(*options):
    """The libraries of the bundle: the loader's name to the file and its licence."""
    done = subprocess.run(["bash", SCRIPT, "--build", BUILD, *options, "--list"], text=True, capture_output=True, timeout=DEADLINE)
    if done.returncode != 0 or done.stderr:
        raise AssertionError(f"exit code {done.returncode}: {done.stderr}")
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    return {name: (pathlib.Path(file), licence) for name, file, licence in rows}


@unittest.skipUnless(shutil.which("patchelf"), "patchelf is not installed")
class Bundle(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = pathlib.Path(tempfile.mkdtemp(prefix="tandem-bundle-"))
        cls.addClassCleanup(shutil.rmtree, cls.scratch, ignore_errors=True)
        cls.archive = cls.scratch / "bundle.tar.gz"
        done = make_bundle(cls.archive)
        if done.returncode != 0 or done.stderr:
            raise AssertionError(f"exit code {done.returncode}: {done.stderr}")  # a library without a licence is told there, too
        cls.folder = cls.scratch / "another computer"
        cls.folder.mkdir()
        subprocess.run(["tar", "-xzf", cls.archive, "-C", cls.folder], check=True)

    def setUp(self):
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="home-", dir=self.scratch))
        self.addCleanup(self.end_programs)

    def run_program(self, name, *arguments):
        done = subprocess.run([self.folder / "bin" / name, *arguments], env={"HOME": str(self.home), "PATH": "/nonexistent"}, cwd=self.home,
                              text=True, capture_output=True, timeout=DEADLINE, stdin=subprocess.DEVNULL)
        self.assertEqual(done.returncode, 0, f"{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
        return done.stdout

    def running(self):
        """The programs of the bundle that run: process id to name."""
        found = {}
        for entry in pathlib.Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):  # a process may end while we look
                program = pathlib.Path(os.readlink(entry / "exe"))
                if program.is_relative_to(self.folder):
                    found[int(entry.name)] = program.name
        return found

    def end_programs(self):
        end = time.monotonic() + 20
        while running := self.running():
            late = time.monotonic() > end
            for pid in running:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL if late else signal.SIGTERM)
            time.sleep(0.1)

    def test_programs_find_their_libraries_in_the_bundle(self):
        self.assertEqual(sorted(p.name for p in (self.folder / "bin").iterdir()), PROGRAMS)
        used = set()
        for file in [self.folder / "bin" / name for name in PROGRAMS]:
            told = subprocess.run(["ldd", file], text=True, capture_output=True, check=True).stdout
            self.assertNotIn("not found", told, file.name)
            for name, path in re.findall(r"^\s*(\S+) => (.+) \(0x", told, re.MULTILINE):
                if GLIBC.match(name):
                    self.assertFalse(path.startswith(str(self.folder)), f"{name} is the system's")
                else:
                    self.assertEqual(pathlib.Path(path).resolve().parent, self.folder / "lib", f"{file.name} needs {name}")
                    used.add(name)
        self.assertIn("libstdc++.so.6", used)
        self.assertIn("libgcc_s.so.1", used)
        self.assertEqual(used, {p.name for p in (self.folder / "lib").iterdir()}, "nothing lies there that nobody needs")

    def test_every_path_for_libraries_is_relative_to_its_file(self):
        for file in [*(self.folder / "bin").iterdir(), *(self.folder / "lib").iterdir()]:
            told = subprocess.run(["readelf", "-dW", file], text=True, capture_output=True, check=True).stdout
            paths = re.findall(r"Library (?:rpath|runpath): \[(.*)\]", told)
            if file.parent.name == "bin":
                self.assertEqual(paths, ["$ORIGIN/../lib"], file.name)
            for place in ":".join(paths).split(":") if paths else []:
                self.assertTrue(place.startswith("$ORIGIN"), f"{file.name} looks in {place}")

    def test_is_stripped(self):
        for file in [*(self.folder / "bin").iterdir(), *(self.folder / "lib").iterdir()]:
            told = subprocess.run(["readelf", "-SW", file], text=True, capture_output=True, check=True).stdout
            self.assertNotIn(" .symtab ", told, file.name)
            self.assertNotIn(" .debug_info ", told, file.name)

    def test_has_what_programs_look_for_and_no_more(self):
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), ["bin", "lib", "share"])
        share = self.folder / "share" / "tandem"
        self.assertEqual(sorted(p.name for p in share.iterdir()), ["bundle.json", "bundle.sha256", "datasets", "templates"])
        self.assertEqual({p.suffix for p in (share / "templates").iterdir()}, {".tandem"})
        shipped = BUILD / "share" / "tandem" / "datasets"
        self.assertEqual(sorted(p.name for p in (share / "datasets").iterdir()), sorted(p.name for p in shipped.iterdir()))
        self.assertEqual([p for p in self.folder.rglob("*") if p.is_symlink()], [])

    def test_list_names_what_lies_there(self):
        listed = list_bundle("--without-gpu")
        self.assertEqual(sorted(listed), sorted(p.name for p in (self.folder / "lib").iterdir()))
        for name, (file, licence) in listed.items():
            self.assertTrue(file.is_file(), name)
            self.assertGreater(pathlib.Path(licence).stat().st_size, 500, name)

    @unittest.skipUnless((BUILD / "lib" / "libtandem-cuda.so").exists(), "the build has no back-end for GPUs")
    def test_list_has_what_the_back_end_for_gpus_needs_and_opens(self):
        listed = list_bundle()
        for library in ("libcublasLt", "libcudnn", "libcudnn_graph", "libcudnn_ops", "libnccl", "libnvrtc"):
            self.assertTrue([name for name in listed if name.startswith(f"{library}.so.")], f"{library} in {sorted(listed)}")
        self.assertEqual([name for name, (file, licence) in listed.items() if not file.is_file() or not pathlib.Path(licence).is_file()], [])
        self.assertLess(set(list_bundle("--without-gpu")), set(listed))

    def test_has_the_licence_of_every_library(self):
        licences = self.folder / "share" / "doc"
        for package in ("tandem", "libstdc++6", "libgcc-s1", "libgrpc29", "libcurl4", "nlohmann-json3-dev"):
            self.assertTrue(any(p.stat().st_size > 500 for p in (licences / package).iterdir()), package)
        self.assertGreater((licences / "common-licenses" / "GPL-3").stat().st_size, 30000, "libgcc's licence names it")

    def test_says_what_it_is(self):
        share = self.folder / "share" / "tandem"
        told = json.loads((share / "bundle.json").read_text())
        self.assertEqual(told["version"], self.run_program("tandem-cli", "--version").strip())
        self.assertEqual(told["architecture"], os.uname().machine)
        needed = sum(p.stat().st_size for p in self.folder.rglob("*") if p.is_file())
        self.assertTrue(needed <= told["unpacked_bytes"] <= 2 * needed, told)
        with tarfile.open(self.archive) as archive:
            self.assertEqual(archive.next().name, "share/tandem/bundle.json", "whoever installs it reads that first")
        listed = share / "bundle.sha256"
        self.assertEqual(told["files"], str(listed.relative_to(self.folder)))
        self.assertEqual(told["files_sha256"], hashlib.sha256(listed.read_bytes()).hexdigest())
        names = [line.split("  ", 1)[1] for line in listed.read_text().splitlines()]
        files = [str(p.relative_to(self.folder)) for p in self.folder.rglob("*") if p.is_file()]
        self.assertEqual(names, sorted(set(files) - {"share/tandem/bundle.json", "share/tandem/bundle.sha256"}))
        subprocess.run(["sha256sum", "--check", "--quiet", listed], cwd=self.folder, check=True)

    def test_names_the_oldest_glibc_that_has_all_symbols(self):
        told = json.loads((self.folder / "share" / "tandem" / "bundle.json").read_text())["glibc"]
        needed = set()
        for file in [*(self.folder / "bin").iterdir(), *(self.folder / "lib").iterdir()]:
            versions = subprocess.run(["readelf", "-VW", file], text=True, capture_output=True, check=True).stdout
            needed |= set(re.findall(r"Name: GLIBC_([0-9.]+)", versions))
        self.assertEqual(told, max(needed, key=lambda version: [int(part) for part in version.split(".")]))

    def test_worker_trains_alone(self):
        printed = self.run_program("tandem-worker", *FEW_STEPS, "--out", "out")
        self.assertIn("steps: 5\n", printed)
        self.assertTrue((self.home / "out" / "finished.json").exists())

    def test_command_line_trains_with_its_own_agent(self):
        printed = self.run_program("tandem-cli", "train", *FEW_STEPS, "--workers", "2", "--json", "--out", "out")
        self.assertEqual(json.loads(printed.splitlines()[-1])["state"], "done")
        agents = [pid for pid, name in self.running().items() if name == "tandem-agent"]
        self.assertEqual(len(agents), 1, "it stays for the next run")
        mapped = set(re.findall(r" (/.*\.so[.0-9]*)$", pathlib.Path(f"/proc/{agents[0]}/maps").read_text(), re.MULTILINE))
        self.assertTrue(any(one.startswith(str(self.folder)) for one in mapped))
        self.assertEqual([one for one in mapped if not one.startswith(f"{self.folder}/lib/") and not GLIBC.search(os.path.basename(one))], [])

    def test_has_the_same_bytes_each_time(self):
        again = self.scratch / "again.tar.gz"
        self.assertEqual(make_bundle(again).returncode, 0)
        self.assertTrue(filecmp.cmp(again, self.archive, shallow=False))


@unittest.skipUnless(shutil.which("patchelf"), "patchelf is not installed")
class Refusals(unittest.TestCase):
    """Each is one sentence, and leaves nothing behind."""

    def setUp(self):
        self.scratch = pathlib.Path(tempfile.mkdtemp(prefix="tandem-bundle-"))
        self.addCleanup(shutil.rmtree, self.scratch, ignore_errors=True)
        self.out = self.scratch / "out" / "bundle.tar.gz"
        self.out.parent.mkdir()
        self.build = self.scratch / "build"
        for folder in ("bin", "lib"):
            (self.build / folder).mkdir(parents=True)
        (self.build / "CMakeCache.txt").touch()
        (self.build / "share").symlink_to(BUILD / "share")
        for name in PROGRAMS:
            (self.build / "bin" / name).symlink_to(BUILD / "bin" / name)

    def refused(self, reason, left=()):
        done = make_bundle(self.out, self.build)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertIn(reason, done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertEqual([p.name for p in self.out.parent.iterdir()] if self.out.parent.exists() else [], list(left))

    def break_library(self, file, original):
        """A copy of it in the build that needs a library that nobody has."""
        file.unlink(missing_ok=True)
        shutil.copy(original, file)
        subprocess.run(["patchelf", "--add-needed", "libnowhere.so.1", file], check=True)

    def test_no_build(self):
        self.build = self.scratch / "nothing"
        self.refused(f"there is no build in {self.build}")

    def test_a_program_is_missing(self):
        (self.build / "bin" / "tandem-agent").unlink()
        self.refused("bin/tandem-agent is missing")

    def test_shipped_data_is_missing(self):
        (self.build / "share").unlink()
        self.refused("share/tandem/datasets is missing")

    def test_a_library_of_a_program_is_not_found(self):
        self.break_library(self.build / "bin" / "tandem-cli", BUILD / "bin" / "tandem-cli")
        self.refused("libnowhere.so.1, which")

    def test_a_library_of_a_module_is_not_found(self):
        self.break_library(self.build / "lib" / "libtandem-other.so", self.library_of("tandem-worker", "libfarmhash.so.0"))
        self.refused("libtandem-other.so needs, was not found")

    def library_of(self, program, name):
        told = subprocess.run(["ldd", BUILD / "bin" / program], text=True, capture_output=True, check=True).stdout
        return re.search(rf"{re.escape(name)} => (\S+)", told)[1]

    def test_the_archive_exists(self):
        self.out.write_text("mine")
        self.refused("bundle.tar.gz exists", left=["bundle.tar.gz"])
        self.assertEqual(self.out.read_text(), "mine")

    def test_no_folder_for_the_archive(self):
        self.out.parent.rmdir()
        self.refused("there is no folder")


if __name__ == "__main__":
    unittest.main()
