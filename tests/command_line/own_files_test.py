"""Own maps in scene files (--trust), and tracks taken home as sources (export), which are compiled and run here.

WARPLOOM_FULL=1: every map track of both scenes.
"""

import json
import re
import shutil
import subprocess

from oracle import Settings
from own_maps_test import FULL, OwnTest
from warploom_test import main, sets

SEEDS = "seeds.h"
SOURCES = {"fractal": ["bounding_box", "lambda_serial", "lambda_table/lookup/compact", "own:lambda"],
           "simplex": ["rectangle", "root_exact/blocked", "stride_walk", "own:rectangle/box"]}


class Brought(OwnTest):
    """Scenes that bring code."""

    def setUp(self):
        super().setUp()
        self.done = self.run_maps(self.example("lambda.h"), self.example(SEEDS), words=["--capture", "c.png"], frames=3, level=5)
        self.seals = [track["seal"] for track in self.done["tracks"]]
        self.assertEqual(self.done["parameters"]["work"], "own:seeds")

    def text(self):
        """The scene text of the captured picture, with its two texts."""
        data = (self.folder / "c.png").read_bytes()
        at = data.index(b"warploom-scene\0")
        chunk = data[at - 4:at] == b"tEXt"
        self.assertTrue(chunk or data[at - 4:at] in (b"iTXt", b"zTXt"))
        length = int.from_bytes(data[at - 8:at - 4], "big")
        return data[at + 15:at + length].decode(errors="replace") if chunk else ""

    def opened(self, file, *words):
        self.succeeds("run", "--backend", "cpu", "--interop", "none", "--scene-file", file, "--stats", "s.json", *words)
        return [track["seal"] for track in self.json("s.json")["tracks"]]

    def test_a_picture_runs_its_code_only_if_trusted(self):
        # That the user ran the texts themselves is no matter to `run`.
        (self.folder / "s.json").unlink()
        said = self.fails(2, "run", "--backend", "cpu", "--scene-file", "c.png", "--stats", "s.json", says=["--trust", ".h"])
        self.assertNotIn("Traceback", said.err)
        self.assertEqual(self.opened("c.png", "--trust"), self.seals)
        self.fails(2, "export", "--backend", "cpu", "--scene-file", "c.png", "--out", "e", says=["--trust"])

    def test_scene_texts(self):
        source = 'schema = 1\nscene = "fractal"\n[[own]]\nname = "{}"\nsource = """\n{}"""\n[parameters]\nlevel = 4\ntracks = [{}]\n'
        box = "Place place(Block b, Domain) { return {b.x, b.y}; }\n"
        tracks = '"bounding_box", "own:fold/unroll"'
        path = self.write("t.toml", source.format("fold", box, tracks))
        self.assertEqual(len(set(self.opened(path, "--trust"))), 1)
        self.assertEqual(self.json("s.json")["tracks"][1]["name"], "own:fold/unroll")
        # One of another text and the same name, loaded beside it: the scene's keeps its own.
        other = self.write("fold.h", "Place place(Block b, Domain) { return {b.y, b.x}; }\n")
        self.opened(path, "--trust", "--map", other)
        self.assertEqual([track["name"] for track in self.json("s.json")["tracks"]], ["bounding_box", "own:fold_2/unroll", "own:fold"])
        for text, code, says in (
                (source.format("fo ld", box, tracks), 1, ["t.toml:3", "own.name"]),
                (source.format("fold", "int x;", tracks), 1, ["fold.h:1", "none of them"]),
                (source.format("fold", box, '"own:fold/unrol"'), 1, ["own:fold/unroll"]),
                (source.format("fold", box + "Place grid(Domain d) { return d.nosuch; }\n", tracks), 1, ["fold.h:2"]),
                (source.format("fold", box, tracks).replace("source", "text"), 1, ["t.toml:", "unknown key of [[own]]"]),
                (source.format("fold", box, tracks).replace("[[own]]", "[own]"), 1, ["t.toml:", "[[own]]"])):
            with self.subTest(says):
                self.fails(code, "run", "--backend", "cpu", "--scene-file", self.write("t.toml", text), "--trust", says=says)


