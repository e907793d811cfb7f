#!/usr/bin/env python3
"""The Debian packages of a build hold what programs and desktops look for, name what they need, and pass Debian's own checks.

TANDEM_BUILD names the build, TANDEM_CPACK the program that makes the packages.
"""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

BUILD = pathlib.Path(os.environ["TANDEM_BUILD"]).resolve()
MODULES = ["tandem-cuda", "tandem-mpi"]  # each a library that the worker opens when a project asks for it
DEADLINE = 900  # seconds; packing takes minutes on a loaded machine
SHELLS = {"bash": ("usr/share/bash-completion/completions/tandem-cli", ["-n"]),
          "zsh": ("usr/share/zsh/vendor-completions/_tandem-cli", ["-n"]),
          "fish": ("usr/share/fish/vendor_completions.d/tandem-cli.fish", ["--no-execute"])}


def told(*command, **options):
    done = subprocess.run([str(word) for word in command], text=True, capture_output=True, timeout=DEADLINE, stdin=subprocess.DEVNULL, **options)
    if done.returncode != 0:
        raise AssertionError(f"{command[0]}: exit code {done.returncode}: {done.stdout[-3000:]}\n{done.stderr[-3000:]}")
    return done.stdout


def needs(program):
    return unittest.skipUnless(shutil.which(program), f"{program} is not installed")


