"""What the program refuses: the exit code, a message that names the culprit and the remedy, and nothing written."""

from oracle import FRACTALS, Fractal
from warploom_test import OPTIONS, OUTPUTS, ProgramTest, main, sets

OUT = " ".join(OUTPUTS)


class Values(ProgramTest):
    """Exit code 2: the value itself is wrong."""

    def test_one_value(self):
        for key, values, says in (
            ("level", ("-1", "40", "1.5", "abc", "", "99999999999999999999", "0x3", "5 ", "+-3"), ["level"]),
            ("rule", ("B9/S", "B3B23", "23/3/3", "B33/S23", "B3/S2323", "", "/", "B/", "B3/S23/", "B3/S23x", "B 3/S23", "B3/S9",
                      "B3//S23", "life"), ["rule"]),
            ("density", ("nan", "inf", "-inf", "2", "-1", "abc", "", "1.0000001", "-0.1", "0,5", "0.5x"), ["density", "0", "1"]),
            ("seed", ("-1", str(2**64), "abc", "", "1.5", "99999999999999999999999", "7x"), ["seed"]),
            ("tracks", ("", ",", "bounding_box,", ",bounding_box", "bounding_box,,lambda_serial", ["bounding_box"] * 5), ["track"]),
            ("fractal", ("",), ["fractal"]), ("work", ("",), ["work"]),
            ("level", ("40",), ["40"]), ("level", ("-1",), ["-1"]), ("rule", ("B9/S",), ["B9/S"]), ("rule", ("B3B23",), ["B3B23", "'S'"]),
        ):
            self.all_refused(key, values, says)
        for seed in ("-1", str(2**64), "abc", "", "1.5", "99999999999999999999999", "7x"):
            self.refused(f"--seed={seed}", says=["seed"])

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
            self.assertNotIn(block, Fractal(FRACTALS[fractal], 5).blocks())
            self.all_refused("block", [block], ["block", str(block), sides], fractal=fractal, level=5)
        self.refused(level=3, block=16, says=["block", "1, 2, 4, 8"])
        self.refused(level=0, block=2, says=["block", "1"])
        self.all_refused("block", ("64", "1024", "-2", "abc", "2.5", "1000000", "4294967297", "4294967300"), level=8)

    def test_unknown_names_name_the_nearest(self):
        for track, near in (("bounding_bo", "bounding_box"), ("lambda_seriel", "lambda_serial"), ("lambda_serial/unrol", "unroll"),
                           ("lambda_table/lockup", "lookup"), ("Lambda_shuffle", "lambda_shuffle"), ("bounding_box/unroll", "bounding_box"),
                           ("lambda_serial/unroll/embeded", "embedded"), ("lambda_serial/", "lambda_serial"),
                           ("lambda_serial/unroll/embedded/x", "lambda_serial")):
            self.all_refused("tracks", [track, "bounding_box," + track], [track, near])
        for key, value, near in (("fractal", "sierpinski_gaskt", "sierpinski_gasket"), ("fractal", "vicsec", "vicsek"),
                                 ("work", "lief", "life"), ("work", "single_writ", "single_write"), ("work", "map-only", "map_only")):
            self.all_refused(key, [value], [value, near])
        for key, near in (("levle", "level"), ("Level", "level"), ("blok", "block"), ("fractl", "fractal"), ("track", "tracks"),
                          ("desity", "density"), ("sead", "seed"), ("stat", "state"), ("rul", "rule"), ("works", "work")):
            self.all_refused(key, [5], [key, near])

    def test_options(self):
        for option, values in (
            ("--frames", ("-1", "abc", "1.5", "", str(2**64), "0x10")), ("--warmup", ("-1", "x")), ("--steps-per-frame", ("0", "-4", "many")),
            ("--size", ("0x0", "640", "640x", "x480", "640x480x3", "-640x480", "axb", "640X480 ", "1000000x1000000", "640*480", "",
                        "4294967936x480")),
            ("--theme", ("",)), ("--set", ("", "level", "=5")),
        ):
            for value in values:
                with self.subTest(option=option, value=value):
                    self.refused(*([f"{option}={value}"] if option == "--size" else [option, value]), says=[option])
        self.refused("--theme", "drak", says=["drak", "dark"])
        self.refused("--set", "level", says=["level", "="])
        self.fails(2, "run", "fractal", "--set", says=["--set"])

    def test_backend_and_interop(self):
        self.all_fail(
            (2, f"run fractal --backend cuad {OUT}", "cuad", "cuda"), (2, f"run fractal --backend gpu {OUT}", "gpu", "cpu", "cuda", "auto"),
            (2, f"run fractal --backend cpu --interop stage {OUT}", "stage", "staged"),
            (2, f"run fractal --backend cpu --interop '' {OUT}", "interop"), (2, "doctor --backend cuad", "cuad", "cuda"),
            (2, f"run fractal --backend cpu --interop stage --capture c.png {OUT}", "stage", "staged"))


