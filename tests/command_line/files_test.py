"""What is refused about files, outputs and devices: exit codes, messages, and nothing written."""

import json
import os
import subprocess
import time
import unittest

from files import write_array, write_grey_png, write_mask, write_rows
from oracle import FRACTALS, Fractal, Life, Settings, membership
from warploom_test import OUTPUTS, ProgramTest, main

OUT = " ".join(OUTPUTS)
RUN = "run fractal --backend cpu --frames 1 --set level=3"
NONE = ("--interop", "none")


class Outputs(ProgramTest):
    def test_endings(self):
        self.all_fail(*((2, f"{RUN} --interop none --dump d --stats '{name}'", ".json", ".csv", name)
                        for name in ("s.txt", "s", "s.json.gz", "json", "")),
                      *((2, f"{RUN} {OUT} --capture '{name}'", ".png", name) for name in ("c.jpg", "c", "")))

    def test_places_that_cannot_be_written(self):
        """A refused path leaves the other outputs unwritten too."""
        (self.folder / "folder.json").mkdir()
        (self.folder / "folder.png").mkdir()
        (self.folder / "file").write_text("precious")
        self.all_fail(
            *((1, f"{RUN} {more} {words}", words.split()[1]) for words in ("--stats no/s.json", "--stats no/s.csv", "--capture no/c.png")
              for more in ("", "--dump d")),
            *((1, f"{RUN} {words}", words.split()[1]) for words in (
                "--dump /proc/nothing/d", "--stats /proc/s.json", "--stats folder.json", "--capture folder.png", "--stats file/s.json",
                "--dump file/d")),
            # Before anything is measured: all suites would take minutes.
            (1, "bench --backend cpu --stats no/b.json", "no/b.json"))
        self.assertEqual((self.folder / "file").read_text(), "precious")

    @unittest.skipIf(os.geteuid() == 0, "root writes anywhere")
    def test_read_only_folder(self):
        (self.folder / "locked").mkdir(mode=0o555)
        self.all_fail(*((1, f"{RUN} {words}", "locked") for words in ("--stats locked/s.json", "--dump locked/d", "--capture locked/c.png")))

    def test_a_benchmark_goes_on_where_it_ended(self):
        base = ("bench", "binning", "--backend", "cpu", "--samples", 3, "--stats", "b.json", "--resume",
                "--set", "application=nbody", "--set", "input=64")
        self.succeeds(*base, "--set", "figure=table5", silent=False)
        first = self.json("b.json")
        self.assertEqual(first["parts"], ["binning/table5/nbody/64"])
        self.succeeds(*base, "--set", "figure=table5,accesses", silent=False)
        both = self.json("b.json")
        self.assertEqual(both["parts"], first["parts"] + ["binning/accesses/nbody/64"])
        self.assertEqual(both["figures"][:len(first["figures"])], first["figures"], "what was measured stays")
        self.assertGreater(len(both["figures"]), len(first["figures"]))
        self.assertTrue(all(figure["verified"] for figure in both["figures"]))
        # Another machine's figures are not gone on with, nor is another kind of file.
        both["environment"]["cpu"] = "another"
        (self.folder / "b.json").write_text(json.dumps(both))
        self.fails(1, *base, says=["b.json", "cpu", "another"])
        for text in ("{}", "[]", "no JSON", json.dumps({"schema": "warploom.bench/1"})):
            (self.folder / "b.json").write_text(text)
            self.fails(1, *base, says=["b.json"])
            self.assertEqual((self.folder / "b.json").read_text(), text)
        self.fails(2, *base[:6], "--stats", "b.csv", "--resume", says=["--resume", ".json"])
        self.fails(2, *base[:6], "--resume", says=["--resume", "--stats"])

    def test_existing_outputs_are_replaced(self):
        (self.folder / "d").mkdir()
        for name in ("s.json", "d/track3_state.npy"):
            (self.folder / name).write_text("old")
        (self.folder / "d" / "manifest.json").write_text('{"schema": "warploom.dump/1"}')
        self.run_scene("--frames", 1, "--dump", "d", level=3, tracks=["bounding_box"])
        self.assertEqual(self.json("s.json")["frames"], 1)
        self.assertFalse((self.folder / "d" / "track3_state.npy").exists(), "a track of the run before is still in the dump")
        self.assertFalse([p for p in self.folder.rglob("*") if "tmp" in p.name])

    def test_a_folder_that_is_no_dump_keeps_its_files(self):
        """'Existing output folders are replaced', but a slip (`--dump .`, `--dump ~`) must not cost anyone their files."""
        chapter = self.folder / "thesis" / "chapter1.txt"
        chapter.parent.mkdir()
        chapter.write_text("precious")
        for name in ("thesis", ".", chapter.parent, "thesis/", "./thesis/../."):
            self.warploom("run", "fractal", "--backend", "cpu", *NONE, "--frames", 1, "--set", "level=3", "--dump", name)
            self.assertTrue(chapter.exists(), f"--dump {name} deleted {chapter}")

    def test_dump_above_2_gib(self):
        """n^2 = 4 GiB of logical state; where memory does not allow the level that is the refusal instead. Known beforehand."""
        began = time.monotonic()
        self.refused("--set", "level=16", "--set", "tracks=lambda_serial", frames=0, says_any=["GiB", "bytes"])
        self.assertLess(time.monotonic() - began, 5, "refused only after the state was made")

    @unittest.skipUnless(os.path.exists("/dev/full"), "no /dev/full")
    def test_full_disk_on_stdout(self):
        for words in (("list",), ("doctor", "--json"), ("list", "maps", "--json"), ("--help",), ("--version",)):
            with self.subTest(words=words), open("/dev/full", "wb") as full:
                done = subprocess.run([Settings.program, *words], cwd=self.folder, env=self.environment(), stdout=full, stderr=subprocess.PIPE)
                self.assertEqual(done.returncode, 1, done.stderr)
                self.assertNotIn(b"unexpected", done.stderr)

    def test_nothing_unasked(self):
        self.succeeds(*RUN.split(), *NONE)
        self.assertEqual(self.tree(), {})
        self.assertLessEqual({p.name for p in self.base.iterdir()}, {"work", "state", "config"}, "something beside the XDG folders")


