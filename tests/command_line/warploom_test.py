"""Runs the program and checks what every scene writes.

Import it; it tests nothing by itself. Standard library only.
"""

import argparse
import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from files import read_rows
from oracle import Settings, seal

FOUR = ["bounding_box", "lambda_serial", "lambda_table/unroll", "lambda_shuffle/lookup"]
OTHERS = [["bounding_box", "lambda_serial/unroll", "lambda_serial/lookup", "lambda_table"],
          ["lambda_table/lookup", "lambda_shuffle", "lambda_shuffle/unroll", "bounding_box"]]
OUTPUTS = ("--stats", "s.json", "--dump", "d")
OPTIONS = ("--set", "--scene-file", "--preset", "--backend", "--interop", "--frames", "--steps-per-frame", "--warmup", "--size",
           "--theme", "--capture", "--overlay", "--stats", "--dump", "--seed", "--script", "--tour",
           "--puzzle", "--describe", "--record")


def sets(settings):
    """--set KEY=VALUE of each."""
    values = {key: ",".join(value) if isinstance(value, list) else value for key, value in settings.items()}
    return [word for key, value in values.items() for word in ("--set", f"{key}={value}")]


def in_fours(tracks):
    """As many as run side by side."""
    return [tracks[i:i + 4] for i in range(0, len(tracks), 4)]


def kernel(track, name):
    return next(k for k in track["kernels"] if k["name"] == name)


class Result:
    def __init__(self, words, code, out, err):
        self.words, self.code, self.out, self.err = words, code, out, err

    def __str__(self):
        return f"$ warploom {' '.join(self.words)}\nexit code {self.code}\nstdout: {self.out[:1500]}\nstderr: {self.err[:3000]}"