@needs("dpkg-deb")
@needs("dpkg-shlibdeps")
@needs("file")  # by which CPack knows what is a program
class Packages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = pathlib.Path(tempfile.mkdtemp(prefix="tandem-packages-"))
        cls.addClassCleanup(shutil.rmtree, cls.scratch, ignore_errors=True)
        told(os.environ["TANDEM_CPACK"], "-B", cls.scratch / "out", "-D", "CPACK_DEBIAN_COMPRESSION_TYPE=gzip", cwd=BUILD)
        cls.packages = {file.name.split("_")[0]: file for file in (cls.scratch / "out").glob("*.deb")}
        cls.trees = {}
        (cls.scratch / "trees").mkdir()
        for name, file in cls.packages.items():
            cls.trees[name] = cls.scratch / "trees" / name
            told("dpkg-deb", "-x", file, cls.trees[name])

    def field(self, package, name):
        return told("dpkg-deb", "-f", self.packages[package], name).strip()

    def tree(self, package):
        if package not in self.trees:
            self.skipTest(f"this build has no {package}")
        return self.trees[package]

    def test_there_is_one_for_each_part_that_was_built(self):
        wanted = {"libtandem-dev"}
        for package, file in [("tandem-agent", "bin/tandem-agent"), ("tandem", "bin/tandem"),
                              *((package, f"lib/lib{package}.so") for package in MODULES)]:
            if (BUILD / file).exists():
                wanted.add(package)
        self.assertEqual(set(self.packages), wanted)

    def test_programs_find_what_they_look_for_beside_themselves(self):
        usr = self.tree("tandem-agent") / "usr"
        for file in ["bin/tandem-agent", "bin/tandem-worker", "bin/tandem-cli", "share/tandem/datasets/mnist/train-images-idx3-ubyte.gz",
                     "share/tandem/templates/mnist_mlp.tandem", "lib/systemd/user/tandem-agent.service", "share/man/man1/tandem-cli.1.gz"]:
            self.assertTrue((usr / file).is_file() and not (usr / file).is_symlink(), file)
        home = self.scratch / "home"
        home.mkdir(exist_ok=True)
        done = told(usr / "bin" / "tandem-cli", "templates", env={"HOME": str(home), "PATH": "/nonexistent"})
        self.assertIn("mnist_mlp", done)

    def test_modules_lie_where_the_worker_looks(self):
        for package in MODULES:
            with self.subTest(package):
                found = [str(file.relative_to(self.tree(package))) for file in self.tree(package).rglob("*.so")]
                self.assertEqual(len(found), 1)
                self.assertRegex(found[0], rf"^usr/lib(/[a-z0-9_]+-linux-gnu)?/tandem/lib{package}\.so$")

    def test_the_studio_is_in_menus_and_opens_projects(self):
        share = self.tree("tandem") / "usr" / "share"
        for file in ["icons/hicolor/scalable/apps/tandem.svg", "icons/hicolor/scalable/mimetypes/tandem-project.svg",
                     "mime/packages/tandem.xml", "tandem/manual/en/index.md", "tandem/manual/ko/index.md", "tandem/manual/zh_CN/index.md"]:
            self.assertTrue((share / file).is_file(), file)
        entry = (share / "applications/tandem.desktop").read_text(encoding="utf-8")
        kinds = re.search(r"^MimeType=(.*);$", entry, re.M).group(1).split(";")
        self.assertEqual(len(kinds), 2, "projects and archives of runs")
        for kind in kinds:
            self.assertIn(f'<mime-type type="{kind}">', (share / "mime/packages/tandem.xml").read_text(encoding="utf-8"))

    def test_programs_are_stripped_and_name_no_folder_of_the_build(self):
        for package in self.packages:
            for file in self.trees[package].rglob("*"):
                if not file.is_file() or file.is_symlink() or file.read_bytes()[:4] != b"\x7fELF":
                    continue
                self.assertNotIn(" .symtab ", told("readelf", "-SW", file), file.name)
                self.assertNotRegex(told("readelf", "-dW", file), r"R(UN)?PATH", file.name)

    def test_each_names_what_it_needs_in_the_same_version(self):
        for package in self.packages:
            self.assertTrue(self.field(package, "Description").count("\n") >= 2, package)
            self.assertEqual(self.field(package, "Priority"), "optional")
        self.tree("tandem-agent")
        version = self.field("tandem-agent", "Version")
        self.assertRegex(self.field("tandem-agent", "Depends"), r"libgrpc\+\+1.*libstdc\+\+6")
        for package in {"tandem", *MODULES} & set(self.packages):
            self.assertIn(f"tandem-agent (= {version})", self.field(package, "Depends"))
        if "tandem-mpi" in self.packages:
            self.assertRegex(self.field("tandem-mpi", "Depends"), r"libopenmpi")

    def test_have_licences_and_changes_but_no_scripts_and_nothing_outside_usr(self):
        for package, file in self.packages.items():
            tree = self.trees[package]
            self.assertEqual([entry.name for entry in tree.iterdir()], ["usr"], package)
            for name in ["copyright", "changelog.gz", "changelog.Debian.gz"]:
                self.assertTrue((tree / "usr/share/doc" / package / name).is_file(), f"{package}: {name}")
            control = self.scratch / "control" / package
            control.parent.mkdir(exist_ok=True)
            told("dpkg-deb", "-e", file, control)
            # CPack runs ldconfig for a module in /usr/lib/tandem; a build for /usr has it in a folder of its architecture, without that.
            known = {"control", "md5sums"} | ({"postinst", "postrm"} if package in MODULES else set())
            self.assertLessEqual({entry.name for entry in control.iterdir()}, known, package)

    @needs("man")
    def test_man_pages_are_read_without_a_warning(self):
        for package in {"tandem", "tandem-agent"} & set(self.packages):
            for page in self.trees[package].rglob("*.1.gz"):
                done = subprocess.run(["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", page], text=True, capture_output=True,
                                      timeout=DEADLINE, env={**os.environ, "MANROFFSEQ": "", "MANWIDTH": "140"})
                self.assertEqual((done.returncode, done.stderr), (0, ""), page.name)

    def test_shells_read_the_completions(self):
        for shell, (file, only_read) in SHELLS.items():
            script = self.tree("tandem-agent") / file
            self.assertTrue(script.is_file(), file)
            with self.subTest(shell):
                if not shutil.which(shell):
                    self.skipTest(f"{shell} is not installed")
                told(shell, *only_read, script)

    def test_bash_completes_verbs_options_values_and_projects(self):
        script = self.tree("tandem-agent") / SHELLS["bash"][0]

        def completed(*words):
            line = " ".join(f"'{word}'" for word in words)
            code = (f"source '{script}'; compopt() {{ :; }}; COMP_WORDS=(tandem-cli {line}); COMP_CWORD={len(words)}; _tandem_cli; "
                    'printf "%s\\n" "${COMPREPLY[@]}"')
            path = f"{self.trees['tandem-agent'] / 'usr/bin'}:{os.environ['PATH']}"
            return told("bash", "-c", code, env={**os.environ, "PATH": path}, cwd=self.scratch).split()

        self.assertEqual(completed("tra"), ["train"])
        self.assertEqual(completed("export", "tf"), ["tf-config"])
        self.assertEqual(completed("train", "--over"), ["--overwrite"])
        self.assertEqual(completed("train", "--transport", "g"), ["grpc"])
        self.assertEqual(completed("train", "mnist_ml"), ["mnist_mlp"])

    @needs("desktop-file-validate")
    def test_the_menu_entry_is_valid(self):
        self.assertEqual(told("desktop-file-validate", self.tree("tandem") / "usr/share/applications/tandem.desktop"), "")

    @needs("appstreamcli")
    def test_what_software_centres_read_is_valid(self):
        told("appstreamcli", "validate", "--no-net", *(self.tree("tandem") / "usr/share/metainfo").iterdir())

    @needs("lintian")
    def test_lintian_finds_no_error(self):
        told("lintian", "--fail-on", "error", "--allow-root", *self.packages.values())


if __name__ == "__main__":
    unittest.main()