class Dumps(ProgramTest):
    """What --dump writes over, and what it leaves."""

    def test_a_dump_leaves_what_it_did_not_make(self):
        (self.folder / "x.part").mkdir()
        (self.folder / "x.part" / "keep").write_text("precious")
        (self.folder / "x").mkdir()
        (self.folder / "x" / "track0_state.npy").write_text("of an earlier dump")
        base = ("run", "fractal", "--backend", "cpu", "--interop", "none", "--frames", 1, "--set", "level=3", "--dump")
        self.fails(1, *base, "x", says=["x", "other files"])  # a dump has a manifest
        (self.folder / "x" / "manifest.json").write_text("of another program")
        self.fails(1, *base, "x", says=["x", "other files"])
        (self.folder / "x" / "manifest.json").write_text('{"schema": "warploom.dump/1"}')
        (self.folder / "x" / "track0_state.npy.part").write_text("precious")
        self.fails(1, *base, "x", says=["x", "other files"])
        self.assertEqual((self.folder / "x" / "track0_state.npy.part").read_text(), "precious")
        (self.folder / "x" / "track0_state.npy.part").unlink()
        self.succeeds(*base, "x")
        self.assertEqual((self.folder / "x.part" / "keep").read_text(), "precious")
        self.assertEqual(self.json("x/manifest.json")["schema"], "warploom.dump/1")
        self.assertEqual({p.name for p in self.folder.iterdir()}, {"x", "x.part"}, "nothing half written stays")

    def test_two_programs_dump_to_one_name(self):
        """Whichever ends last: one whole dump, and nothing beside it."""
        words = [Settings.program, "run", "fractal", "--backend", "cpu", "--interop", "none", "--frames", "0", "--dump", "x", "--set"]
        for _ in range(3 if Settings.quick else 12):
            both = [subprocess.Popen([*words, f"level={level}"], cwd=self.folder, env=self.environment(), stderr=subprocess.PIPE)
                    for level in (5, 6)]
            for one in both:
                self.assertEqual(one.wait(), 0, one.stderr.read())
                one.stderr.close()
            self.assertEqual({p.name for p in self.folder.iterdir()}, {"x"})
            files = self.json("x/manifest.json")["files"]
            self.assertEqual({p.name for p in (self.folder / "x").iterdir()}, {f["file"] for f in files} | {"manifest.json"})
            self.assertEqual(len({tuple(f["shape"][:2]) for f in files if f["file"].endswith("_state.npy")}), 1, "of one program")