class ProgramTest(unittest.TestCase):
    """Every test has a fresh working folder, and configuration and session folders beside it."""

    maxDiff = 2000
    scene, backend, given = "fractal", "cpu", {}  # what `refused` and `run_scene` run, and what settings `refused` always gives
    outputs = ("--interop", "none", *OUTPUTS)

    def setUp(self):
        self.base = Path(tempfile.mkdtemp(prefix="warploom-"))
        self.folder = self.base / "work"
        self.folder.mkdir()
        self.addCleanup(shutil.rmtree, self.base, ignore_errors=True)

    def environment(self, **more):
        drop = ("DISPLAY", "WAYLAND_DISPLAY", "NO_COLOR", "CLICOLOR_FORCE")
        env = {k: v for k, v in os.environ.items() if k not in drop}
        env.update(XDG_STATE_HOME=str(self.base / "state"), XDG_CONFIG_HOME=str(self.base / "config"), HOME=str(self.base))
        env.update({k: v for k, v in more.items() if v is not None})
        return env

    def warploom(self, *words, env=None):
        words = [str(w) for w in words]
        try:
            done = subprocess.run(
                [Settings.program, *words], cwd=self.folder, env=env or self.environment(), stdin=subprocess.DEVNULL,
                capture_output=True, timeout=Settings.timeout * (8 if Settings.quick else 1),
            )
        except subprocess.TimeoutExpired:
            raise AssertionError(f"$ warploom {' '.join(words)}\nno end in {Settings.timeout} s") from None
        return Result(words, done.returncode, done.stdout.decode(), done.stderr.decode(errors="replace"))

    def tree(self):
        return {str(p.relative_to(self.folder)): p.stat().st_mtime_ns for p in self.folder.rglob("*")}

    def succeeds(self, *words, silent=True, env=None):
        result = self.warploom(*words, env=env)
        self.assertEqual(result.code, 0, str(result))
        if silent:
            self.assertEqual(result.out, "", f"stdout is for data\n{result}")
        return result

    def fails(self, code, *words, says=(), env=None, says_any=()):
        """The exit code, a message on stderr that holds every one of `says`, nothing on stdout, nothing written."""
        before = self.tree()
        result = self.warploom(*words, env=env)
        self.assertEqual(result.code, code, str(result))
        self.assertEqual(result.out, "", f"stdout is for data\n{result}")
        self.assertTrue(result.err.strip(), f"no message\n{result}")
        for word in says:
            self.assertIn(word.lower(), result.err.lower(), f"the message does not say {word!r}\n{result}")
        if says_any:
            self.assertTrue(any(w.lower() in result.err.lower() for w in says_any), f"none of {says_any} in\n{result}")
        self.assertNotIn("terminate called", result.err, str(result))
        self.assertEqual(self.tree(), before, f"something was written\n{result}")
        return result

    def all_fail(self, *cases):
        """(exit code, command line, what the message says...) each."""
        for code, line, *says in cases:
            with self.subTest(line):
                self.fails(code, *shlex.split(line), says=says)

    def refused(self, *words, code=2, says=(), says_any=(), frames=1, **settings):
        """`run` of the class's scene with outputs asked for: none may appear."""
        return self.fails(code, "run", self.scene, "--backend", self.backend, "--frames", frames, *sets({**self.given, **settings}),
                          *words, *self.outputs, says=says, says_any=says_any)

    def all_refused(self, key, values, says=None, **settings):
        """Each of these values of a parameter; the message names the parameter, or what `says` says."""
        for value in values:
            with self.subTest(**{**settings, key: value}):
                self.refused(says=[key] if says is None else says, **{**settings, key: value})

    def run_scene(self, *words, frames=None, stats="s.json", code=0, **settings):
        """`run` of the class's scene, without OpenGL unless it captures; returns the stats."""
        start = [] if "--scene-file" in words else [self.scene]
        more = [] if "--capture" in words or "--interop" in words else ["--interop", "none"]
        count = [] if frames is None else ["--frames", frames]
        done = self.warploom("run", *start, "--backend", self.backend, *more, *count, *sets(settings), *words, "--stats", stats)
        self.assertEqual((done.code, done.out), (code, ""), str(done))
        return self.json(stats) if stats.endswith(".json") else None

    def json(self, name):
        return json.loads((self.folder / name).read_text(), parse_constant=lambda c: self.fail(f"{name}: {c} is no JSON"))

    def dumped(self, name, folder="d"):
        return read_rows(self.folder / folder / name)

    def dumped_state(self, track=0, folder="d"):
        dtype, _, rows = self.dumped(f"track{track}_state.npy", folder)
        self.assertEqual(dtype, "|u1")
        return rows

    def check_tracks(self, stats, fractal, block, rows=None):
        """Seals, agreement and the closed forms of every track; the seal of `rows` where they are given."""
        seals = {track["seal"] for track in stats["tracks"]}
        self.assertEqual(len(seals), 1, "the tracks' seals differ")
        if rows is not None:
            self.assertEqual(seals, {seal(fractal, rows)}, "the seal is not that of the state")
        for track in stats["tracks"]:
            with self.subTest(track=track["name"], block=block):
                self.assertIs(track["agrees"], True)
                self.assertIsNone(track["diverged_at"])
                launched, useful, wasted = fractal.threads(track["name"], block)
                self.assertEqual(track["threads"], {"launched": launched, "useful": useful, "wasted": wasted})
                launched, useful = fractal.block_counts(track["name"], block)
                self.assertEqual(track["blocks"], {"launched": launched, "useful": useful})
                size = track["grid"][0] * track["grid"][1] * track["grid"][2]
                self.assertEqual(size, launched)
                self.assertEqual(track["launches"], [{"grid": track["grid"], "block": track["block"]}])

    def check_map_blocks(self, fractal, track, name, block, folder="d"):
        dtype, shape, rows = self.dumped(f"track{track}_map_blocks.npy", folder)
        self.assertEqual((dtype, shape[1]), ("<i4", 4))
        launched, useful = fractal.block_counts(name, block)
        self.assertEqual(shape[0], launched)
        self.assertEqual(len({row[:2] for row in rows}), launched, "a block of the grid stands twice")
        origins = [row[2:] for row in rows if row[2:] != (-1, -1)]
        self.assertEqual(len(origins), useful)
        self.assertEqual(set(origins), fractal.useful_origins(block), f"{name}, block {block}")
        if name == "bounding_box":
            height = fractal.block_height(block)
            for w_x, w_y, x, y in rows:
                if (x, y) != (-1, -1):
                    self.assertEqual((x, y), (w_x * block, w_y * height))


def main():
    """--program PATH (or WARPLOOM in the environment), --quick; the rest is unittest's."""
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--program", default=os.environ.get("WARPLOOM"))
    parser.add_argument("--quick", action="store_true", help="fewer sizes, longer time limits: for sanitizer builds")
    parser.add_argument("--timeout", type=float, default=60, help="seconds for one run of the program")
    known, rest = parser.parse_known_args()
    if not known.program:
        sys.exit("which program? --program PATH, or WARPLOOM in the environment")
    Settings.program, Settings.quick, Settings.timeout = os.path.abspath(known.program), known.quick, known.timeout
    unittest.main(module="__main__", argv=[sys.argv[0], *rest])
