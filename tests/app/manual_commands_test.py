#!/usr/bin/env python3
"""Every command line in the manual is one that its program takes, and prints what the manual says it prints.

With --write it fills in the outputs of all languages anew; with --runs those of training as well (an agent of its own, a minute or two):
    TANDEM_BIN=build/release/bin TANDEM_SOURCE=. python3 tests/app/manual_commands_test.py --write --runs
"""
import contextlib
import functools
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

BIN = pathlib.Path(os.environ["TANDEM_BIN"]).resolve()
MANUAL = pathlib.Path(os.environ["TANDEM_SOURCE"]).resolve() / "docs" / "manual"
LANGUAGES = ["en", "ko", "zh_CN"]
PROGRAMS = ["tandem", "tandem-agent", "tandem-cli", "tandem-worker"]
DEADLINE_S = 120
KEPT_LINES = 18  # of a long output; the rest is an ellipsis
# Verbs whose output is the same on every computer. The others are written by --write --runs alone.
SAME_EVERYWHERE = {"templates", "explain", "summary", "import", "shards", "check", "strategies", "data", "placement", "export code", "export tf-config"}
NOT_RUN = {"watch", "stop", "chaos"}


# ---- what the manual says -----------------------------------------------------------------------------------------------------------

def chapters(language):
    return sorted((MANUAL / language).glob("*.md"))


def fences(text):
    """(info string, lines, first line's number) of every fenced block."""
    info, lines, start = None, [], 0
    for number, line in enumerate(text.split("\n")):
        if not line.startswith("```"):
            lines.append(line)
        elif info is None:
            info, lines, start = line[3:].strip(), [], number + 1
        else:
            yield info, lines, start
            info, lines = None, []


def dialogue(lines):
    """[(command, output lines)] of a console block."""
    out = []
    for line in lines:
        if line.startswith("$ "):
            out.append((line[2:], []))
        elif out:
            out[-1][1].append(line)
    return out


def command_lines(text):
    """Lines of the shell, in blocks and inside sentences, that name one of our programs."""
    found = []
    for info, lines, _ in fences(text):
        if info == "sh":
            found += lines
        elif info == "console":
            found += [command for command, _ in dialogue(lines)]
    outside = re.sub(r"```.*?```", "", text, flags=re.S)
    found += [span for span in re.findall(r"`([^`\n]+)`", outside) if span.split()[0] in PROGRAMS and " " in span]
    return found


def our_call(line):
    """[program, arguments…], without environment in front; None when the line calls none of our programs."""
    words = shlex.split(line)
    while words and (re.match(r"^[A-Z_]+=", words[0]) or words[0] == "export"):
        words.pop(0)
    return words if words and words[0] in PROGRAMS else None


# ---- what the programs take ---------------------------------------------------------------------------------------------------------

@functools.lru_cache(maxsize=None)
def help_of(*words):
    done = subprocess.run([BIN / words[0], *words[1:], "--help"], capture_output=True, text=True, timeout=DEADLINE_S, check=True,
                          env=dict(os.environ, QT_QPA_PLATFORM="offscreen", COLUMNS="200"))
    return done.stdout


def verbs_of(*words):
    listed = re.search(r"\nSubcommands:\n((?:  .*\n)+)", help_of(*words))
    return re.findall(r"^  ([a-z][a-z0-9-]*)", listed.group(1), re.M) if listed else []


def options_of(*words):
    """{option: None for a flag, else a set of its values, empty where any text is taken}."""
    options = {}
    for line in help_of(*words).split("\n"):
        found = re.match(r"^  (?:-\w, ?)?(--[a-z][\w-]*)( <\w+>| (?:TEXT|INT|UINT|FLOAT|ENUM)\S*.*)?", line)
        if found:
            values = re.search(r":(?:value in )?\{([^}]*)\}", found.group(2) or "")
            names = {one.split("->")[0] for one in values.group(1).split(",")} if values else set()
            options[found.group(1)] = None if found.group(2) is None else names
    return options


def positionals_of(*words):
    """(least, most) arguments without a name."""
    usage = re.search(r"Usage: .*", help_of(*words)).group(0)
    names = re.findall(r"(\[)?\b([A-Z]{3,})\b\]?", usage.split("[OPTIONS]")[-1] if "[OPTIONS]" in usage else usage)
    names = [(optional, name) for optional, name in names if name not in ("OPTIONS", "SUBCOMMAND")]
    least = sum(1 for optional, name in names if not optional and re.search(rf"^  {name} .*REQUIRED", help_of(*words), re.M))
    return least, 1000 if "..." in usage else len(names)


def problem_of(call):
    """Why the program would refuse these words; empty when it takes them."""
    words, rest = [call[0]], list(call[1:])
    while rest and rest[0] in verbs_of(*words):
        words.append(rest.pop(0))
    if call[0] == "tandem-cli" and len(words) < 2:
        return f"no verb in {call}"
    options, given = options_of(*words), []
    while rest:
        word = rest.pop(0)
        if not word.startswith("--"):
            given.append(word)
            continue
        name, _, value = word.partition("=")
        if name in ("--help", "--version"):
            continue
        if name not in options:
            return f"{' '.join(words)} has no option {name}"
        if options[name] is not None:
            if not value and not rest:
                return f"{name} needs a value"
            value = value or rest.pop(0)
            if options[name] and value not in options[name]:
                return f"{name} takes one of {sorted(options[name])}, not {value}"
    least, most = positionals_of(*words)
    return "" if least <= len(given) <= most else f"{' '.join(words)} takes {least} to {most} arguments, not {given}"


# ---- what the programs print --------------------------------------------------------------------------------------------------------