class Devices(ProgramTest):
    def test_cuda_where_none_works(self):
        env = self.environment(CUDA_VISIBLE_DEVICES="")
        for words in (("run", "fractal"), ("run", "fractal", "--capture", "c.png"), ("bench", "ceilings"), ("view",)):
            with self.subTest(words=words):
                self.fails(4, *words, "--backend", "cuda", says=["cuda", "cpu"], env=env)

    def test_no_opengl_and_no_display(self):
        self.all_fail((5, f"run fractal --backend cpu --interop none --capture c.png {OUT}", "--capture", "--interop none"),
                      *((5, words, "display", "warploom run")
                        for words in ("", "view", "fractal", "view fractal --frames 3 --stats s.json --capture c.png")))
        self.fails(5, "view", env=self.environment(DISPLAY=":987"), says=["display"])
        self.fails(5, "view", "--interop", "none", says_any=["interop", "OpenGL", "display"])

    def test_gl_rungs_need_cuda(self):
        """Forced modes that the CPU backend has not are refused, not quietly replaced."""
        for mode in ("gl", "staged"):
            with self.subTest(mode=mode):
                result = self.warploom(*RUN.split(), "--interop", mode, "--capture", "c.png")
                self.assertIn(result.code, (2, 4, 5), str(result))
                self.assertIn(mode, result.err)
                self.assertEqual(self.tree(), {})


