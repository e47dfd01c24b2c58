"""Every way to place and to keep the cells of a fractal, against an independent simulation; the papers' figures.

WARPLOOM_FULL=1 takes every mask, level, rule, seed and density that the issue names: hours."""

import csv
import json
import os

from files import png_size, write_mask
from oracle import FRACTALS, Fractal, Life, Settings, seal
from warploom_test import ProgramTest, main

FULL = bool(os.environ.get("WARPLOOM_FULL"))
OWN = {"seven": ["#######", "#.....#", "#.###.#", "#.#.#.#", "#.###.#", "#.....#", "#######"],
       "comb": ["#.#.#.##"],
       "pieces": ["##..", "##..", "...#"]}
RANDOM = [(seed, density) for seed in (1, 2, 3) for density in (.1, .5, 1)]
RULES = ["B3/S23", "B2/S23", "B36/S125", "B1357/S02468", "B0123/S45"]
TRACKS = ["bounding_box", "bounding_box_walk", "lambda_serial", "lambda_table/lookup", "lambda_shuffle/unroll",
          "lambda_table/rows", "lambda_serial/rows", "lambda_tensor_1", "lambda_tensor_2/unroll", "lambda_tensor_3/lookup",
          "lambda_tensor_8bit", "lambda_table/lookup/compact", "bounding_box/compact", "compact", "compact_tensor", "sliced"]


class Agreement(ProgramTest):
    """After many steps, some at once, every track has the state, the seal and the live cells of the simulation."""

    def check(self, name, rows, level, rule, seed, density, steps):
        fractal = Fractal(rows, level)
        expected = Life(fractal, rule).randomise(seed, density).step(steps).rows()
        mask = name
        if name in OWN:
            write_mask(self.folder / f"{name}.toml", rows)
            mask = f"{name}.toml"
        # Tensor cores want whole warps.
        copies = sum(row.count("#") for row in rows)
        wide = [block for block in fractal.blocks() if copies ** fractal.digits(block) >= 32]
        tracks = [t for t in TRACKS if wide or "lambda_tensor" not in t]
        block = min(wide) if wide else fractal.default_block()
        at_once = 10 if steps % 10 == 0 else 1
        for first in range(0, len(tracks), 4):
            four = tracks[first:first + 4]
            with self.subTest(mask=name, level=level, rule=rule, seed=seed, density=density, tracks=four):
                stats = self.run_scene("--frames", steps // at_once, "--steps-per-frame", at_once, "--dump", "d", fractal=mask,
                                       level=level, block=block, rule=rule, seed=seed, density=density, tracks=four)
                self.assertEqual(stats["steps"], steps)
                for i, track in enumerate(stats["tracks"]):
                    self.assertTrue(track["agrees"], track["name"])
                    self.assertEqual(track["seal"], seal(fractal, expected), track["name"])
                    self.assertEqual(self.dumped_state(i), expected, track["name"])
                self.assertEqual(stats["results"]["alive_cells"], sum(map(sum, expected)))

    def test_shipped_masks(self):
        for number, (name, rows) in enumerate(sorted(FRACTALS.items())):
            copies = sum(row.count("#") for row in rows)
            level = 2
            # 16-bit floats hold powers of 3 up to 7 digits: variant 3 serves no more.
            while level < 7 and copies ** (level + 1) <= (80 if Settings.quick else 800):
                level += 1
            # Each rule has its turn; all with every mask where there is time for it.
            rules = RULES if FULL else [RULES[number % len(RULES)], RULES[(number + 4) % len(RULES)]][:1 if Settings.quick else 2]
            for rule in rules:
                for seed, density in RANDOM if FULL else [(1 + number % 3, .5)]:
                    self.check(name, rows, level, rule, seed, density, 20 if Settings.quick else 100)

    def test_masks_of_ones_own(self):
        for name, rows in OWN.items():
            level = {"seven": 2, "comb": 3, "pieces": 4}[name]
            for rule in RULES if FULL else ["B3/S23", "B0123/S45"]:
                for seed, density in RANDOM if FULL else [(2, .5)]:
                    self.check(name, rows, level, rule, seed, density, 20)

    def test_levels_from_the_smallest(self):
        for level in range(1, 6):
            self.check("sierpinski_gasket", FRACTALS["sierpinski_gasket"], level, "B0123/S45", 1, 1, 20)

    def test_memory_gain(self):
        """(4/3)^r at rho = 1, and less by a tile of rho x rho that holds k^j cells."""
        results = self.run_scene("--frames", 1, level=8, block=16, tracks=["bounding_box", "compact", "sliced"])["results"]
        self.assertAlmostEqual(results["memory_gain_compact_rho_16"], (4 / 3) ** 4)
        self.assertAlmostEqual(results["memory_gain_sliced"], 256 * 256 / (27 * 8 * 4))
        one = self.run_scene("--frames", 1, level=6, block=1, tracks=["compact"])["results"]
        self.assertAlmostEqual(one["memory_gain_compact_rho_1"], (4 / 3) ** 6)


