"""Rules, states, works, frames and scene files of `warploom run`, against an oracle written another way."""

from files import png_size, png_texts, write_mask, write_rows
from oracle import FRACTALS, Fractal, Life, membership, seal
from warploom_test import FOUR, ProgramTest, kernel, main, sets


class InitialState(ProgramTest):
    def test_seeds_and_densities(self):
        fractal = Fractal(FRACTALS["vicsek"], 4)
        for seed in (0, 1, 7, 2**31, 2**63, 2**64 - 1):
            for density in (0, 0.1, 0.5, 1):
                with self.subTest(seed=seed, density=density):
                    stats = self.run_scene("--frames", 0, "--dump", "d", fractal="vicsek", level=4, seed=seed, density=density)
                    rows = Life(fractal).randomise(seed, density).rows()
                    self.assertEqual(self.dumped_state(), rows)
                    self.assertEqual(stats["parameters"]["seed"], seed)
                    self.assertEqual((stats["steps"], stats["tracks"][0]["seal"]), (0, seal(fractal, rows)))

    def test_seed_option_is_set_seed(self):
        a = self.run_scene("--frames", 2, "--seed", 99, level=5)
        b = self.run_scene("--frames", 2, level=5, seed=99)
        self.assertEqual(a["tracks"][0]["seal"], b["tracks"][0]["seal"])
        self.assertEqual(a["parameters"], b["parameters"])

    def test_npy(self):
        fractal = Fractal(FRACTALS["chandelier"], 3)  # not square: order matters
        rows = Life(fractal).randomise(5).rows()
        after = Life(fractal).load(rows).step(4).rows()
        for dtype in ("|u1", "|b1"):
            for fortran in (False, True):
                for version in (1, 2):
                    with self.subTest(dtype=dtype, fortran=fortran, version=version):
                        write_rows(self.folder / "start.npy", rows, dtype, fortran, version)
                        self.run_scene("--frames", 0, "--dump", "d", fractal="chandelier", level=3, state="start.npy")
                        self.assertEqual(self.dumped_state(), rows)
                        stats = self.run_scene("--frames", 4, "--dump", "d", fractal="chandelier", level=3, state="start.npy", tracks=FOUR)
                        self.assertEqual(self.dumped_state(3), after)
                        self.check_tracks(stats, fractal, fractal.default_block(), after)

    def test_dump_is_a_state(self):
        self.run_scene("--frames", 6, "--dump", "d", level=5, rule="B2/S23")
        stats = self.run_scene("--frames", 6, level=5, rule="B2/S23", state="d/track0_state.npy")
        straight = self.run_scene("--frames", 12, level=5, rule="B2/S23")
        self.assertEqual(stats["tracks"][0]["seal"], straight["tracks"][0]["seal"])

    def test_rle(self):
        """Centred on a full square of 27 x 27, where every pattern fits."""
        write_mask(self.folder / "full.toml", ["###"] * 3)
        fractal = Fractal(["###"] * 3, 3)
        pattern = ["o..oo.......o", ".............", ".............", "o..oo.......o", ".............", ".............", "ooo.........o"]
        expected = [bytearray(27) for _ in range(27)]
        for y, row in enumerate(pattern):
            expected[y + 10][7:20] = bytes(c == "o" for c in row)
        expected = [bytes(row) for row in expected]
        base = dict(fractal="full.toml", level=3, state="start.rle", tracks=FOUR)

        def check(text, life, **more):
            (self.folder / "start.rle").write_text(text)
            for steps in (0, 3):
                stats = self.run_scene("--frames", steps, "--dump", "d", **base, **more)
                self.assertEqual(self.dumped_state(3), Life(fractal, life).load(expected).step(steps).rows(), text)
            return stats["parameters"]["rule"]

        text = "#N frame\n#C a comment\nx = 13, y = 7, rule = B2/S\no2b2o7bo3$o2b2o7bo3$3o9bo!\n"
        with self.subTest("the file's rule where none is set"):
            self.assertEqual(check(text, "B2/S").upper(), "B2/S")
        for rule in ("B1/S1", "B3/S23"):
            with self.subTest("a rule that is set wins", rule=rule):
                self.assertEqual(check(text, rule, rule=rule), rule)
        with self.subTest("no rule in the header; line breaks anywhere; text after the end"):
            check("x = 13, y = 7\no2b2o\n7bo\n3$o2b2o7bo3\n$3o9bo\n!\nanything after\n", "B3/S23")
        with self.subTest("dead cells and empty rows at the end written out; no blanks"):
            check("x=13,y=7,rule=B3/S23\no2b2o7bo$13b$13b$o2b2o7bo$$$3o9bo$!\n", "B3/S23")