class Home:
    """A folder in which a chapter's commands run, with an agent of its own where one is needed."""

    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tandem-manual-"))
        self.work = self.folder / "work"
        self.work.mkdir()
        (self.folder / "run").mkdir(mode=0o700)
        self.env = dict(os.environ, HOME=str(self.folder), XDG_RUNTIME_DIR=str(self.folder / "run"), TANDEM_MANUAL=self.folder.name,
                        PATH=f"{BIN}:{os.environ['PATH']}", QT_QPA_PLATFORM="offscreen")
        for name in ("XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "TF_CONFIG", "TANDEM_RUNS_DIR"):
            self.env.pop(name, None)

    def __enter__(self):
        return self

    def agents(self):
        for entry in pathlib.Path("/proc").iterdir():
            with contextlib.suppress(OSError):
                if entry.name.isdigit() and os.path.basename(os.readlink(entry / "exe")) == "tandem-agent":
                    if f"TANDEM_MANUAL={self.folder.name}".encode() in (entry / "environ").read_bytes():
                        yield int(entry.name)

    def __exit__(self, *_):
        for pid in list(self.agents()):
            os.kill(pid, signal.SIGTERM)
        end = time.monotonic() + 120
        while list(self.agents()) and time.monotonic() < end:
            time.sleep(0.05)
        shutil.rmtree(self.folder, ignore_errors=True)

    def run(self, command):
        done = subprocess.run(["bash", "-c", command], cwd=self.work, env=self.env, text=True, timeout=600, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return [line.rstrip().replace(str(self.work), "~/lab") for line in done.stdout.rstrip("\n").split("\n")] if done.stdout else []


def verb_of(command):
    call = our_call(command)
    return " ".join(call[1:3]) if call[1:2] == ["export"] else call[1]


def same(expected, printed):
    """Line by line; a line that is an ellipsis stands for any number of lines."""
    pattern = "\n".join(".*" if line == "…" else re.escape(line) for line in expected)
    return re.fullmatch(pattern, "\n".join(printed), re.S) is not None


def shortened(lines):
    return lines if len(lines) <= KEPT_LINES else lines[:KEPT_LINES - 8] + ["…"]


def replay(text, home, verbs):
    """(command, expected, printed) of every command of the chapter whose verb is one of `verbs`, run in order; files of the chapter exist."""
    for info, lines, _ in fences(text):
        if len(info.split()) == 2:
            (home.work / info.split()[1]).write_text("\n".join(lines) + "\n")
        for command, output in dialogue(lines) if info == "console" else []:
            if verbs is None or verb_of(command) in verbs:
                yield command, output, [] if verb_of(command) in NOT_RUN else home.run(command)


class ManualCommands(unittest.TestCase):
    maxDiff = None

    def test_are_lines_that_the_programs_take(self):
        for language in LANGUAGES:
            count = 0
            for chapter in chapters(language):
                for line in command_lines(chapter.read_text(encoding="utf-8")):
                    call = our_call(line)
                    count += call is not None
                    if call:
                        self.assertEqual(problem_of(call), "", f"{language}/{chapter.name}: {line}")
            self.assertGreater(count, 30, language)

    def test_refuse_what_the_programs_refuse(self):
        for line in ["tandem-cli trane mnist_mlp", "tandem-cli train", "tandem-cli train a b", "tandem-cli train a --wurkers 2",
                     "tandem-cli export data --format pdf", "tandem-cli runs --json 3", "tandem --theme", "tandem-worker a.tandem --port 1"]:
            self.assertNotEqual(problem_of(our_call(line)), "", line)

    def test_name_every_verb(self):
        for language in LANGUAGES:
            text = "".join(chapter.read_text(encoding="utf-8") for chapter in chapters(language))
            for verb in verbs_of("tandem-cli"):
                self.assertRegex(text, rf"tandem-cli {verb}\b", language)
            for verb in verbs_of("tandem-cli", "export"):
                self.assertRegex(text, rf"tandem-cli export {verb}\b", language)

    def test_print_what_the_manual_says(self):
        count = 0
        for chapter in chapters("en"):
            with Home() as home:
                for command, expected, printed in replay(chapter.read_text(encoding="utf-8"), home, SAME_EVERYWHERE):
                    count += 1
                    if not same(expected, printed):
                        self.assertEqual("\n".join(expected), "\n".join(printed), f"{chapter.name}: {command}")
        self.assertGreater(count, 8)

    def test_are_the_same_in_every_language(self):
        for chapter in chapters("en"):
            blocks = list(fences(chapter.read_text(encoding="utf-8")))
            for language in LANGUAGES:
                other = list(fences((MANUAL / language / chapter.name).read_text(encoding="utf-8")))
                self.assertEqual([(i, l) for i, l, _ in blocks], [(i, l) for i, l, _ in other], f"{language}/{chapter.name}")


def write(verbs):
    """Outputs of the English chapters anew, then the same blocks into the other languages."""
    for chapter in chapters("en"):
        text = chapter.read_text(encoding="utf-8")
        with Home() as home:
            printed = {command: shortened(lines) for command, _, lines in replay(text, home, verbs)}
        blocks = []
        for info, lines, _ in fences(text):
            if info == "console":
                lines = [line for command, kept in dialogue(lines) for line in ["$ " + command, *printed.get(command, kept)]]
            blocks.append("\n".join(["```" + info, *lines, "```"]))
        for language in LANGUAGES:
            path = MANUAL / language / chapter.name
            rest = iter(blocks)
            path.write_text(re.sub(r"^```.*?^```$", lambda _: next(rest), path.read_text(encoding="utf-8"), flags=re.S | re.M),
                            encoding="utf-8")


if __name__ == "__main__":
    if "--write" in sys.argv:
        write(None if "--runs" in sys.argv else SAME_EVERYWHERE)
    else:
        unittest.main()
