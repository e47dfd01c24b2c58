"""Maps that users write (run --map): judged, sealed, and harmless whatever they do. Plain Python says what is right.

WARPLOOM_FULL=1: every fractal, level and block.
"""

import os
import subprocess
import tempfile
import time
import unittest

from oracle import FRACTALS, Fractal, Settings
from warploom_test import ProgramTest, main, sets

FULL = bool(os.environ.get("WARPLOOM_FULL"))
EXAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../assets/own")
CACHE = tempfile.TemporaryDirectory(prefix="warploom-own-")
MASKS = {"tall": ["#.", "##", ".#"], "apart": ["#.#", "...", "#.#"], "wide": ["##.#"]}


class OwnTest(ProgramTest):
    def environment(self, **more):
        return super().environment(XDG_CACHE_HOME=CACHE.name, **more)

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text) if isinstance(text, str) else path.write_bytes(text)
        return path

    def example(self, name):
        return os.path.join(EXAMPLES, name)

    def run_maps(self, *maps, code=0, frames=8, words=(), **settings):
        more = [word for one in maps for word in ("--map", one)]
        return self.run_scene(*more, *words, frames=frames, code=code, **settings)

    def own(self, stats):
        return next(track for track in stats["tracks"] if track["own"])

    def check_right(self, stats, fractal, block):
        track = self.own(stats)
        judge = track["own"]["judge"]
        cells = fractal.k ** fractal.level
        self.assertEqual((judge["whole"], judge["missed"], judge["doubled"], judge["served"], judge["cells"]),
                         (True, 0, 0, cells, cells))
        self.assertEqual(judge["visits"], track["threads"]["launched"])
        self.assertEqual(judge["served"], track["threads"]["useful"])
        self.assertIs(track["own"]["trusted"], True)
        self.assertIsNone(track["own"]["fault"])
        self.assertEqual({one["seal"] for one in stats["tracks"]}, {track["seal"]})
        self.assertTrue(all(one["agrees"] for one in stats["tracks"]))
        return track

    def check_visits(self, fractal, served=None):
        _, _, rows = self.dumped("track2_visits.npy")
        for y, row in enumerate(rows):
            for x, times in enumerate(row):
                if fractal.picture[y][x] != "#":
                    self.assertEqual(times, 255, (x, y))
                else:
                    self.assertEqual(times, 1 if served is None else min(served.get((x, y), 0), 2), (x, y))


