"""Habits and files that people bring: signals, words of the command line, names, folders that hold anything."""

import json
import os
import random
import shutil
import signal
import subprocess
import time
from pathlib import Path

from files import write_array, write_mask
from oracle import Settings
from warploom_test import ProgramTest, main, sets

PATTERN = "b2o$2o$bo!\n"  # the R-pentomino: 8 cells after 4 steps on a plane


def listens(process, number):
    """Whether a process takes this signal itself: it blocks it, and reads it from a descriptor."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    blocked = next((int(line.split()[1], 16) for line in lines if line.startswith("SigBlk")), 0)
    return bool(blocked >> number - 1 & 1)


class Field(ProgramTest):
    def setUp(self):
        super().setUp()
        write_mask(self.folder / "full.toml", ["##", "##"])

    def life(self, name, *words, steps=4, **more):
        return self.run_scene("--frames", steps, *words, fractal="full.toml", level=5, tracks="bounding_box",
                              **{"state": name, **more})

    def test_patterns_as_golly_writes_them(self):
        for number, text in enumerate((
                "x = 3, y = 3, rule = 23/3\n", "x = 3, y = 3, rule = S23/B3\n", "x = 3, y = 3, rule = b3s23\n", "#r 23/3\nx = 3, y = 3\n",
                "x = 2, y = 1, rule = B3/S23\n", "\r\nx = 3, y = 3\r\n", "\ufeffx = 3, y = 3\n", "   \n  x = 3, y = 3, rule = B3/S23:P32,32\n")):
            with self.subTest(text):
                (self.folder / "P.RLE").write_text(text + PATTERN, encoding="utf-8", newline="")
                stats = self.life("P.RLE")
                self.assertEqual((stats["results"]["alive_cells"], stats["parameters"]["rule"]), (8, "B3/S23"))
        (self.folder / "other.rle").write_text("#r 23/36\nx = 3, y = 3\n" + PATTERN)
        self.assertEqual(self.life("other.rle")["parameters"]["rule"], "B36/S23")

    def test_bounded_grids_are_obeyed_or_refused(self):
        for grid in ("T8,8", "P8,8", "T32,32", "K8*,8", "C8,8", "S8"):
            with self.subTest(grid):
                (self.folder / "g.rle").write_text(f"x = 3, y = 3, rule = B3/S23:{grid}\n" + PATTERN)
                self.refused("--set", "fractal=full.toml", "--set", "level=5", code=1, state="g.rle", says=[f":{grid}", "dead", "B3/S23"])
                self.assertEqual(self.life("g.rle", rule="B3/S23")["results"]["alive_cells"], 8)

    def test_what_was_left_out_is_told_once(self):
        (self.folder / "small.rle").write_text("x = 2, y = 1\n" + PATTERN)
        done = self.warploom("run", "fractal", "--set", "fractal=full.toml", "--set", "level=5", "--set", "state=small.rle", "--frames", 1)
        self.assertEqual(done.code, 0, str(done))
        self.assertEqual(done.err.count("its header says 2 x 1, its cells fill 3 x 3"), 1, str(done))
        (self.folder / "m.xyz").write_text("3\n\nN 1 2 3\nX 2 2 3\nZn 3 2 3\n")
        done = self.warploom("run", "bins", "--set", "application=cutcp", "--set", "input=m.xyz", "--set", "tracks=compact/bin",
                             "--frames", 1, "--stats", "s.json")
        self.assertEqual(done.code, 0, str(done))
        self.assertEqual(done.err.count("m.xyz: 3 atoms, 2 atoms of other elements than"), 1, str(done))
        self.assertEqual(self.json("s.json")["results"]["atoms_without_charge"], 2)

    def test_names_that_are_no_utf8(self):
        name = b"Stra\xdfe.rle"
        (self.folder / os.fsdecode(name)).write_text("x = 3, y = 3\n" + PATTERN)
        stats = self.life(os.fsdecode(name), "--dump", "d", "--capture", "c.png")
        self.assertEqual(stats["parameters"]["state"], "Stra\ufffde.rle")
        self.assertTrue((self.folder / "c.png").exists() and (self.folder / "d").is_dir())

    def test_large_headers_are_refused_at_once(self):
        (self.folder / "box.rle").write_text("x = 60000, y = 60000, rule = B3/S23\n3o!\n")
        begin = time.monotonic()
        self.refused("--set", "fractal=full.toml", "--set", "level=5", code=1, state="box.rle", says=["60000 x 60000", "32 x 32"])
        self.assertLess(time.monotonic() - begin, 5)

    def test_nothing_in_the_users_folders_stops_the_program(self):
        folder = self.base / "config" / "warploom" / "fractals"
        folder.mkdir(parents=True)
        write_mask(folder / "plus.toml", [".#.", "###", ".#."])
        (folder / "draft.toml").write_text("name = 'half\n")
        (folder / "later.toml").write_text("name = 'a'\nrows = ['##']\ncolour = 1\n")
        (folder / "x.toml").mkdir()
        (folder / "._plus.toml").write_bytes(b"\x00\x05\x16\x07")
        (folder / ".#plus.toml").symlink_to("nowhere")
        presets = folder.parent / "presets"
        presets.mkdir()
        (presets / "mine.toml").write_text("scene = 'bins\n")
        lines = ("draft.toml:1: not TOML", "later.toml:3: unknown key 'colour'", "x.toml: it is a folder", "mine.toml:1: not TOML")
        for scene in ("bins", "fractal"):
            done = self.warploom("run", scene, "--frames", 0)
            self.assertEqual(done.code, 0, str(done))
            for line in lines:
                self.assertEqual(done.err.count(line), 1, str(done))
            self.assertEqual(done.err.count("plus.toml"), 0, str(done))
        listed = self.succeeds("list", "fractals", silent=False)
        self.assertIn("plus", listed.out)
        doctor = self.succeeds("doctor", silent=False)
        for line in lines:
            self.assertIn(line, doctor.out)
        self.fails(1, "run", "fractal", "--set", f"fractal={folder / 'draft.toml'}", "--frames", "0", says=["not TOML"])

    def test_rows_of_the_smallest_numbers_are_right(self):
        """Below 1.2e-38 floats lie evenly: rows of them are right within some steps, and errors beyond that are found."""
        rng = random.Random(3)
        values = [rng.uniform(-1, 1) for _ in range(64)]
        for scale in (1e-38, 1e-40, 1e-42, 3e-45, 1e37):
            write_array(self.folder / "rows.npy", "<f4", (2, 32), [v * scale for v in values])
            systems = [[v * scale * .1, scale, v * scale * .2, v * scale] for v in values]
            write_array(self.folder / "systems.npy", "<f4", (2, 32, 4), [v for row in systems for v in row])
            for algorithm in ("fft", "real_fft", "dct", "scan", "tridiagonal"):
                with self.subTest(algorithm, scale=scale):
                    more = {"operator": "add_float"} if algorithm == "scan" else {}
                    name = "systems.npy" if algorithm == "tridiagonal" else "rows.npy"
                    done = self.warploom("run", "butterfly", *sets({"algorithm": algorithm, "signal": name, **more}), "--frames", 1)
                    self.assertEqual(done.code, 0, str(done))

    def test_rows_lie_in_either_order(self):
        rows = [[float(16 * r + i) for i in range(16)] for r in range(2)]
        for order in (False, True):
            values = [rows[r][i] for i in range(16) for r in range(2)] if order else [v for row in rows for v in row]
            write_array(self.folder / "rows.npy", "<f4", (2, 16), values, fortran=order)
            done = self.warploom("run", "butterfly", "--set", "algorithm=real_fft", "--set", "signal=rows.npy", "--set", "tracks=radix2",
                                 "--frames", 1, "--dump", f"d{order}")
            self.assertEqual(done.code, 0, str(done))
        for name in ("track0_input.npy", "track0_output.npy"):
            self.assertEqual(*((self.folder / f"d{order}" / name).read_bytes() for order in (False, True)))

    def test_words_as_elsewhere(self):
        self.assertEqual(self.succeeds("help", silent=False).out, self.succeeds("--help", silent=False).out)
        for command in ("run", "diff", "doctor"):
            self.assertEqual(self.succeeds("help", command, silent=False).out, self.succeeds(command, "--help", silent=False).out)
        self.fails(2, "help", "rnu", says=["rnu", "did you mean 'run'"])
        (self.folder / "-a.json").write_text("{}")
        self.fails(1, "diff", "--", "-a.json", "-a.json", says=["-a.json", "not a stats file"])
        for name in ("-", "/dev/stdout"):
            done = self.warploom("run", "fractal", "--set", "level=3", "--frames", 4, "--stats", name)
            self.assertEqual((done.code, json.loads(done.out)["steps"]), (0, 4), str(done))
        self.run_scene("--frames", 2, stats="S.JSON", level=3)
        self.assertEqual(self.json("S.JSON")["steps"], 2)
        self.fails(2, "run", "fractal", "--set", "level=3", "--frames", 30, "--warmup", 30, "--stats", "s.json",
                   says=["--warmup 30", "30 frames", "29"])

    def test_signals_end_in_order(self):
        """At random moments: what was done is whole, and the exit code is that of the signal."""
        rng = random.Random(int(os.environ.get("WARPLOOM_FUZZ_SEED", 5)))
        stepped = 0
        for turn in range(int(os.environ.get("WARPLOOM_SIGNALS", 9))):
            number = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)[turn % 3]
            with self.subTest(number.name, turn=turn):
                words = ["run", "fractal", "--set", "level=9", "--frames", "100000", "--stats", "s.json", "--dump", "d"]
                program = subprocess.Popen([Settings.program, *words], cwd=self.folder, env=self.environment(),
                                           stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                while program.poll() is None and not listens(program.pid, number):
                    time.sleep(.01)
                time.sleep(rng.random())
                program.send_signal(number)
                out, err = program.communicate(timeout=60)
                self.assertEqual(program.returncode, 128 + number, err.decode())
                self.assertEqual(out, b"")
                if b"stopped while the tracks were being made" in err:
                    self.assertFalse((self.folder / "s.json").exists() or (self.folder / "d").exists())
                    continue
                self.assertIn(b"stopped after", err)
                stepped += 1
                stats = self.json("s.json")
                self.assertEqual(stats["frames"], stats["steps"])
                # The state is that of so many steps: run anew, it is the same.
                again = self.run_scene("--frames", stats["steps"], stats="again.json", level=9)
                self.assertEqual([t["seal"] for t in again["tracks"]], [t["seal"] for t in stats["tracks"]])
                self.assertTrue((self.folder / "d" / "manifest.json").exists())
                shutil.rmtree(self.folder / "d")
                (self.folder / "s.json").unlink()
        self.assertGreater(stepped, 0)


if __name__ == "__main__":
    main()