class Files(ProgramTest):
    """Exit code 1: a file is missing, unreadable or malformed, wherever it was named. Each mistake that a file can have is
    in the tests of its reader (state_file_test, point_file_test, mask_test); here, one of each kind."""

    def write(self, name, content):
        path = self.folder / name
        path.write_bytes(content) if isinstance(content, bytes) else path.write_text(content)
        return name

    def each(self, name, cases, says=(), **settings):
        """A run that is given the file `name` as each of (label, content, what the message says...)."""
        for label, content, *more in cases:
            with self.subTest(label):
                self.write(name, content)
                self.refused(code=1, says=[name, *says, *more], **settings)

    def scene_file_refused(self, name, *says, code=1):
        self.fails(code, "run", "--scene-file", name, *NONE, "--backend", "cpu", *OUTPUTS, says=[name, *says])

    def test_missing_and_folders_in_place_of_files(self):
        for name in ("f.toml", "f.npy", "f.rle", "f.png"):
            (self.folder / name).mkdir()
        for stem in ("missing", "f"):
            self.all_refused("fractal", [f"{stem}.toml"], [f"{stem}.toml"], code=1)
            for name in (f"{stem}.npy", f"{stem}.rle"):
                self.all_refused("state", [name], [name], code=1)
        for name in ("missing.toml", "missing.png", "no/where.toml", "f.toml", "f.png"):
            self.scene_file_refused(name)

    def test_state_of_unknown_kind(self):
        self.write("state.txt", "111")
        result = self.warploom("run", "fractal", *NONE, "--set", "state=state.txt", *OUTPUTS)
        self.assertIn(result.code, (1, 2), str(result))
        self.assertIn(".npy", result.err)
        self.assertIn(".rle", result.err)

    def test_masks(self):
        self.each("mine.toml", (
            ("no TOML", 'name = "x"\nrows = [\n"##"\nnonsense\n', ":"), ("a line", 'name = "x"\nrows = ["##"]\nname = = 3\n', "mine.toml:3"),
            ("bytes", b"\x00\xff\xfe\x80" * 40), ("an unknown key", 'name = "x"\nrow = ["##"]\n', "row", "rows"),
            ("ragged", 'name = "x"\nrows = ["##", "#"]\n', "row"), ("a blank", 'name = "x"\nrows = ["# ", "##"]\n'),
        ), fractal="mine.toml", level=2)
        write_mask(self.folder / "mine.toml", ["#\u00e9", "##"])
        result = self.refused(code=1, fractal="mine.toml", level=2, says=["mine.toml"])
        self.assertNotIn("\ufffd", result.err, "half a letter: stderr is not UTF-8")

    def test_npy(self):
        self.write("start.npy", b"PK\x03\x04" * 30)
        self.refused(code=1, says=["start.npy"], fractal="chandelier", level=2, state="start.npy")
        for shape, dtype, values, *says in (((9, 4), "|u1", [0] * 36, "9", "4"), ((2, 2), "|u1", [0] * 4), ((4, 9), "|u1", [0] * 35),
                                            ((4, 9), "<f4", [0] * 36, "uint8", "bool"), ((4, 9), "|u1", [2] + [0] * 35)):
            with self.subTest(shape=shape, dtype=dtype, values=values):
                write_array(self.folder / "start.npy", dtype, shape, values)
                self.refused(code=1, says=["start.npy", *says], fractal="chandelier", level=2, state="start.npy")

    def test_live_cells_outside(self):
        fractal = Fractal(FRACTALS["chandelier"], 2)
        rows = [bytearray(row) for row in membership(fractal)]
        outside = [(x, y) for y, row in enumerate(fractal.picture) for x, c in enumerate(row) if c == "."]
        for x, y in outside[2:5]:
            rows[y][x] = 1
        write_rows(self.folder / "start.npy", rows)
        x, y = outside[2]
        result = self.refused(code=1, fractal="chandelier", level=2, state="start.npy", says=["start.npy", "3"])
        self.assertRegex(result.err, rf"\(?{x}, ?{y}\)?", f"the first outside is ({x}, {y})\n{result}")

    def test_rle(self):
        self.each("start.rle", (
            ("no header", "bo$2bo$3o!\n"), ("bad rule", "x = 1, y = 1, rule = Foo\no!\n"), ("count without a cell", "x = 3, y = 3\n3\n"),
            ("rule of another kind", "x = 1, y = 1, rule = B9/S\no!\n"), ("too large for the domain", "x = 40, y = 1\n40o!\n"),
            ("too wide", "x = 40, y = 3\n40o!\n", "40", "9"), ("cells outside", "x = 9, y = 4\n9o$9o$9o$9o!\n", "outside"),
        ), fractal="chandelier", level=2, state="start.rle")

    def test_scene_files(self):
        head = 'schema = 1\nscene = "fractal"\n'
        for label, text, says in (
            ("no TOML", head + "[parameters]\nlevel = = 3\n", [":4"]), ("unclosed", head + '[parameters]\nrule = "B3\n', [":4"]),
            ("twice", head + "[parameters]\nlevel = 3\nlevel = 4\n", [":5"]), ("nothing", "", ["schema"]),
            ("no schema", 'scene = "fractal"\n', ["schema"]), ("schema 2", 'schema = 2\nscene = "fractal"\n', ["schema", "1"]),
            ("schema text", 'schema = "one"\nscene = "fractal"\n', ["schema"]),
            ("no scene", "schema = 1\n", ["scene"]), ("unknown scene", 'schema = 1\nscene = "fractl"\n', ["fractl", "fractal"]),
            ("unknown section", head + "[parameter]\nlevel = 3\n", ["parameter", "parameters"]),
            ("unknown key", head + "[parameters]\nlevle = 3\n", ["levle", "level", ":4"]),
            ("parameters no table", head + "parameters = 3\n", ["parameters"]),
            ("bad level", head + "[parameters]\nlevel = 40\n", ["level", ":4"]), ("negative level", head + "[parameters]\nlevel = -1\n", ["level", ":4"]),
            ("level a date", head + "[parameters]\nlevel = 2020-01-01\n", ["level", ":4"]), ("level a list", head + "[parameters]\nlevel = [3]\n", ["level"]),
            ("bad block", head + "[parameters]\nlevel = 5\nblock = 6\n", ["block", "1, 2, 4"]),
            ("bad rule", head + '[parameters]\nrule = "B9/S"\n', ["rule", ":4"]), ("bad density", head + "[parameters]\ndensity = nan\n", ["density"]),
            ("no tracks", head + "[parameters]\ntracks = []\n", ["tracks"]), ("tracks of numbers", head + "[parameters]\ntracks = [1]\n", ["tracks"]),
            ("unknown track", head + '[parameters]\ntracks = ["bounding_bo"]\n', ["bounding_box"]),
            ("steps text", head + '[run]\nsteps = "many"\n', ["steps"]), ("steps negative", head + "[run]\nsteps = -3\n", ["steps"]),
            ("unknown in run", head + "[run]\nstep = 3\n", ["step", "steps"]),
            ("unknown in view", head + "[view]\nzom = 3\n", ["zom", "zoom"]), ("bad zoom", head + "[view]\nzoom = 0\n", ["zoom"]),
            ("zoom nan", head + "[view]\nzoom = nan\n", ["zoom"]), ("centre", head + "[view]\ncenter = [1]\n", ["center"]),
            ("centre of text", head + '[view]\ncenter = ["a", "b"]\n', ["center"]), ("centre nan", head + "[view]\ncenter = [nan, inf]\n", ["center"]),
            ("colormap", head + '[view]\ncolormap = "viridi"\n', ["viridi", "viridis"]), ("theme", head + '[view]\ntheme = "drak"\n', ["drak", "dark"]),
            ("letters", head + '[view]\nletters = "BB"\n', ["letters", "BB", "2 letters"]), ("letters", head + '[view]\nletters = "BE"\n', ["BE"]),
            ("select", head + '[view]\nselect = "sell:1,2"\n', ["select"]), ("panels", head + '[view]\npanels = "maybe"\n', ["panels"]),
            ("mask", head + '[mask]\nname = "x"\nrows = ["#"]\n', ["mask"]), ("mask ragged", head + '[mask]\nname = "x"\nrows = ["##", "#"]\n', ["row"]),
            ("missing state", head + '[parameters]\nstate = "gone.npy"\n', ["gone.npy"]), ("missing mask", head + '[parameters]\nfractal = "gone.toml"\n', ["gone.toml"]),
            ("view no table", head + "view = 3\n", ["view"]), ("run no table", head + "run = 3\n", ["run"]),
        ):
            with self.subTest(label):
                self.scene_file_refused(self.write("mine.toml", text), *says)
        self.write("mine.toml", head)
        self.fails(2, "run", "simplex", "--scene-file", "mine.toml", *OUTPUTS, says=["simplex"])

    def test_state_that_is_named_but_not_there(self):
        """A painted state is only named in a text; what cannot be reproduced is said."""
        self.write("mine.toml", 'schema = 1\nscene = "fractal"\n[parameters]\nlevel = 4\n[state]\nstep = 3\nhash = "0123456789abcdef"\nhistory = "painted"\n[run]\nsteps = 3\n')
        result = self.warploom("run", "--scene-file", "mine.toml", "--interop", "none", "--stats", "s.json")
        self.assertTrue(result.err.strip(), f"not said\n{result}")

    def test_pictures(self):
        write_grey_png(self.folder / "plain.png", [[0x80] * 4] * 4)
        self.scene_file_refused("plain.png", "scene")
        for name, text in (("text.png", "not a picture\n"), ("empty.png", "")):
            self.scene_file_refused(self.write(name, text))

    def test_truncated_picture(self):
        self.succeeds("run", "fractal", "--backend", "cpu", "--frames", 2, "--set", "level=4", "--capture", "c.png", "--size", "400x300")
        whole = (self.folder / "c.png").read_bytes()
        for share in (20, 60, 200, len(whole) // 2, len(whole) - 20):
            with self.subTest(bytes=share):
                self.write("cut.png", whole[:share])
                result = self.warploom("run", "--scene-file", "cut.png", "--interop", "none", "--stats", "s.json")
                self.assertIn(result.code, (0, 1), str(result))  # whole text chunks before the cut may serve
                if share < 200 or result.code:
                    self.assertEqual(result.code, 1, str(result))
                    self.assertIn("cut.png", result.err)
        spoilt = bytearray(whole)
        spoilt[whole.index(b"iTXt") + 40] ^= 255
        self.scene_file_refused(self.write("spoilt.png", bytes(spoilt)))

    @unittest.skipIf(os.geteuid() == 0, "root reads anything")
    def test_unreadable(self):
        for name in ("m.toml", "s.npy"):
            self.write(name, "x")
            (self.folder / name).chmod(0)
        self.refused(code=1, fractal="m.toml", says=["m.toml"])
        self.refused(code=1, state="s.npy", says=["s.npy"])


class Repetition(ProgramTest):
    def test_the_last_stands(self):
        self.succeeds("run", "fractal", "--interop", "none", "--backend", "cuda", "--backend", "cpu", "--frames", 9, "--frames", 3, "--seed", 1,
                      "--seed", 2, "--warmup", 3, "--warmup", 0, "--steps-per-frame", 5, "--steps-per-frame", 2, "--set", "level=4",
                      "--stats", "a.json", "--stats", "b.json", "--dump", "a", "--dump", "b", "--theme", "light", "--theme", "dark",
                      "--size", "640x480", "--size", "800x600")
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), ["b", "b.json"])
        stats = self.json("b.json")
        self.assertEqual((stats["frames"], stats["steps"], stats["parameters"]["seed"]), (3, 6, 2))
        self.assertEqual(stats["tracks"][0]["seal"], Life(Fractal(FRACTALS["sierpinski_gasket"], 4)).randomise(2).step(6).seal())

    def test_set_adds_up(self):
        stats = self.run_scene("--frames", 1, "--set", "level=3", "--set", "seed=1", "--set", "level=4", "--set", "density=0.25")
        self.assertEqual({k: stats["parameters"][k] for k in ("level", "seed", "density")}, {"level": 4, "seed": 1, "density": 0.25})

    def test_a_refused_value_does_not_pass_because_a_later_one_stands(self):
        stats = self.run_scene("--frames", 1, "--set=level=4", "--seed=5")
        self.assertEqual((stats["parameters"]["level"], stats["parameters"]["seed"]), (4, 5))

    def test_leading_zeros_are_decimal(self):
        self.assertEqual(self.run_scene("--frames", "010", level=3)["frames"], 10)

    def test_order_of_level_and_block_is_free(self):
        for words in (("--set", "block=32", "--set", "level=5"), ("--set", "level=5", "--set", "block=32"),
                      ("--set", "block=27", "--set", "level=4", "--set", "fractal=vicsek")):
            with self.subTest(words=words):
                stats = self.run_scene("--frames", 1, *words)
                self.assertEqual(stats["tracks"][0]["block"][0], int(next(w for w in words if w.startswith("block")).split("=")[1]))

    def test_lists_with_blanks_in_values(self):
        folder = self.folder / "with blanks"
        folder.mkdir()
        write_mask(folder / "my mask.toml", ["##.", ".##"])
        stats = self.run_scene("--frames", 1, "--dump", "with blanks/d d", fractal="with blanks/my mask.toml", level=2)
        self.assertEqual(stats["tracks"][0]["threads"]["useful"], 16)
        self.assertTrue((folder / "d d" / "manifest.json").exists())


if __name__ == "__main__":
    main()