class Right(OwnTest):
    def test_lambda_serves_every_fractal(self):
        levels = range(1, 7) if FULL else (4,) if Settings.quick else (1, 4)
        names = FRACTALS if FULL else ("cantor_set",) if Settings.quick else ("sierpinski_gasket", "cantor_set", "vicsek")
        for name in names:
            for level in levels:
                fractal = Fractal(FRACTALS[name], level)
                if fractal.width * fractal.height > (1 << 22 if FULL else 1 << 14):
                    continue
                for block in fractal.blocks() if FULL else (fractal.default_block(),):
                    with self.subTest(fractal=name, level=level, block=block):
                        stats = self.run_maps(self.example("lambda.h"), words=["--dump", "d"], fractal=name, level=level, block=block)
                        self.check_right(stats, fractal, block)
                        if fractal.width * fractal.height <= 1 << 16:
                            self.check_visits(fractal)

    def test_lambda_serves_drawn_masks(self):
        for name, rows in MASKS.items():
            self.write(f"{name}.toml", f'name = "{name}"\nsource = "drawn"\nstatus = "drawn"\nrows = {rows}\n'.replace("'", '"'))
            for level in range(1, 5) if FULL else (2, 3):
                fractal = Fractal(rows, level)
                for block in fractal.blocks() if FULL else (fractal.default_block(),):
                    with self.subTest(mask=name, level=level, block=block):
                        stats = self.run_maps(self.example("lambda.h"), words=["--dump", "d"], fractal=f"{name}.toml", level=level, block=block)
                        self.check_right(stats, fractal, block)
                        self.check_visits(fractal)

    def test_every_way_storage_and_work(self):
        fractal = Fractal(FRACTALS["vicsek"], 4)
        for work in ("life", "single_write", "reduction", "map_only"):
            for way in ("", "/unroll", "/lookup", "/sub_boxes/compact", "/unroll/compact", "/lookup/compact"):
                if not FULL and (work in ("life", "map_only")) == bool(way) or Settings.quick and way != "/lookup/compact":
                    continue
                with self.subTest(work=work, way=way):
                    stats = self.run_maps(self.example("lambda.h"), fractal="vicsek", level=4, work=work,
                                          tracks=["bounding_box", "lambda_serial", "own:lambda" + way])
                    track = self.check_right(stats, fractal, 9)
                    self.assertEqual(track["name"], "own:lambda" + way)
                    twin = "lambda_serial" + way
                    self.assertEqual(track["threads"]["launched"], fractal.threads(twin if twin.count("/") < 2 else twin.rsplit("/", 1)[0], 9)[0])

    def test_constants_change_nothing_but_times(self):
        for scene, example, settings in (("fractal", "lambda.h", {"fractal": "vicsek", "level": 4}), ("fractal", "cells.h", {"level": 5}),
                                         ("simplex", "rectangle.h", {"domain": "triangle", "n": 65}),
                                         ("simplex", "tetrahedron.h", {"domain": "tetrahedron_corner", "n": 21})):
            if Settings.quick and example != "rectangle.h":
                continue
            seen = []
            for constants in ("off", "on"):
                more = [word for key, value in {**settings, "constants": constants}.items() for word in ("--set", f"{key}={value}")]
                self.succeeds("run", scene, "--backend", Settings.backend, "--interop", "none", "--frames", 4, "--map",
                              self.example(example), "--stats", "c.json", *more,
                              env=self.environment(WARPLOOM_OWN_KEEP=str(self.folder / "kept")) | {"XDG_CACHE_HOME": str(self.folder / "cache")})
                stats = self.json("c.json")
                self.assertEqual(stats["parameters"]["constants"], constants)
                made = next((self.folder / "kept").glob("own.c*")).read_text()
                self.assertEqual("#define WARPLOOM_OWN_CONSTANTS(run) run." in made, constants == "on")
                own = stats["tracks"][-1]
                seen.append((own["seal"], own["agrees"], {key: value for key, value in own["own"]["judge"].items() if key != "ms"}))
            self.assertEqual(seen[0], seen[1], (scene, example))
            self.assertTrue(seen[0][1])

    def test_numbers_are_what_they_say(self):
        """Sizes of the domain in roots and in divisions of 64 bits: what is wrong would miss cells."""
        (self.folder / "numbers.h").write_text(
            "Place place(Block b, Domain d) {\n"
            "  const unsigned rho = d.rho;\n"
            "  const unsigned long long big = (7ull << 33) + b.x;\n"
            "  if (big / d.rho != big / (unsigned long long)rho || big % d.rho != big % (unsigned long long)rho) return nowhere;\n"
            "  if (floor(b.x) != b.x || floor(d.rho) != rho || abs(d.rho) != rho) return nowhere;\n"
            "  if (sqrt(d.rho) != sqrt(rho) || cbrt(d.k) != cbrt((unsigned)d.k)) return nowhere;\n"
            "  return {b.x, b.y};\n}\n")
        self.succeeds("run", "fractal", "--backend", Settings.backend, "--interop", "none", "--frames", 2, "--map", "numbers.h",
                      "--set", "level=5", env=self.environment())

    def test_what_was_compiled_is_kept_each_time(self):
        for folder in ("first", "second"):
            self.succeeds("run", "fractal", "--backend", "cpu", "--interop", "none", "--frames", 1, "--map", self.example("box.h"),
                          "--set", "level=4", env=self.environment(WARPLOOM_OWN_KEEP=str(self.folder / folder)))
            self.assertTrue((self.folder / folder / "own.cpp").exists())

    def test_maps_by_cells_launches_and_turns(self):
        texts = {
            "launches": "int launches(Domain) { return 2; }\nPlace grid(Domain d) { return {d.blocks, d.blocks_y / 2, 1}; }\n"
                        "Place place(Block b, Domain d) { return {b.x, b.y + b.launch * (d.blocks_y / 2)}; }\n",
            "turns": "int turns(Domain d) { return int(d.blocks_y); }\nPlace grid(Domain d) { return {d.blocks, 1, 1}; }\n"
                     "Place place(Block b, Domain) { return {b.x, b.turn}; }\n",
            "members": "Place place(Block b, Domain d) { return d.holds_block({b.x, b.y}) ? Place{b.x, b.y} : nowhere; }\n",
            "rows": "Place threads(Domain) { return {32, 2, 1}; }\nPlace cell(Thread t, Domain) { return {t.x, t.y}; }\n",
            "turned": "Place cell(Thread t, Domain d) { return d.holds({t.y, t.x}) ? Place{t.y, t.x} : nowhere; }\n",
        }
        fractal = Fractal(FRACTALS["sierpinski_gasket"], 6)
        for name, text in texts.items():
            with self.subTest(name):
                self.check_right(self.run_maps(self.write(f"{name}.h", text), level=6, words=["--dump", "d"]), fractal, 16)
                self.check_visits(fractal)
        self.check_right(self.run_maps(self.example("box.h"), level=6), fractal, 16)
        self.check_right(self.run_maps(self.example("cells.h"), level=6), fractal, 16)

    def test_what_answers_need_is_tested_and_no_more(self):
        box = self.own(self.run_maps(self.example("box.h"), level=6))["own"]["judge"]
        self.assertEqual(box["outside"], (4**2 - 3**2) * 16**2)
        self.assertEqual(self.own(self.run_maps(self.example("lambda.h"), level=6))["own"]["judge"]["outside"], 0)

    def test_a_text_is_read_as_editors_write_it_and_kept(self):
        text = "#include <warploom/own.h>\r\nPlace place(Block b, Domain) {\r\n  return {b.x, b.y};\r\n}\r\n"
        path = self.write("windows.h", b"\xef\xbb\xbf" + text.encode())
        first, second = (self.own(self.run_maps(path, level=5, frames=1))["own"] for _ in range(2))
        self.assertEqual((first["cached"], second["cached"]), (False, True))

    def test_steps_of_a_frame_and_capture(self):
        stats = self.run_maps(self.example("lambda.h"), level=6, words=["--steps-per-frame", "7"])
        self.check_right(stats, Fractal(FRACTALS["sierpinski_gasket"], 6), 16)
        self.assertEqual(stats["steps"], 56)
        if not Settings.quick:
            self.run_maps(self.example("lambda.h"), level=6, words=["--capture", "c.png"])


