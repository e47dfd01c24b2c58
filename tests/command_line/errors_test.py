"""What the program refuses: the exit code, a message that names the culprit and the remedy, and nothing written."""


from warploom_test import FRACTALS, Fractal, OUTPUTS, OPTIONS, RefusalTest, main

class Values(RefusalTest):
    """Exit code 2: the value itself is wrong."""

    def test_level(self):
        for level in ("-1", "40", "1.5", "abc", "", "99999999999999999999", "0x3", "5 ", "+-3"):
            with self.subTest(level=level):
                self.refused(level=level, says=["level"])
        self.refused(level=40, says=["40"])
        self.refused(level=-1, says=["-1"])

    def test_level_too_large_for_memory(self):
        for fractal, level in (("sierpinski_gasket", 22), ("sierpinski_gasket", 31), ("sierpinski_carpet", 13),
                               ("candy", 11), ("cantor_set", 20), ("sierpinski_gasket", 19)):
            with self.subTest(fractal=fractal, level=level):
                self.refused(fractal=fractal, level=level, says_any=["byte", "GiB", "TiB", "PiB", "EiB", "2^31"], says=["level"])
        result = self.refused(level=20)
        self.assertRegex(result.err.lower(), r"free|available", str(result))
        self.assertGreaterEqual(sum(c.isdigit() for c in result.err), 4, f"bytes needed and bytes free\n{result}")

    def test_block(self):
        legal = {"sierpinski_gasket": (6, "1, 2, 4, 8, 16, 32"), "vicsek": (4, "1, 3, 9, 27"), "candy": (9, "1, 4, 16"),
                 "cantor_set": (5, "1, 3, 9, 27, 81, 243"), "chandelier": (12, "1, 3, 9, 27")}
        for fractal, (block, sides) in legal.items():
            with self.subTest(fractal=fractal):
                self.assertNotIn(block, Fractal(FRACTALS[fractal], 5).blocks())
                self.refused(fractal=fractal, level=5, block=block, says=["block", str(block), sides])
        self.refused(level=3, block=16, says=["block", "1, 2, 4, 8"])
        self.refused(level=0, block=2, says=["block", "1"])
        for block in ("64", "1024", "-2", "abc", "2.5", "1000000", "4294967297", "4294967300"):
            with self.subTest(block=block):
                self.refused(block=block, level=8, says=["block"])

    def test_rule(self):
        for rule in ("B9/S", "B3S23", "S23/B3", "B33/S23", "B3/S2323", "", "/", "B/", "3/23", "B3/S23/", "B3/S23x", "B 3/S23", "B3/S9",
                     "B3//S23", "life"):
            with self.subTest(rule=rule):
                self.refused(rule=rule, says=["rule"])
        self.refused(rule="B9/S", says=["B9/S"])
        self.refused(rule="B3S23", says=["B3S23", "/"])

    def test_density(self):
        for density in ("nan", "inf", "-inf", "2", "-1", "abc", "", "1.0000001", "-0.1", "0,5", "0.5x"):
            with self.subTest(density=density):
                self.refused(density=density, says=["density", "0", "1"])

    def test_seed(self):
        for seed in ("-1", str(2**64), "abc", "", "1.5", "99999999999999999999999", "7x"):
            with self.subTest(seed=seed):
                self.refused(seed=seed, says=["seed"])
                self.refused(f"--seed={seed}", says=["seed"])

    def test_tracks(self):
        for tracks in ("", ",", "bounding_box,", ",bounding_box", "bounding_box,,lambda_serial", ",".join(["bounding_box"] * 5)):
            with self.subTest(tracks=tracks):
                self.refused(tracks=tracks, says=["track"])
        for track, near in (("bounding_bo", "bounding_box"), ("lambda_seriel", "lambda_serial"), ("lambda_serial/unrol", "unroll"),
                           ("lambda_table/lockup", "lookup"), ("Lambda_shuffle", "lambda_shuffle"), ("bounding_box/unroll", "bounding_box"),
                           ("lambda_serial/unroll/embeded", "embedded"), ("lambda_serial/", "lambda_serial"),
                           ("lambda_serial/unroll/embedded/x", "lambda_serial")):
            with self.subTest(track=track):
                self.refused(tracks=track, says=[track, near])
                self.refused(tracks="bounding_box," + track, says=[track, near])

    def test_unknown_values_name_the_nearest(self):
        for key, value, near in (("fractal", "sierpinski_gaskt", "sierpinski_gasket"), ("fractal", "vicsec", "vicsek"),
                                 ("work", "lief", "life"), ("work", "single_writ", "single_write"), ("work", "map-only", "map_only")):
            with self.subTest(key=key, value=value):
                self.refused(f"--set={key}={value}", says=[value, near])
        self.refused("--set", "fractal=", says=["fractal"])
        self.refused("--set", "work=", says=["work"])

    def test_unknown_keys_name_the_nearest(self):
        for key, near in (("levle", "level"), ("Level", "level"), ("blok", "block"), ("fractl", "fractal"), ("track", "tracks"),
                          ("desity", "density"), ("sead", "seed"), ("stat", "state"), ("rul", "rule"), ("works", "work")):
            with self.subTest(key=key):
                self.refused("--set", f"{key}=5", says=[key, near])

    def test_set_without_a_value(self):
        self.refused("--set", "level", says=["level", "="])
        self.refused("--set", "=5", says=["="])
        self.refused("--set", "", says=["--set"])
        self.fails(2, "run", "fractal", "--set", says=["--set"])

    def test_numbers(self):
        for words in (("--frames", "-1"), ("--frames", "abc"), ("--frames", "1.5"), ("--frames", ""), ("--frames", str(2**64)), ("--frames", "0x10"),
                      ("--warmup", "-1"), ("--warmup", "x"), ("--steps-per-frame", "0"), ("--steps-per-frame", "-4"),
                      ("--steps-per-frame", "many")):
            with self.subTest(words=words):
                self.refused(*words, says=[words[0]])

    def test_size_and_theme(self):
        for size in ("0x0", "640", "640x", "x480", "640x480x3", "-640x480", "axb", "640X480 ", "1000000x1000000", "640*480", "",
                     "4294967936x480"):
            with self.subTest(size=size):
                self.refused(f"--size={size}", says=["--size"])
        self.refused("--theme", "drak", says=["drak", "dark"])
        self.refused("--theme", "", says=["theme"])

    def test_backend_and_interop(self):
        self.fails(2, "run", "fractal", "--backend", "cuad", *OUTPUTS, says=["cuad", "cuda"])
        self.fails(2, "run", "fractal", "--backend", "gpu", *OUTPUTS, says=["gpu", "cpu", "cuda", "auto"])
        self.fails(2, "run", "fractal", "--backend", "cpu", "--interop", "stage", *OUTPUTS, says=["stage", "staged"])
        self.fails(2, "run", "fractal", "--backend", "cpu", "--interop", "", *OUTPUTS, says=["interop"])
        self.fails(2, "doctor", "--backend", "cuad", says=["cuad", "cuda"])

    def test_unknown_interop_with_a_capture(self):
        self.fails(2, "run", "fractal", "--backend", "cpu", "--interop", "stage", "--capture", "c.png", *OUTPUTS, says=["stage", "staged"])


