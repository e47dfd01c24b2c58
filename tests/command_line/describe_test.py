"""Words: every figure of --describe is that of --stats of the same run (docs/learning.md)."""

import json
import re
import xml.etree.ElementTree

from files import png_chunks
from oracle import FRACTALS, Fractal, Life
from warploom_test import ProgramTest, main

SCENES = {
    "fractal": [["bounding_box"], ["bounding_box", "lambda_serial", "lambda_table/lookup", "compact"]],
    "simplex": [["bounding_box"], ["root_exact", "root_fp32", "table", "h_map"]],
    "bins": [["regular/range"], ["regular/range", "regular/count/spill", "compact/range", "compact/trimmed"]],
    "butterfly": [["radix2"], ["radix2", "radix4", "radix8", "radix16/shared/swizzled"], ["radix2@1", "radix2@2", "radix8@4"]],
    "irregular": [["csr/row"], ["csr/row", "ell/row", "hyb/row", "csr/warp"]],
}
SMALL = {"bins": ["--set", "input=300"], "butterfly": ["--set", "n=6"]}


def numbers(value):
    """All numbers of a JSON value, as they are written, and those within its texts."""
    if isinstance(value, dict):
        return set().union(*map(numbers, value.values())) if value else set()
    if isinstance(value, list):
        return set().union(*map(numbers, value)) if value else set()
    if isinstance(value, bool) or value is None:
        return set()
    if isinstance(value, (int, float)):
        return {json.dumps(value), repr(value)}
    return set(re.findall(r"\d+(?:\.\d+)?(?:e[+-]?\d+)?", value))