class Wrong(OwnTest):
    def check(self, text, level=5, block=8, rule=None):
        """`rule(x, y, blocks)`: the block that a launched one serves; None: none."""
        fractal = Fractal(FRACTALS["sierpinski_gasket"], level)
        served, outside, side = {}, 0, fractal.width // block
        for w_y in range(side):
            for w_x in range(side):
                to = rule(w_x, w_y, side)
                if to is None:
                    continue
                x, y = to
                cells = [(x * block + i, y * block + j) for j in range(block) for i in range(block)]
                if not (x < side and y < side and any(fractal.picture[b][a] == "#" for a, b in cells)):
                    outside += len(cells)
                    continue
                for a, b in cells:
                    if fractal.picture[b][a] == "#":
                        served[a, b] = served.get((a, b), 0) + 1
        members = [(x, y) for y in range(fractal.height) for x in range(fractal.width) if fractal.picture[y][x] == "#"]
        missed = [cell for cell in members if cell not in served]
        doubled = [cell for cell in members if served.get(cell, 0) > 1]
        path = self.write("wrong.h", text)
        result = self.warploom("run", "fractal", "--backend", Settings.backend, "--interop", "none", "--map", path, "--frames", 3,
                               *sets({"level": level, "block": block, "work": "single_write"}), "--stats", "s.json", "--dump", "d")
        stats = self.json("s.json")
        track = self.own(stats)
        judge = track["own"]["judge"]
        self.assertEqual(result.code, 3 if missed or doubled else 0, str(result))
        self.assertEqual(track["badge"], "CONTRACT BROKEN" if missed or doubled else None)
        self.assertEqual((judge["missed"], judge["doubled"], judge["outside"]), (len(missed), len(doubled), outside))
        self.assertEqual(judge["first_missed"], list(missed[0]) if missed else None)
        self.assertEqual(judge["first_doubled"], list(doubled[0]) if doubled else None)
        if missed:
            self.assertIn(f"own:wrong: {len(missed)} cells missed, first ({missed[0][0]}, {missed[0][1]})", result.err)
        if missed or doubled:
            self.assertTrue(all(one["ratio_to_baseline"] is None for one in stats["tracks"] if one["own"]))
            self.assertIs(track["own"]["trusted"], False)
        self.assertTrue(all(one["agrees"] for one in stats["tracks"] if not one["own"]))
        self.check_visits(fractal, served)
        for y, row in enumerate(self.dumped_state(2)):  # what nobody serves is 0
            for x, value in enumerate(row):
                self.assertEqual(value, 1 if (x, y) in served else 0)

    def test_figures_are_those_of_a_plain_loop(self):
        maps = {
            "{b.x, b.x}": lambda x, y, n: (x, x), "{b.y, b.x}": lambda x, y, n: (y, x), "{b.x + 1, b.y}": lambda x, y, n: (x + 1, y),
            "{b.x / 2, b.y}": lambda x, y, n: (x // 2, y), "{0, 0}": lambda x, y, n: (0, 0),
            "{b.x % (d.blocks - 1), b.y}": lambda x, y, n: (x % (n - 1), y), "{b.x ^ 1, b.y}": lambda x, y, n: (x ^ 1, y),
        }
        for text, rule in list(maps.items()) if FULL else list(maps.items())[:4]:
            with self.subTest(text):
                self.check(f"Place place(Block b, Domain d) {{ (void)d; return {text}; }}\n", rule=rule)
        with self.subTest("nowhere"):
            self.check("Place place(Block b, Domain) { return b.y == 1 ? nowhere : Place{b.x, b.y}; }\n",
                       rule=lambda x, y, n: None if y == 1 else (x, y))

    def test_an_own_map_that_comes_first_judges_nobody(self):
        path = self.write("wrong.h", "Place place(Block b, Domain) { return {b.x, b.x}; }")
        stats = self.run_maps(path, code=3, level=5, tracks=["own:wrong", "bounding_box", "lambda_serial"])
        self.assertEqual([track["agrees"] for track in stats["tracks"]], [False, True, True])


FALLS = {  # text, kind, lines that may be told (none: not known)
    "division": ("Place place(Block b, Domain d) {\n  return {b.x / (d.n - 64), b.y};\n}\n", "division", {2}),
    "index": ("Place place(Block b, Domain) {\n  unsigned t[2] = {0, 1};\n  return {t[b.x], b.y};\n}\n", "bounds", {3}),
    "write": ("Place place(Block b, Domain) {\n  *(int*)(0x123456789000 + 4096 * b.x) = 1;\n  return {b.x, b.y};\n}\n", "address", {2}),
    "recursion": ("unsigned f(unsigned x) {\n  return x == 99999999 ? x : f(x + 1) + f(x + 2) % 3;\n}\n"
                  "Place place(Block b, Domain) { return {f(b.x), b.y}; }\n", "stack", {1, 2, 4}),
    "no_return": ("Place place(Block b, Domain) {\n  if (b.x < 2) return {b.x, b.y};\n}\n", "undefined", {1, 2, 3}),
    "endless": ("Place place(Block b, Domain) {\n  for (unsigned i = 0; i < 10; i += b.x > 99) {\n  }\n  return {b.x, b.y};\n}\n", "time", {1, 2}),
    "endless_grid": ("Place grid(Domain d) {\n  for (;;) {\n  }\n}\nPlace place(Block b, Domain) { return {b.x, b.y}; }\n", "time", {1, 2}),
    "call": ('Place place(Block b, Domain) {\n  long r;\n  asm volatile("syscall" : "=a"(r) : "a"(39) : "rcx", "r11");\n'
             "  return {b.x + unsigned(r), b.y};\n}\n", "call", {None}),
    "old_call": ('Place place(Block b, Domain) {\n  long r;\n  asm volatile("int $0x80" : "=a"(r) : "a"(20));\n'
                 "  return {b.x + unsigned(r), b.y};\n}\n", "call or address", {None, 3}),  # many kernels have no such calls
    "end": ('Place place(Block b, Domain) {\n  asm volatile("syscall" : : "a"(231), "D"(0) : "rcx", "r11");\n  return {b.x, b.y};\n}\n', "end", {None}),
    "no_blocks": ("Place grid(Domain) { return {0, 1, 1}; }\nPlace place(Block b, Domain) { return {b.x, b.y}; }\n", "launch", {None}),
    "many_blocks": ("Place grid(Domain) { return {4000000000u, 4000000000u, 4000000000u}; }\n"
                    "Place place(Block b, Domain) { return {b.x, b.y}; }\n", "launch", {None}),
    "many_threads": ("Place threads(Domain) { return {64, 64, 1}; }\nPlace cell(Thread t, Domain) { return {t.x, t.y}; }\n", "launch", {None}),
    "no_launch": ("int launches(Domain) { return 0; }\nPlace place(Block b, Domain) { return {b.x, b.y}; }\n", "launch", {None}),
}


@unittest.skipIf(Settings.backend != "cpu", "a device tells other kinds: scripts/gpu_own.py")
class Falls(OwnTest):
    def hosts(self):
        """The hosts of this test that still run."""
        found = []
        for process in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{process}/cmdline", "rb") as line:
                    words = line.read().split(b"\0")
                with open(f"/proc/{process}/environ", "rb") as variables:
                    mine = f"HOME={self.base}".encode() in variables.read().split(b"\0")
            except OSError:
                continue
            if mine and words[0].endswith(b"warploom-host"):
                found.append(process)
        return found

    def test_are_told_and_harm_nothing(self):
        for name, (text, kind, lines) in FALLS.items():
            if Settings.quick and name not in ("division", "write", "recursion", "endless", "end", "many_threads"):
                continue  # the release build has them all
            with self.subTest(name):
                path = self.write("fall.h", text)
                result = self.warploom("run", "fractal", "--backend", Settings.backend, "--interop", "none", "--map", path, "--frames", 4, "--set", "level=6",
                                       "--stats", "s.json", "--dump", "d", env=self.environment(WARPLOOM_OWN_PATIENCE="0.7"))
                self.assertEqual(result.code, 3, str(result))
                stats = self.json("s.json")
                track = self.own(stats)
                fault = track["own"]["fault"]
                self.assertIn(fault["kind"], kind.split(" or "), fault)
                self.assertIn(fault["line"], lines, fault)
                self.assertEqual((track["seal"], track["agrees"], track["threads"]), (None, False, None))
                self.assertEqual(track["badge"], "NO END" if kind == "time" else "FELL")
                others = [one for one in stats["tracks"] if not one["own"]]
                self.assertTrue(all(one["agrees"] and one["seal"] == others[0]["seal"] for one in others))
                at = f"fall.h:{fault['line']}" if fault["line"] else "fall.h"
                self.assertIn(f"{at}: own:fall {'has no end' if kind == 'time' else 'fell'}: ", result.err)
                self.assertEqual(self.hosts(), [])

    def test_a_host_ends_with_its_program(self):
        path = self.write("endless.h", FALLS["endless"][0])
        process = subprocess.Popen([Settings.program, "run", "fractal", "--backend", Settings.backend, "--interop", "none", "--map", path, "--frames", "1",
                                    "--stats", "s.json"], cwd=self.folder, env=self.environment(WARPLOOM_OWN_PATIENCE="60"), stderr=subprocess.DEVNULL)
        end = time.time() + 60
        while not self.hosts() and time.time() < end:
            time.sleep(.02)
        self.assertTrue(self.hosts(), "the host never began")
        time.sleep(.5)
        process.kill()
        process.wait()
        end = time.time() + 5
        while self.hosts() and time.time() < end:
            time.sleep(.02)
        self.assertEqual(self.hosts(), [])


class Refused(OwnTest):
    def refuse(self, code, path, *says, env=None, words=(), **settings):
        return self.fails(code, "run", "fractal", "--backend", Settings.backend, "--map", path, *words, "--frames", 1, *sets({"level": 4, **settings}), *self.outputs,
                          says=says, env=env)

    def test_what_is_not_cpp(self):
        good = "Place place(Block b, Domain) { return {b.x, b.y}; }\n"
        for name, text, line in (
            ("semicolon", "Place place(Block b, Domain) {\n  unsigned x = b.x\n  return {x, b.y};\n}\n", (2, 3)),  # clang, GCC
            ("name", "Place place(Block b, Domain) {\n  return {c.x, b.y};\n}\n", 2),
            ("type", "Place place(Block b, Domain) {\n  Place p = \"here\";\n  return p;\n}\n", 2),
            ("few", "Place place(Block b, Domain) {\n  if (b.x) {\n  return {b.x, b.y};\n}\n", 1),
            ("many", good + "}\n", 2), ("neither", "int x;\n", 1), ("both", good + "Place cell(Thread t, Domain) { return {t.x, t.y}; }\n", 2),
            ("include", good + "#include <vector>\n", 2), ("digraph", good + "%:include <vector>\n", 2),
            ("spliced", good + "#\\\ninclude <vector>\n", 2), ("blanks", good + "#\\ \ninclude <vector>\n", 2),
            ("comment", good + "#/**/include <vector>\n", 2),
            ("launches", good + "Place launches(Domain) { return {1}; }\n", 2), ("turns", good + "Place turns(Domain) { return {1}; }\n", 2),
            ("deep", "template <int n> struct D { static constexpr int v = D<n - 1>::v + 1; };\ntemplate <> struct D<0> { static constexpr int v = 0; };\n"
                     "Place place(Block b, Domain) { return {b.x + D<100000>::v, b.y}; }\n", None),
            ("empty", "", 1), ("bytes", bytes(range(256)), None), ("answer", "int place(Block b, Domain) { return 1; }\n", 1),
        ):
            with self.subTest(name):
                path = self.write(f"{name}.h", text)
                result = self.refuse(1, path, f"{name}.h:")
                if line:
                    told = int(result.err.split(f"{name}.h:")[1].split(":")[0])
                    self.assertIn(told, line if isinstance(line, tuple) else (line,), str(result))
                self.assertNotIn("gpu/", result.err)
                self.assertNotIn("brace-enclosed", result.err)
        # What never ran is not known as run here.
        self.assertEqual([*self.base.glob("**/own-maps-run/*")], [])

    def test_a_text_that_takes_too_long(self):
        path = self.write("doubling.h", "template <int n, int m> struct D { static constexpr long v = D<n - 1, 2 * m>::v + D<n - 1, 2 * m + 1>::v; };\n"
                          "template <int m> struct D<0, m> { static constexpr long v = m; };\n"
                          "Place place(Block b, Domain) { return {b.x + unsigned(D<30, 0>::v), b.y}; }\n")
        if not Settings.quick:
            self.refuse(1, path, "doubling.h:")

    def test_compilers_and_files(self):
        box = self.example("box.h")
        self.refuse(1, box, "no C++ compiler (WARPLOOM_CXX=/nonexistent)", "sudo apt install g++", env=self.environment(WARPLOOM_CXX="/nonexistent"))
        self.refuse(1, "missing.h", "missing.h")
        self.refuse(1, self.write("a b.h", "x"), "a b.h")
        self.refuse(1, ".", ".")
        self.refuse(2, box, "6 tracks", words=[word for _ in range(3) for word in ("--map", box)])
        self.refuse(2, box, "own:bxo", "own:box", tracks="own:bxo")
        self.refuse(2, box, "own:box/unrol", "own:box/unroll", tracks="own:box/unrol")
        for scene in ("bins", "butterfly", "irregular"):
            self.fails(2, "run", scene, "--backend", Settings.backend, "--map", box, *self.outputs, says=("--map", scene, "fractal"))
        self.fails(2, "run", "fractal", "--backend", Settings.backend, "--set", "tracks=own:box", *self.outputs, says=("own:box", "--map"))


if __name__ == "__main__":
    main()