class Effects(RefusalTest):
    """Exit code 0: a value that has no effect beside the others is taken, and said."""

    def run_with(self, scene, *words, **settings):
        more = [w for key, value in settings.items() for w in ("--set", f"{key}={value}")]
        result = self.succeeds("run", scene, "--backend", "cpu", "--interop", "none", "--frames", 1, *more, *words, *OUTPUTS)
        return [line for line in result.err.splitlines() if "no effect" in line]

    def test_said_once_for_each(self):
        self.assertEqual(self.run_with("fractal", level=3, work="single_write", rule="B36/S23"),
                         ["warploom: rule has no effect here: work 'single_write' has no rule"])
        self.assertEqual(self.run_with("simplex", domain="triangle", n=8, work="distance_matrix", density=0.2, points=0),
                         ["warploom: density has no effect here: work 'distance_matrix' has no cells that live"])
        self.assertEqual(self.run_with("simplex", "--seed", 5, n=8, work="map_only"),
                         ["warploom: seed has no effect here: work 'map_only' has nothing random"])
        self.assertEqual(self.run_with("simplex", n=8, points=100), ["warploom: points has no effect here: work 'automaton' needs no points"])

    def test_silent_where_it_has_one(self):
        self.assertEqual(self.run_with("fractal", "--seed", 5, level=3, rule="B36/S23", density=0.2, block=2, lanes="bounding_box"), [])
        self.assertEqual(self.run_with("simplex", domain="triangle", n=8, work="distance_matrix", points=50, seed=3), [])

    def test_scene_texts_are_silent(self):
        (self.folder / "s.toml").write_text('schema = 1\nscene = "fractal"\n[parameters]\nlevel = 3\nwork = "map_only"\nrule = "B36/S23"\n')
        result = self.succeeds("run", "--scene-file", "s.toml", "--backend", "cpu", "--interop", "none", *OUTPUTS)
        self.assertNotIn("no effect", result.err)