class Describe(ProgramTest):
    def run_both(self, scene, tracks, frames, *more, code=(0,)):
        words = ["run", scene, "--backend", "cpu", "--interop", "none", "--frames", frames, "--stats", "s.json", "--describe", "x.json", *more]
        if tracks:
            words += ["--set", "tracks=" + ",".join(tracks)]
        done = self.warploom(*words)
        self.assertIn(done.code, code, done)
        return [json.loads((self.folder / name).read_text()) for name in ("s.json", "x.json")]

    def compare(self, stats, told):
        self.assertEqual(told["schema"], "warploom.describe/1")
        self.assertEqual((told["scene"], told["step"]), (stats["scene"], stats["steps"]))
        for track, said in zip(stats["tracks"], told["tracks"], strict=True):
            self.assertEqual((said["track"], said["name"], said["seal"], said["agrees"], said["badge"]),
                             (track["letter"], track["name"], track["seal"], track["agrees"], track["badge"]))
            groups = {"threads": ("launched", "useful", "wasted"), "blocks": ("launched", "useful"), "warps": ("full", "partial", "idle")}
            sentence = next(line for line in told["words"] if line.startswith(f"Track {said['track']}, "))
            for group, keys in groups.items():
                for key in keys:
                    name = key if group == "threads" else f"{group}_{key}"
                    self.assertEqual(said[name], track[group] and track[group][key])
                    if said[name] is not None:
                        self.assertRegex(sentence, rf"\b{said[name]}\b")
            own = [kernel for kernel in track["kernels"] if kernel["samples"] == said["samples"] and kernel["median_ms"] == said["median_ms"]]
            self.assertTrue(own or said["median_ms"] is None)
            ratio = said["ratio"]
            if ratio:
                self.assertEqual((ratio["median"], ratio["low"], ratio["high"]), tuple(track["ratio_to_baseline"][k] for k in ("median", "low", "high")))
                self.assertTrue(track["exact"] and track["agrees"])
                if ratio["low"] <= 1 <= ratio["high"]:
                    self.assertFalse(ratio["clear"])
            else:
                self.assertNotIn("times as fast", sentence)
        self.assertIsNone(told["tracks"][stats["baseline"]]["ratio"])
        known = {float(number) for number in numbers(stats) | numbers(told["device"])}
        for line in told["words"]:
            self.assertNotRegex(line, r"\d \d{3}\b|\d [MGTP]\b|\d ms\b", "counts in full digits, units in words")
            if line.startswith(("Picked:", "Picture of")) or re.match(r"Track [A-D]: ", line):
                continue
            for number in re.findall(r"(?<![\w.])\d+(?:\.\d+)?(?:e[+-]?\d+)?(?![\w])", line):
                # Of times and ratios four digits are said, without zeros at their end.
                said = float(number)
                self.assertTrue(said in known or any(one % 1 and abs(one - said) <= 6e-4 * abs(said) for one in known),
                                f"{number}: {line}")

    def test_every_scene(self):
        for scene, ways in SCENES.items():
            for tracks in ways:
                for frames in (0, 3):
                    with self.subTest(scene=scene, tracks=tracks, frames=frames):
                        self.compare(*self.run_both(scene, tracks, frames, *SMALL.get(scene, []), code=(0, 3)))

    def test_many_pairs_are_clear_where_the_interval_says_so(self):
        stats, told = self.run_both("fractal", ["bounding_box", "lambda_serial"], 60, "--set", "level=9")
        self.compare(stats, told)
        self.assertIsNotNone(told["tracks"][1]["ratio"])
        _, few = self.run_both("fractal", ["bounding_box", "lambda_serial"], 12, "--set", "level=9")
        self.assertFalse(few["tracks"][1]["ratio"]["clear"])

    def test_a_broken_seal_has_no_ratio(self):
        stats, told = self.run_both("simplex", ["root_exact", "root_fp64"], 2, "--set", "n=7", "--set", "block=1", "--set", "work=single_write", code=(0, 3))
        self.compare(stats, told)
        self.assertIn("does not agree", " ".join(told["words"]))

    def told_of(self, scene, parameters, place, frames=2):
        """The words of each track, of a picked place."""
        (self.folder / "scene.toml").write_text(f'schema = 1\nscene = "{scene}"\n[parameters]\n{parameters}\n[view]\nselect = "{place}"\n')
        done = self.warploom("run", "--scene-file", "scene.toml", "--backend", "cpu", "--frames", frames, "--describe", "x.json", "--dump", "d")
        self.assertEqual(done.code, 0, done)
        return json.loads((self.folder / "x.json").read_text())["selection"]["words"][1:]

    def test_the_figures_of_a_picked_cell_are_those_of_loops(self):
        """No stats have them: where a cell lies, and which thread of each map comes there."""
        fractal, block = Fractal(FRACTALS["sierpinski_gasket"], 6), 4
        alive = Life(fractal).randomise().step(2).rows()
        number = {(0, 0): 0, (0, 1): 1, (1, 1): 2}
        for x, y in ((0, 0), (2, 10), (5, 21), (63, 63), (0, 63), (9, 9), (7, 39)):
            digits = [number.get((x // block >> i & 1, y // block >> i & 1)) for i in range(4)]
            thread, lane = (x % block, y % block), x % block + block * (y % block)
            goal = (f"it serves the cell ({x}, {y}) at byte {x + 64 * y}, which is {'alive' if alive[y][x] else 'dead'}."
                    if fractal.picture[y][x] == "#" else "it is wasted: it serves no cell.")
            for name, at, line in zip("AB", ((x // block, y // block), None if None in digits else
                                             (digits[0] + 3 * digits[2], digits[1] + 3 * digits[3])),
                                      self.told_of("fractal", 'level = 6\nblock = 4\ntracks = ["bounding_box", "lambda_serial"]',
                                                   f"cell:{x},{y}"), strict=True):
                self.assertEqual(line, f"Track {name}: block {at}, thread {thread}, warp 0, lane {lane}; {goal}" if at else
                                 f"Track {name}: no thread comes there.")

    def test_the_figures_of_a_picked_wire_are_those_of_its_sum(self):
        """Its value is the sum of those that it comes from, each times its factor."""
        def complex_of(words):
            return complex(words.split(",")[0].replace(" ", "").replace("i", "j"))
        for wire, stage in ((3, 1), (17, 1), (60, 2)):
            for line in self.told_of("butterfly", "n = 6", f"wire:{wire},{stage}"):
                value = complex_of(re.search(r"value (.+?);", line)[1])
                came = {int(at): complex_of(one) for at, one in re.findall(r"from (\d+) (.+?)[;.](?: |$)", line)}
                times = {int(at): complex_of(one) for at, one in re.findall(r"times (\d+) (.+?)[;.](?: |$)", line)}
                self.assertEqual(came.keys(), times.keys(), line)
                self.assertIn(len(came), (2, 8), line)
                self.assertLess(abs(sum(came[at] * times[at] for at in came) - value), 2e-3, line)

    def test_what_is_picked(self):
        for place, words in (("cell:2,10", "lane"), ("thread:A:3,0:1,1", "wasted"), ("block:A:0,0", "block (0, 0)")):
            (self.folder / "scene.toml").write_text(f'schema = 1\nscene = "fractal"\n[parameters]\nlevel = 4\nblock = 4\ntracks = ["bounding_box", "lambda_serial"]\n'
                                                    f'[view]\nselect = "{place}"\n')
            done = self.warploom("run", "--scene-file", "scene.toml", "--backend", "cpu", "--describe", "x.json")
            self.assertEqual(done.code, 0, done)
            told = json.loads((self.folder / "x.json").read_text())
            self.assertEqual(told["selection"]["place"], place)
            self.assertEqual(len(told["selection"]["words"]), 3)
            self.assertIn(words, " ".join(told["selection"]["words"]))
        for scene, settings, place, words in (("bins", "input = 300", "bin:0,0", "depth"), ("butterfly", "n = 6", "wire:3,1", "stage 1")):
            (self.folder / "scene.toml").write_text(f'schema = 1\nscene = "{scene}"\n[parameters]\n{settings}\n[view]\nselect = "{place}"\n')
            done = self.warploom("run", "--scene-file", "scene.toml", "--backend", "cpu", "--frames", 2, "--describe", "x.json")
            self.assertEqual(done.code, 0, done)
            told = json.loads((self.folder / "x.json").read_text())
            self.assertEqual(told["selection"]["place"], place)
            self.assertIn(words, " ".join(told["selection"]["words"]), place)

    def test_a_handout_makes_its_picture_again(self):
        for scene in ("fractal", "butterfly"):
            done = self.warploom("run", scene, "--frames", 12, "--backend", "cpu", "--handout", scene, "--size", "900x600", "--theme", "light")
            if done.code == 5:
                self.skipTest("no OpenGL")
            self.assertEqual(done.code, 0, done)
            folder = self.folder / scene
            names = {path.name for path in folder.iterdir()}
            self.assertLessEqual({"picture.png", "stats.json", "words.txt", "scene.toml", "README.md", "times.svg", "times.csv"}, names)
            for name in names:
                if name.endswith(".svg"):
                    xml.etree.ElementTree.parse(folder / name)
            command = re.search(r"^warploom (run .*)$", (folder / "README.md").read_text(), re.M).group(1).split()
            again = [f"{scene}/scene.toml" if word == "scene.toml" else word for word in command]
            self.assertEqual(self.warploom(*again).code, 0)
            first, second = ([body for kind, body in png_chunks(path) if kind == "IDAT"] for path in (folder / "picture.png", self.folder / "again.png"))
            self.assertTrue(first)
            self.assertEqual(first, second)
        # An earlier one is replaced, nothing of the user's: also not beside one, and not by its ending.
        for folder, name in (("mine_0", "letter.txt"), ("mine_1", "my_measurements.csv"), ("mine_2", "README.md"),
                                                 ("fractal", "my_measurements.csv")):
            mine = self.folder / folder / name
            mine.parent.mkdir(exist_ok=True)
            mine.write_text("mine")
            self.assertEqual(self.warploom("run", "fractal", "--frames", 2, "--backend", "cpu", "--handout", folder).code, 1, folder)
            self.assertEqual(mine.read_text(), "mine")
            mine.unlink()
        self.assertEqual(self.warploom("run", "fractal", "--frames", 2, "--backend", "cpu", "--handout", "fractal").code, 0)

    def test_names(self):
        self.assertEqual(self.warploom("run", "fractal", "--describe", "x.md").code, 2)
        self.assertEqual(self.warploom("run", "fractal", "--describe", "no/such/x.txt").code, 1)
        done = self.warploom("run", "fractal", "--backend", "cpu", "--frames", 1, "--describe", "-")
        self.assertTrue(done.out.startswith("Fractals: "), done)


if __name__ == "__main__":
    main()