class Works(ProgramTest):
    def each(self, work, level, check, tracks=FOUR, **settings):
        """check(fractal, stats) of every shipped fractal after three steps, dumped."""
        for name, rows in FRACTALS.items():
            with self.subTest(fractal=name, tracks=tracks):
                stats = self.run_scene("--frames", 3, "--dump", "d", fractal=name, level=level, work=work, tracks=tracks, **settings)
                for track in stats["tracks"]:
                    self.assertIs(track["agrees"], True)
                    self.assertEqual(kernel(track, f"fractal.{work}")["samples"], 3)
                check(Fractal(rows, level), stats)

    def test_single_write(self):
        def check(fractal, stats):
            self.check_tracks(stats, fractal, fractal.default_block(), membership(fractal))
            self.assertEqual(self.dumped_state(2), membership(fractal))

        self.each("single_write", 3, check)

    def test_reduction(self):
        def check(fractal, stats):
            life = Life(fractal).randomise(12, 0.3)
            self.assertEqual(stats["results"]["reduction_sum"], life.count())
            self.assertEqual(self.dumped_state(), life.rows())

        for tracks in (FOUR, ["lambda_serial"]):
            self.each("reduction", 4, check, tracks, seed=12, density=0.3)

    def test_map_only(self):
        def check(fractal, stats):
            self.check_tracks(stats, fractal, fractal.default_block())
            self.assertEqual(self.dumped_state(), Life(fractal).randomise().rows())

        self.each("map_only", 4, check)