class Words(RefusalTest):
    """Options, commands, scenes and topics that are not there."""

    def test_every_option_misspelt(self):
        for option in OPTIONS:
            for wrong in (option + "x", option[:3] + option[4:], "--" + option[2:].replace("-", "_") + "s"):
                if wrong in OPTIONS:
                    continue
                with self.subTest(wrong=wrong):
                    self.fails(2, "run", "fractal", wrong, "x", *OUTPUTS, says=[wrong, option])
                with self.subTest(wrong=wrong + "=x"):
                    self.fails(2, "run", "fractal", f"{wrong}=x", *OUTPUTS, says=[wrong, option])

    def test_view_refuses_before_it_looks_for_a_display(self):
        self.fails(2, "--sett", "level=3", says=["--sett", "--set"])
        self.fails(2, "view", "fractal", "--set", "levle=3", says=["levle", "level"])
        self.fails(2, "view", "fractal", "--backend", "cpu", "--set", "level=-1", says=["level"])
        self.fails(2, "view", "--theme", "drak", says=["drak", "dark"])
        self.fails(1, "view", "--scene-file", "missing.toml", says=["missing.toml"])
        self.fails(1, "view", "fractal", "--set", "state=missing.npy", says=["missing.npy"])

    def test_scene(self):
        self.fails(2, "run", "fractl", *OUTPUTS, says=["fractl", "fractal"])
        self.fails(2, "run", *OUTPUTS, says=["scene", "fractal"])
        self.fails(2, "run", "fractal", "fractal", *OUTPUTS, says=["fractal"])
        self.fails(2, "run", "", *OUTPUTS, says=["fractal"])
        self.fails(2, "fractl", says=["fractl", "fractal"])

    def test_command(self):
        for wrong, near in (("rnu", "run"), ("lst", "list"), ("doctr", "doctor"), ("benhc", "bench"), ("veiw", "view"), ("Run", "run")):
            with self.subTest(wrong=wrong):
                self.fails(2, wrong, says=[wrong, near])

    def test_topic(self):
        for wrong, near in (("fractal", "fractals"), ("parameter", "parameters"), ("mpas", "maps"), ("colourmaps", "colormaps"), ("", "maps")):
            with self.subTest(wrong=wrong):
                self.fails(2, "list", wrong, says=[wrong, near])
        self.fails(2, "list", "maps", "works", says=["works"])
        self.fails(2, "list", "--jsn", says=["--jsn", "--json"])
        self.fails(2, "doctor", "--jsn", says=["--jsn", "--json"])
        self.fails(2, "doctor", "now", says=["now"])

    def test_suite(self):
        self.fails(2, "bench", "ceiling", "--backend", "cpu", says=["ceiling", "ceilings"])
        self.fails(2, "bench", "fractals", "--backend", "cpu", says=["fractals", "fractal"])
        self.fails(2, "bench", "fractal", "--backend", "cpu", "--set", "levle=3", says=["levle", "level"])
        self.fails(2, "bench", "fractal", "--backend", "cpu", "--stats", "b.txt", says=["b.txt", ".json", ".csv"])

    def test_options_that_want_a_value(self):
        for option in OPTIONS:
            if option != "--overlay":
                with self.subTest(option=option):
                    self.fails(2, "run", "fractal", option, says=[option])


if __name__ == "__main__":
    main()