class Limits(ProgramTest):
    def test_a_box_that_has_no_end_is_refused(self):
        """Compact storage of a sparse mask is small, and the box around it is not."""
        write_mask(self.folder / "two.toml", [".##", "...", "..."])
        base = "run fractal --frames 1 --set fractal=two.toml --set"
        self.all_fail((2, f"{base} level=16 --set tracks=bounding_box/compact", "bounding_box/compact", "2^40"))
        for words in ("level=4 --set tracks=bounding_box/compact", "level=16 --set tracks=sliced,compact"):
            self.succeeds(*f"{base} {words}".split(), silent=False)


class Figures(ProgramTest):
    def test_what_is_measured_is_written(self):
        if Settings.quick:
            self.skipTest("times under sanitizers mean nothing")
        bench = "bench figures --backend cpu --samples 3 --set paper=memory,carpet --out new/folder --stats f.json --resume".split()
        result = self.succeeds(*bench, silent=False)
        self.assertIn("carpet.png", result.err)
        folder = self.folder / "new" / "folder"
        self.assertEqual(sorted(p.name for p in folder.iterdir()), ["carpet.csv", "carpet.png", "memory.csv", "memory.png"])
        self.assertEqual(png_size(folder / "carpet.png"), (1280, 720))
        with open(folder / "memory.csv", encoding="utf-8") as text:
            rows = list(csv.DictReader(text))
        self.assertEqual({row["kind"] for row in rows}, {"measured", "printed", "promised"})
        gains = {float(row["n"]): float(row["memory_gain"]) for row in rows if row["curve"] == "compact, rho 16"}
        self.assertAlmostEqual(gains[2.0 ** 20], (4 / 3) ** 16, 1)  # 99.8
        figures = self.json("f.json")["figures"]
        self.assertTrue(all(figure["verified"] for figure in figures))
        speed = [f for f in figures if f["parameters"]["figure"] == "carpet" and f["ratio_to_peer"]]
        self.assertTrue(speed)
        with open(folder / "carpet.csv", encoding="utf-8") as text:
            measured = [row for row in csv.DictReader(text) if row["kind"] == "measured"]
        self.assertEqual(len(measured), len(speed))
        # What is there is not measured again, and drawn all the same.
        for path in folder.iterdir():
            path.unlink()
        self.succeeds(*bench, silent=False)
        self.assertEqual(self.json("f.json")["figures"], figures)
        self.assertEqual(len(list(folder.iterdir())), 4)
        # Of another machine it is drawn, and nothing is measured.
        other = self.json("f.json")
        other["environment"]["device"] = "Another Device"
        (self.folder / "o.json").write_text(json.dumps(other))
        self.succeeds("bench", "--draw", "--stats", "o.json", "--out", "drawn", silent=False)
        self.assertIn("Another Device", (self.folder / "drawn" / "carpet.csv").read_text())
        self.all_fail((2, "bench --draw --out none", "--draw", "--stats"), (1, "bench --draw --stats none.json --out none", "none.json"))

    def test_refusals(self):
        (self.folder / "file").write_text("precious")
        self.all_fail((2, "bench figures --backend cpu --set paper=memry", "memry", "memory"),
                      (2, "bench ceilings --backend cpu --out d", "--out", "figures"),
                      (1, "bench figures --backend cpu --out file", "--out", "file"),
                      (2, "run fractal --preset paper_lief", "paper_lief", "paper_life"),
                      (2, "run --preset paper_life --scene-file s.toml", "--preset", "--scene-file"))
        for more, said in (("title = 3", ("s.toml:3", "title")), ('[view]\npaper = "lief"', ("lief", "life"))):
            (self.folder / "s.toml").write_text(f'schema = 1\nscene = "fractal"\n{more}\n')
            self.fails(1, "run", "--scene-file", "s.toml", "--frames", 1, says=said)

    def test_presets_run_and_show_a_figure(self):
        listed = json.loads(self.succeeds("list", "presets", "--json", silent=False).out)
        self.assertGreaterEqual(len(listed), 9)
        smaller = {"fractal": ["--set", "level=5"], "butterfly": ["--set", "n=8"]} if Settings.quick else {}
        for preset in listed:
            with self.subTest(preset=preset["key"]):
                self.succeeds("run", "--preset", preset["key"], "--backend", "cpu", "--interop", "none", "--frames", 2, "--stats",
                              "s.json", *smaller.get(preset["scene"], []))
                self.assertTrue(all(track["agrees"] for track in self.json("s.json")["tracks"]))


if __name__ == "__main__":
    main()