class TakenHome(OwnTest):
    """Sources that prove themselves."""

    def export(self, scene, tracks, *maps, frames=6, out="e", code=0, **settings):
        more = [word for one in maps for word in ("--map", self.example(one))]
        done = self.warploom("export", scene, "--backend", "cpu", "--frames", frames, "--out", out, *more, *sets({"tracks": tracks, **settings}))
        self.assertEqual(done.code, code, done)
        return json.loads((self.folder / out / "manifest.json").read_text())

    def program(self, source, *options):
        made = source.with_suffix("")
        done = subprocess.run(["g++", "-O1" if Settings.quick else "-O3", "-std=c++20", "-pthread", *options, source, "-o", made],
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, f"{source}\n{done.stderr[:2000]}")
        done = subprocess.run([made], cwd=source.parent, capture_output=True, text=True)
        return done.returncode, done.stdout

    def check(self, scene, tracks, *maps, frames=6, **settings):
        manifest = self.export(scene, tracks, *maps, frames=frames, **settings)
        self.assertEqual(manifest["schema"], "warploom.export/1")
        self.run_scene(*[word for one in maps for word in ("--map", self.example(one))], frames=frames, scene=scene,
                       tracks=tracks, **settings)
        stats = self.json("s.json")
        for entry in manifest["files"]:
            with self.subTest(entry["file"], **settings):
                track = stats["tracks"][entry["track"]]
                self.assertEqual((entry["name"], entry["seal"], entry["steps"]), (track["name"], track["seal"], frames))
                self.assertTrue(entry["compile"].split()[0] in ("g++", "nvcc", "python3") and entry["file"] in entry["compile"])
                source = self.folder / "e" / entry["file"]
                if source.suffix == ".cu" and track["own"]:
                    self.assertIn("WARPLOOM_HD Place place(Block b, Domain d)", source.read_text())
                if source.suffix != ".cpp":
                    continue
                self.assertLessEqual(len(source.read_text().splitlines()), 2500)
                code, said = self.program(source, "-Wall", "-Wextra", "-Werror")
                last = said.splitlines()[-1]
                self.assertEqual(code, 0, said)
                self.assertRegex(last, rf"^seal={track['seal']} (live=\d+ )?agrees=yes median_ms=[\d.]+$")
        shutil.rmtree(self.folder / "e")

    def run_scene(self, *words, scene="fractal", frames=8, **settings):
        self.succeeds("run", scene, "--backend", "cpu", "--interop", "none", "--frames", frames, "--stats", "s.json", *words, *sets(settings))

    def test_sources_reach_the_seal(self):
        # What is compiled here has no sanitizers.
        self.check("fractal", SOURCES["fractal"][3 if Settings.quick else 0:], "lambda.h", level=6)
        self.check("simplex", SOURCES["simplex"][3 if Settings.quick else 0:], "rectangle.h", domain="triangle", n=65, frames=4)
        if not Settings.quick:
            self.check("simplex", ["h_map", "own:tetrahedron"], "tetrahedron.h", domain="tetrahedron_corner", n=13, frames=3,
                       work="triplet_energy")

    def test_the_window_takes_home_what_it_shows(self):
        (self.folder / "s.txt").write_text("scene fractal\nset level=5 tracks=lambda_serial\nwait built\nstep 6\ntake_home\nwait 5 frames\n"
                                           "type path/file home\nwait 30 frames\nstats s.json\n")
        done = self.warploom("run", "--script", "s.txt", "--backend", "cpu", "--capture", "c.png")
        if done.code == 5:
            self.skipTest("no OpenGL")
        self.assertEqual(done.code, 0, done)
        file, = (one for one in self.json("home/manifest.json")["files"] if one["file"].endswith(".cpp"))
        self.assertEqual((file["seal"], file["steps"]), (self.json("s.json")["tracks"][0]["seal"], 6))

    def test_every_track(self):
        if not FULL:
            self.skipTest("WARPLOOM_FULL=1")
        listed = self.succeeds("list", "maps", silent=False).out
        names = re.findall(r"^ *(\S+)", listed, re.M)
        fractal = [name for name in names if name.split("/")[0] in ("bounding_box", "lambda_serial", "lambda_table", "lambda_shuffle",
                                                                  "lambda_tensor_1", "lambda_tensor_2", "lambda_tensor_3", "lambda_tensor_8bit")
                   and not name.endswith(("/linear", "/blocked", "/box", "/rows", "/rows/compact"))]
        for at in range(0, len(fractal), 4):
            self.check("fractal", fractal[at:at + 4], level=6)
        flat = ["bounding_box", "root_exact", "rectangle", "recursive", "h_map", "table", "stride_walk", "root_fp32", "root_rsqrt"]
        solid = ["bounding_box", "root_exact", "h_map", "table", "stride_walk", "root_fp32", "root_fp64"]
        for layout in ("", "/blocked"):
            for at in range(0, len(flat), 4):
                self.check("simplex", [name + layout for name in flat[at:at + 4]], domain="triangle", n=65)
            for domain in ("tetrahedron", "tetrahedron_corner"):
                for at in range(0, len(solid), 4):
                    self.check("simplex", [name + layout for name in solid[at:at + 4]], domain=domain, n=21)
        for work in ("single_write", "reduction", "map_only"):
            self.check("fractal", ["lambda_serial", "own:lambda/unroll"], "lambda.h", level=5, work=work)
        for work in ("single_write", "distance_matrix", "stencil", "map_only"):
            self.check("simplex", ["root_exact", "own:rectangle"], "rectangle.h", domain="triangle", n=50, work=work)

    def test_a_broken_map_is_told(self):
        self.export("simplex", ["own:rectangle_broken"], "rectangle_broken.h", code=3, domain="triangle", n=64, block=16)
        self.assertTrue(all(entry["seal"] is None for entry in self.json("e/manifest.json")["files"]))

    def test_a_changed_map_does_not_agree(self):
        if Settings.quick:
            self.skipTest("what is compiled here has no sanitizers")
        self.export("fractal", ["lambda_serial", "own:lambda"], "lambda.h", level=8, block=4)
        for name, was, now in (("A_lambda_serial.cpp", "tau.x * power_x[mu - 1]", "tau.x * power_x[mu - 0]"), ("B_own_lambda.cpp", "copy(w % d.k)", "copy(w / d.k)")):
            source = self.folder / "e" / name
            text = source.read_text()
            self.assertIn(was, text)
            source.write_text(text.replace(was, now, 1))
            code, said = self.program(source)
            self.assertEqual((code, "agrees=no" in said.splitlines()[-1], "the map misses" in said), (3, True, True), said)

    def test_a_state_comes_along(self):
        (self.folder / "cell.rle").write_text("x = 1, y = 1\no!\n")
        self.check("fractal", ["lambda_serial"], level=5, state="cell.rle", rule="B12/S012", frames=4)

    def test_refused(self):
        full = self.folder / "full"
        full.mkdir()
        (full / "mine.txt").write_text("mine")
        for words, says in ((["fractal", "--set", "tracks=compact", "--out", "e"], ["compact", "more than a map"]),
                            (["bins", "--out", "e"], ["fractal and simplex"]), (["fractal"], ["--out"]),
                            (["simplex", "--set", "domain=triangle", "--set", "n=64", "--set", "block=16", "--set", "tracks=root_exact/blocked",
                              "--set", "coarsen=8", "--out", "e"], ["coarsen=1"]),
                            (["fractal", "--map", self.example(SEEDS), "--out", "e"], ["rule"])):
            with self.subTest(words):
                self.fails(2, "export", *words, "--backend", "cpu", "--frames", 2, says=says)
        self.fails(1, "export", "fractal", "--backend", "cpu", "--frames", 2, "--out", "full", says=["holds files"])


if __name__ == "__main__":
    main()