class Effects(ProgramTest):
    """Exit code 0: a value that has no effect beside the others is taken, and said."""

    def test_what_has_no_effect(self):
        for scene, settings, says in (
            ("fractal", dict(level=3, work="single_write", rule="B36/S23"), "rule has no effect here: work 'single_write' has no rule"),
            ("simplex", dict(domain="triangle", n=8, work="distance_matrix", density=0.2, points=0),
             "density has no effect here: work 'distance_matrix' has no cells that live"),
            ("simplex", dict(n=8, work="map_only", seed=5), "seed has no effect here: work 'map_only' has nothing random"),
            ("simplex", dict(n=8, points=100), "points has no effect here: work 'automaton' needs no points"),
            ("fractal", dict(level=3, rule="B36/S23", density=0.2, block=2, lanes="bounding_box", seed=5), None),
            ("simplex", dict(domain="triangle", n=8, work="distance_matrix", points=50, seed=3), None),
        ):
            with self.subTest(scene=scene, **settings):
                more = ["--seed", settings.pop("seed")] if settings.get("seed") == 5 else []
                result = self.succeeds("run", scene, "--backend", "cpu", "--interop", "none", "--frames", 1, *sets(settings), *more, *OUTPUTS)
                said = [line for line in result.err.splitlines() if "no effect" in line]
                self.assertEqual(said, [f"warploom: {says}"] if says else [])

    def test_scene_texts_are_silent(self):
        (self.folder / "s.toml").write_text('schema = 1\nscene = "fractal"\n[parameters]\nlevel = 3\nwork = "map_only"\nrule = "B36/S23"\n')
        result = self.succeeds("run", "--scene-file", "s.toml", "--backend", "cpu", "--interop", "none", *OUTPUTS)
        self.assertNotIn("no effect", result.err)


class Words(ProgramTest):
    """Options, commands, scenes and topics that are not there."""

    def test_every_option_misspelt(self):
        for option in OPTIONS:
            for wrong in (option + "x", option[:3] + option[4:], "--" + option[2:].replace("-", "_") + "s"):
                if wrong not in OPTIONS:
                    self.all_fail(*((2, f"run fractal {words} {OUT}", wrong, option) for words in (f"{wrong} x", f"{wrong}=x")))

    def test_unknown_words(self):
        self.all_fail(
            # view refuses before it looks for a display
            (2, "--sett level=3", "--sett", "--set"), (2, "view fractal --set levle=3", "levle", "level"),
            (2, "view fractal --backend cpu --set level=-1", "level"), (2, "view --theme drak", "drak", "dark"),
            (1, "view --scene-file missing.toml", "missing.toml"), (1, "view fractal --set state=missing.npy", "missing.npy"),
            # scenes
            (2, f"run fractl {OUT}", "fractl", "fractal"), (2, f"run {OUT}", "scene", "fractal"), (2, f"run fractal fractal {OUT}", "fractal"),
            (2, f"run '' {OUT}", "fractal"), (2, "fractl", "fractl", "fractal"),
            # commands
            *((2, wrong, wrong, near) for wrong, near in (("rnu", "run"), ("lst", "list"), ("doctr", "doctor"), ("benhc", "bench"),
                                                          ("veiw", "view"), ("Run", "run"))),
            # topics
            *((2, f"list '{wrong}'", wrong, near) for wrong, near in (("fractal", "fractals"), ("parameter", "parameters"), ("mpas", "maps"),
                                                                      ("colourmaps", "colormaps"), ("", "maps"))),
            (2, "list maps works", "works"), (2, "list --jsn", "--jsn", "--json"), (2, "doctor --jsn", "--jsn", "--json"),
            (2, "doctor now", "now"),
            # suites
            (2, "bench ceiling --backend cpu", "ceiling", "ceilings"), (2, "bench fractals --backend cpu", "fractals", "fractal"),
            (2, "bench fractal --backend cpu --set levle=3", "levle", "level"),
            (2, "bench fractal --backend cpu --stats b.txt", "b.txt", ".json", ".csv"))

    def test_options_that_want_a_value(self):
        self.all_fail(*((2, f"run fractal {option}", option) for option in OPTIONS if option != "--overlay"))


if __name__ == "__main__":
    main()