class Frames(ProgramTest):
    def test_steps_and_samples(self):
        """64 frames by default; warm-up excludes samples, not steps; a sample is a frame's time over its steps."""
        for words, steps, frames, samples in (((), 64, 64, 64), (("--frames", 20, "--warmup", 6), 20, 20, 14),
                                              (("--frames", 4, "--warmup", 3), 4, 4, 1), (("--frames", 5, "--steps-per-frame", 3), 15, 5, 5)):
            with self.subTest(words=words):
                life = Life(Fractal(FRACTALS["sierpinski_gasket"], 5), "B2/S23").randomise().step(steps)
                stats = self.run_scene(*words, level=5, rule="B2/S23")
                self.assertEqual((stats["steps"], stats["frames"]), (steps, frames))
                self.assertEqual(stats["tracks"][0]["seal"], life.seal())
                for track in stats["tracks"]:
                    one = kernel(track, "fractal.life")
                    self.assertEqual((one["samples"], one["dropped"]), (samples, 0))
                    self.assertEqual((one["steps_per_sample"], one["launches_per_sample"]), (steps // frames,) * 2)

    def test_drawn_frames_are_measured(self):
        stats = self.run_scene("--frames", 6, "--warmup", 2, "--capture", "c.png", "--size", "640x480", level=5)
        self.assertEqual(stats["frame"]["samples"], 4)
        for key in ("median_ms", "p95_ms", "ui_median_ms", "interop_median_ms"):
            self.assertGreater(stats["frame"][key], 0, key)
        self.assertEqual(png_size(self.folder / "c.png"), (640, 480))

    def test_two_runs_are_equal_but_for_times(self):
        def timeless(value):
            if isinstance(value, dict):
                return {k: timeless(v) for k, v in value.items()
                        if not k.endswith("_ms") and k not in ("time_utc", "gb_per_s", "ratio_to_baseline")}
            return [timeless(v) for v in value] if isinstance(value, list) else value

        def files():
            return {p.name: p.read_bytes() for p in (self.folder / "d").iterdir()}

        words = ("--frames", 12, "--dump", "d")
        first = self.run_scene(*words, fractal="candy", level=3, tracks=FOUR)
        dumped = files()
        second = self.run_scene(*words, fractal="candy", level=3, tracks=FOUR)
        self.assertEqual(timeless(first), timeless(second))
        self.assertEqual(dumped, files())

    def test_gasket_level_10_one_seal(self):
        """Acceptance 3: the value CUDA must give too."""
        life = Life(Fractal(FRACTALS["sierpinski_gasket"], 10)).randomise(7, 0.5).step(32)
        stats = self.run_scene("--frames", 32, fractal="sierpinski_gasket", level=10, seed=7, density=0.5, rule="B3/S23", tracks=FOUR)
        self.assertEqual({track["seal"] for track in stats["tracks"]}, {life.seal()})
        self.assertEqual(stats["results"]["alive_cells"], life.count())

    def test_ratio_to_baseline(self):
        stats = self.run_scene("--frames", 40, level=8, tracks=FOUR)
        first = stats["tracks"][0]["ratio_to_baseline"]
        self.assertEqual((first["median"], first["low"], first["high"]), (1, 1, 1))
        for track in stats["tracks"][1:]:
            ratio, own = track["ratio_to_baseline"], kernel(track, "fractal.life")
            self.assertEqual(ratio["kernel"], "fractal.life")
            self.assertGreater(ratio["low"], 0)
            for numbers in ([ratio[key] for key in ("low", "median", "high")],
                            [own[key + "_ms"] for key in ("min", "p5", "median", "p95", "p99")]):
                self.assertEqual(numbers, sorted(numbers))


SCENE = """schema = 1
scene = "fractal"
[parameters]
fractal = "sierpinski_gasket"
level = 6
block = 8
rule = "B2/S23"
density = 0.25
seed = 31
tracks = ["bounding_box", "lambda_shuffle"]
[run]
steps = 17
[view]
center = [0.5, 0.5]
zoom = 1.0
colormap = "cividis"
select = "cell:7,51"
theme = "dark"
panels = "on"
"""


class Scenes(ProgramTest):
    def life(self):
        return Life(Fractal(FRACTALS["sierpinski_gasket"], 6), "B2/S23").randomise(31, 0.25)

    def write(self, text=SCENE, name="mine.toml"):
        (self.folder / name).parent.mkdir(exist_ok=True)
        (self.folder / name).write_text(text)
        return name

    def test_steps_are_replayed(self):
        stats = self.run_scene("--scene-file", self.write(), "--dump", "d")
        self.assertEqual(stats["steps"], 17)
        self.assertEqual(stats["tracks"][0]["seal"], self.life().step(17).seal())
        self.assertEqual(self.dumped_state(), self.life().step(17).rows())
        self.assertEqual([x["name"] for x in stats["tracks"]], ["bounding_box", "lambda_shuffle"])
        self.assertEqual({k: stats["parameters"][k] for k in ("level", "block", "rule", "density", "seed")},
                         {"level": 6, "block": 8, "rule": "B2/S23", "density": 0.25, "seed": 31})

    def test_options_are_stronger_than_the_file(self):
        for words, settings, level, seed, steps in (
            (("--frames", 5), {}, 6, 31, 22),  # frames go on from there
            (("--seed", 4), {"level": 5}, 5, 4, 17),
            (("fractal",), {}, 6, 31, 17),
        ):
            with self.subTest(words=words, **settings):
                stats = self.run_scene(*words, "--scene-file", self.write(), **settings)
                self.assertEqual((stats["steps"], stats["frames"]), (steps, steps - 17))
                life = Life(Fractal(FRACTALS["sierpinski_gasket"], level), "B2/S23").randomise(seed, 0.25)
                self.assertEqual(stats["tracks"][0]["seal"], life.step(steps).seal())

    def test_only_the_necessary(self):
        stats = self.run_scene("--scene-file", self.write('schema = 1\nscene = "fractal"\n'))
        self.assertEqual((stats["steps"], stats["parameters"]["level"]), (0, 8))

    def test_captured_picture_is_a_scene(self):
        first = self.run_scene("--scene-file", self.write(), "--frames", 3, "--capture", "c.png", "--size", "800x600")
        texts = png_texts(self.folder / "c.png")
        joined = "\n".join(text for _, text in texts.values())
        self.assertTrue(all(compressed for compressed, _ in texts.values()), f"not compressed: {list(texts)}")
        self.assertIn('scene = "fractal"', joined)
        self.assertIn("llvmpipe" if "llvmpipe" in (first["environment"]["gl_renderer"] or "") else "cpu", joined)
        again = self.run_scene("--scene-file", "c.png")
        self.assertEqual(again["steps"], 20)
        self.assertEqual(again["tracks"][0]["seal"], first["tracks"][0]["seal"])
        self.assertEqual(again["parameters"], first["parameters"])
        more = self.run_scene("--scene-file", "c.png", "--frames", 4, "--capture", "c2.png", "--size", "800x600")
        self.assertEqual(more["tracks"][0]["seal"], self.life().step(24).seal())

    def captured(self, life, **settings):
        """Five frames and a capture of them; the seal."""
        first = self.run_scene("--frames", 5, "--capture", "c.png", "--size", "800x600", **settings)
        self.assertEqual(first["tracks"][0]["seal"], life.step(5).seal())
        return life.seal()

    def test_state_file_travels_in_the_picture(self):
        fractal = Fractal(FRACTALS["sierpinski_gasket"], 5)
        rows = Life(fractal).randomise(77).rows()
        write_rows(self.folder / "start.npy", rows)
        life = Life(fractal, "B2/S23").load(rows)
        seals = self.captured(life, level=5, rule="B2/S23", state="start.npy")
        self.assertEqual(self.run_scene("--scene-file", "c.png")["tracks"][0]["seal"], seals)
        (self.folder / "start.npy").unlink()
        again = self.run_scene("--scene-file", "c.png", "--dump", "d")
        self.assertEqual((again["steps"], again["tracks"][0]["seal"]), (5, seals))
        self.assertEqual(self.dumped_state(), life.rows())
        more = self.run_scene("--scene-file", "c.png", "--frames", 3)
        self.assertEqual((more["steps"], more["tracks"][0]["seal"]), (8, life.step(3).seal()))

    def test_rle_with_a_set_rule_travels_in_the_picture(self):
        write_mask(self.folder / "full.toml", ["###"] * 3)
        (self.folder / "start.rle").write_text("x = 3, y = 3, rule = B2/S\n3o$3o$3o!\n")
        rows = [bytes(1 if 12 <= x < 15 and 12 <= y < 15 else 0 for x in range(27)) for y in range(27)]
        life = Life(Fractal(["###"] * 3, 3)).load(rows)
        self.captured(life, fractal="full.toml", level=3, state="start.rle", rule="B3/S23")
        again = self.run_scene("--scene-file", "c.png", "--frames", 4)
        self.assertEqual((again["parameters"]["rule"], again["tracks"][0]["seal"]), ("B3/S23", life.step(4).seal()))

    def test_mask_travels_in_the_picture(self):
        mask = ["####.", ".####"]
        write_mask(self.folder / "mine.toml", mask, "Mine")
        life = Life(Fractal(mask, 3), "B2/S23").randomise()
        seals = self.captured(life, fractal="mine.toml", level=3, rule="B2/S23")
        self.assertIn("[mask]", "\n".join(text for _, text in png_texts(self.folder / "c.png").values()))
        (self.folder / "mine.toml").unlink()
        again = self.run_scene("--scene-file", "c.png")
        self.assertEqual((again["steps"], again["tracks"][0]["seal"]), (5, seals))

    def test_relative_paths_are_relative_to_the_scene(self):
        mask = ["##.", ".##"]
        fractal = Fractal(mask, 3)
        rows = Life(fractal).randomise(5).rows()
        self.write('schema = 1\nscene = "fractal"\n[parameters]\nfractal = "m.toml"\nlevel = 3\nstate = "start.npy"\n[run]\nsteps = 2\n',
                   "deep/scene.toml")
        write_mask(self.folder / "deep/m.toml", mask)
        write_rows(self.folder / "deep/start.npy", rows)
        stats = self.run_scene("--scene-file", "deep/scene.toml")
        self.assertEqual(stats["tracks"][0]["seal"], Life(fractal).load(rows).step(2).seal())

    def test_a_capture_elsewhere_finds_its_points(self):
        (self.folder / "sub").mkdir()
        lines = [f"C {i} {i * i} {7 - i}" for i in range(8)]
        (self.folder / "p.xyz").write_text("\n".join(["8", "eight", *lines]) + "\n")
        self.succeeds("run", "simplex", "--backend", "cpu", *sets(dict(work="triplet_energy", n=6, points="p.xyz")),
                      "--frames", 1, "--stats", "a.json", "--capture", "sub/c.png", "--size", "640x480")
        _, text = png_texts(self.folder / "sub/c.png")["warploom-scene"]
        self.assertIn("'../p.xyz'", text)
        self.succeeds("run", "--scene-file", "sub/c.png", "--backend", "cpu", "--stats", "b.json")
        self.assertEqual(*(self.json(name)["tracks"][0]["seal"] for name in ("a.json", "b.json")))

    def test_results_are_right_where_every_track_is_wrong(self):
        results = []
        for tracks in ("root_fp32", "root_exact"):
            words = sets(dict(n=12, block=1, tracks=tracks, rule="B13/S0246", density=0.4))
            self.succeeds("run", "simplex", "--backend", "cpu", *words, "--frames", 3, "--stats", "s.json")
            self.assertIs(self.json("s.json")["tracks"][0]["agrees"], tracks == "root_exact")
            results.append(self.json("s.json")["results"]["alive_cells"])
        self.assertEqual(*results)


class Picks(ProgramTest):
    """Scene texts are shared, so a pick in one may be any number: a pick that no track shows is dropped and told."""

    def test_wires_past_the_network(self):
        for select in (f"wire:0,{2**31}", f"wire:0,{2**32 - 1}", f"wire:{2**32 - 1},0", f"wire:0,{2**31},6"):
            with self.subTest(select=select):
                (self.folder / "wire.toml").write_text(
                    f'schema = 1\nscene = "butterfly"\n[parameters]\nn = 6\nbatch = 8\n[view]\nselect = "{select}"\n')
                done = self.warploom("run", "--scene-file", "wire.toml", "--frames", 1, "--backend", "cpu",
                                     "--capture", "wire.png", "--size", "640x360")
                self.assertEqual(done.code, 0, done)
                self.assertIn(f"{select}: no track shows it", done.err)


if __name__ == "__main__":
    main()
