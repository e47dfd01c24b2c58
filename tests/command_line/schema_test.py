"""The shape of what is written: stats, CSV, dumps, lists, doctor, help. Against the design's interface.md."""

import csv
import io
import json
import re

from oracle import ALL_TRACKS, FRACTALS, Fractal
from warploom_test import FOUR, OPTIONS, ProgramTest, in_fours, main, sets

NUMBER = (int, float)
TEXT = (str,)
OPTIONAL_TEXT = (str, type(None))
OPTIONAL_NUMBER = (int, float, type(None))


def typed(**names):
    """{field: types} of types and the names of those that have them."""
    kinds = dict(text=TEXT, optional_text=OPTIONAL_TEXT, whole=(int,), number=NUMBER, optional_number=OPTIONAL_NUMBER, boolean=(bool,),
                 table=(dict,), optional_table=(dict, type(None)), array=(list,))
    return {name: kinds[kind] for kind, words in names.items() for name in words.split()}


ENVIRONMENT = typed(text="backend device interop cpu compiler build", whole="threads", array="devices",
                     optional_text="compute_capability driver cuda_runtime gl_renderer commit")
STATS = typed(text="schema version time_utc scene", table="environment parameters results", whole="steps frames baseline",
               array="tracks", optional_table="frame")
TRACK = typed(whole="track", text="letter name map seal", optional_text="requested intra storage layout", boolean="exact agrees",
               optional_table="devices diverged_at ratio_to_baseline", array="launches grid block kernels", table="threads blocks")
KERNEL = typed(text="name", whole="samples dropped steps_per_sample launches_per_sample", optional_number=(
    "median_ms p5_ms p95_ms p99_ms min_ms median_low_ms median_high_ms gb_per_s")) | {"bytes": (int, type(None))}
RATIO = typed(text="kernel", number="median low high")
FRAME = typed(whole="samples", optional_number="median_ms p95_ms ui_median_ms interop_median_ms")
PARAMETERS = ("fractal", "level", "block", "work", "rule", "density", "seed", "state", "tracks", "constants", "devices", "device_memory")
TOPICS = ("scenes", "maps", "works", "fractals", "parameters", "commands", "options", "presets", "own", "suites", "colormaps", "glossary",
          "tours", "puzzles")


class SchemaTest(ProgramTest):
    def fields(self, value, schema, where):
        self.assertIsInstance(value, dict, where)
        for name, types in schema.items():
            with self.subTest(field=f"{where}.{name}"):
                self.assertIn(name, value)
                self.assertIsInstance(value[name], types)
                if bool not in types:
                    self.assertNotIsInstance(value[name], bool)

    def check_stats(self, stats):
        self.fields(stats, STATS, "stats")
        self.assertEqual(stats["schema"], "warploom.stats/1")
        self.assertRegex(stats["version"], r"^\d+\.\d+\.\d+$")
        self.assertRegex(stats["time_utc"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
        self.fields(stats["environment"], ENVIRONMENT, "environment")
        self.assertIn(stats["environment"]["interop"], ("gl", "staged", "upload", "none"))
        self.assertIn(stats["environment"]["backend"], ("cpu", "cuda"))
        for key in PARAMETERS:
            self.assertIn(key, stats["parameters"])
        self.assertIsInstance(stats["parameters"]["level"], int)
        self.assertIsInstance(stats["parameters"]["density"], NUMBER)
        self.assertIsInstance(stats["parameters"]["seed"], int)
        self.assertIsInstance(stats["parameters"]["tracks"], list)
        for i, track in enumerate(stats["tracks"]):
            where = f"tracks[{i}]"
            self.fields(track, TRACK, where)
            self.assertEqual(track["track"], i)
            self.assertEqual(track["letter"], "ABCD"[i])
            self.assertRegex(track["seal"], r"^[0-9a-f]{16}$")
            self.fields(track["threads"], typed(whole="launched useful wasted"), where + ".threads")
            self.fields(track["blocks"], typed(whole="launched useful"), where + ".blocks")
            for launch in track["launches"]:
                self.fields(launch, typed(array="grid block"), where + ".launches")
            for three in (track["grid"], track["block"]):
                self.assertEqual([type(n) for n in three], [int] * 3)
            self.assertTrue(track["kernels"], where)
            for kernel in track["kernels"]:
                self.fields(kernel, KERNEL, where + ".kernels")
            if track["ratio_to_baseline"] is not None:
                self.fields(track["ratio_to_baseline"], RATIO, where + ".ratio_to_baseline")
        for name, value in stats["results"].items():
            self.assertIsInstance(value, (*NUMBER, str, type(None), list, dict), name)
        if stats["frame"] is not None:
            self.fields(stats["frame"], FRAME, "frame")


class Stats(SchemaTest):
    def test_without_drawing(self):
        stats = self.run_scene("--frames", 3, level=4, tracks=FOUR)
        self.check_stats(stats)
        self.assertIsNone(stats["frame"])
        self.assertEqual(stats["scene"], "fractal")
        environment = stats["environment"]
        self.assertEqual((environment["backend"], environment["interop"], environment["gl_renderer"]), ("cpu", "none", None))
        self.assertIsNone(environment["compute_capability"])
        self.assertGreaterEqual(environment["threads"], 1)

    def test_with_drawing(self):
        stats = self.run_scene("--frames", 3, "--capture", "c.png", level=4, tracks=FOUR)
        self.check_stats(stats)
        self.assertEqual(stats["frame"]["samples"], 3)
        self.assertEqual(stats["environment"]["interop"], "upload")
        self.assertTrue(stats["environment"]["gl_renderer"])
        self.assertEqual([track["ratio_to_baseline"]["kernel"] for track in stats["tracks"]], ["fractal.life"] * 4)

    def test_no_samples(self):
        """What does not apply is null and never left out; nothing is NaN."""
        for words in (("--frames", 0), ("--frames", 0, "--capture", "c.png")):
            with self.subTest(words=words):
                stats = self.run_scene(*words, level=3)
                for track in stats["tracks"]:
                    self.fields(track, TRACK, "track")
                    for kernel in track["kernels"]:
                        self.fields(kernel, KERNEL, "kernel")
                    self.assertIsNone(track["ratio_to_baseline"])
                    self.assertIs(track["agrees"], True)

    def test_one_sample(self):
        """One sample has a median and no percentiles; two have."""
        for frames, there in ((1, False), (2, True)):
            with self.subTest(frames=frames):
                stats = self.run_scene("--frames", frames, level=3)
                self.check_stats(stats)
                for track in stats["tracks"]:
                    for one in track["kernels"]:
                        self.assertGreater(one["median_ms"], 0)
                        for key in ("p5_ms", "p95_ms", "p99_ms"):
                            self.assertEqual(one[key] is not None, one["samples"] > 1, (one, key))
                self.assertEqual(any(one["p5_ms"] is not None for track in stats["tracks"] for one in track["kernels"]), there)
        self.run_scene("--frames", 1, stats="one.csv", level=3)
        for row in csv.DictReader(io.StringIO((self.folder / "one.csv").read_text())):
            self.assertEqual([row[key] for key in ("samples", "p5_ms", "p95_ms", "p99_ms")], ["1", "", "", ""])

    def test_track_names(self):
        for tracks in (ALL_TRACKS[:4], ALL_TRACKS[4:8], ALL_TRACKS[8:]):
            stats = self.run_scene("--frames", 1, level=3, tracks=tracks)
            for track, name in zip(stats["tracks"], tracks):
                self.assertEqual(track["name"], name)
                self.assertEqual(track["map"], name.split("/")[0])
                self.assertEqual(track["intra"], None if name == "bounding_box" else (name.split("/") + ["sub_boxes"])[1])
                self.assertEqual((track["storage"], track["exact"]), ("embedded", True))

    def test_every_work(self):
        for work in ("life", "single_write", "reduction", "map_only"):
            with self.subTest(work=work):
                stats = self.run_scene("--frames", 2, level=3, work=work)
                self.check_stats(stats)
                self.assertIn(f"fractal.{work}", [k["name"] for k in stats["tracks"][0]["kernels"]])
                self.assertEqual(stats["tracks"][0]["ratio_to_baseline"]["kernel"], f"fractal.{work}")

    def test_lone_track_agrees(self):
        self.assertIs(self.run_scene("--frames", 1, level=3, tracks=["lambda_table"])["tracks"][0]["agrees"], True)

    def test_integers_are_integers(self):
        for work, name in (("life", "alive_cells"), ("reduction", "reduction_sum")):
            self.assertIsInstance(self.run_scene("--frames", 1, level=3, work=work)["results"][name], int)


class Table(SchemaTest):
    def test_csv(self):
        self.run_scene("--frames", 4, stats="s.csv", level=4, tracks=FOUR)
        text = (self.folder / "s.csv").read_bytes().decode()
        table = list(csv.DictReader(io.StringIO(text)))
        stats = self.run_scene("--frames", 4, level=4, tracks=FOUR)
        for name in ("scene", "track", "name", "map", "intra", "storage", "layout", "seal", "agrees", "kernel", "samples", "dropped", "median_ms",
                     "p5_ms", "p95_ms", "p99_ms", "min_ms", "bytes", "gb_per_s"):
            with self.subTest(column=name):
                self.assertIn(name, table[0])
        rows = {(int(row["track"]), row["kernel"]) for row in table}
        self.assertEqual(len(rows), len(table), "one row a kernel and track")
        self.assertEqual(rows, {(track["track"], kernel["name"]) for track in stats["tracks"] for kernel in track["kernels"]})
        for row in table:
            self.assertNotIn(None, row, "a row is longer than the header")
            self.assertNotIn(None, row.values(), "a row is shorter than the header")
            track = stats["tracks"][int(row["track"])]
            self.assertEqual((row["name"], row["seal"]), (track["name"], track["seal"]))
            self.assertEqual(row["agrees"].lower(), "true")
            float(row["median_ms"])
            self.assertEqual((row["intra"], row["layout"]), (track["intra"] or "", ""))

    def test_csv_quotes_what_holds_commas(self):
        (self.folder / 'a,b"c.toml').write_text('name = "a, \\"b\\""\nrows = ["##", "#."]\n')
        self.run_scene("--frames", 1, stats="s.csv", fractal='a,b"c.toml', level=2)
        with open(self.folder / "s.csv", newline="") as file:
            lines = list(csv.reader(file))
        self.assertEqual({len(line) for line in lines}, {len(lines[0])})


class Dumps(SchemaTest):
    def test_manifest(self):
        for name in ("chandelier", "cantor_set"):
            with self.subTest(fractal=name):
                fractal = Fractal(FRACTALS[name], 3)
                stats = self.run_scene("--frames", 2, "--dump", "d", fractal=name, level=3, tracks=FOUR)
                manifest = self.json("d/manifest.json")
                self.assertEqual(manifest["schema"], "warploom.dump/1")
                names = sorted(entry["file"] for entry in manifest["files"])
                self.assertEqual(names, sorted(p.name for p in (self.folder / "d").iterdir() if p.name != "manifest.json"))
                self.assertEqual(names, sorted(f"track{i}_{what}.npy" for i in range(4) for what in ("state", "map_blocks")))
                for entry in manifest["files"]:
                    self.fields(entry, typed(text="file dtype meaning", whole="track", array="shape"), entry["file"])
                    dtype, shape, _ = self.dumped(entry["file"])
                    self.assertEqual(list(shape), entry["shape"])
                    self.assertEqual({"|u1": "uint8", "<i4": "int32"}[dtype], entry["dtype"])
                    self.assertTrue(entry["file"].startswith(f"track{entry['track']}_"))
                    track = stats["tracks"][entry["track"]]
                    wanted = [fractal.height, fractal.width] if "state" in entry["file"] else [track["blocks"]["launched"], 4]
                    self.assertEqual(entry["shape"], wanted)


class Lists(SchemaTest):
    def test_every_topic(self):
        for topic in TOPICS:
            with self.subTest(topic=topic):
                text, data = self.succeeds("list", topic, silent=False), self.topic(topic)
                self.assertEqual(text.err, "")
                self.assertTrue(text.out.strip(), "nothing listed")
                self.assertEqual(len(text.out.strip().splitlines()), len(data), "as many lines as entries")
                for entry, line in zip(data, text.out.splitlines()):
                    self.assertIsInstance(entry, dict)
                    name = entry["name" if topic == "commands" else "key"]
                    self.assertEqual(line.split()[: len(name.split())], name.split(), "a line begins with the key")

    def test_all_topics_at_once(self):
        text = self.succeeds("list", silent=False).out
        data = json.loads(self.succeeds("list", "--json", silent=False).out)
        self.assertEqual(sorted(data), sorted(TOPICS))
        for topic in TOPICS:
            self.assertIn(topic, text)
            self.assertEqual(data[topic], self.topic(topic))

    def of(self, scene, name):
        return [entry for entry in self.topic(name) if entry["scene"] == scene]

    def topic(self, name):
        return json.loads(self.succeeds("list", name, "--json", silent=False).out)

    def test_contents(self):
        self.assertEqual([e["key"] for e in self.topic("scenes")], ["fractal", "simplex", "bins", "butterfly", "irregular"])
        self.assertEqual({e["key"] for e in self.topic("fractals")}, set(FRACTALS))
        self.assertEqual({e["key"] for e in self.of("fractal", "works")}, {"life", "single_write", "reduction", "map_only"})
        self.assertLessEqual(set(ALL_TRACKS), {e["key"] for e in self.of("fractal", "maps")})
        self.assertEqual({e["key"] for e in self.of("fractal", "parameters")}, set(PARAMETERS))
        roles = {(e["scene"], e["key"]): e["role"] for e in self.topic("parameters")}
        self.assertEqual({roles[scene, key] for scene in ("fractal", "simplex") for key in ("block", "tracks")}, {"settings"})
        self.assertEqual((roles["fractal", "work"], roles["simplex", "work"], roles["fractal", "rule"]), ("logic", "start", "logic"))
        self.assertLessEqual({"ceilings", "fractal", "simplex", "binning"}, {e["key"] for e in self.topic("suites")})
        self.assertLessEqual({"cividis", "viridis"}, {e["key"] for e in self.topic("colormaps")})
        words = {e["key"]: e for e in self.topic("glossary")}
        self.assertLessEqual({"seal", "track", "thread", "lane", "launch_grid", "warp_efficiency"}, set(words))
        self.assertEqual(words["launch_grid"]["word"], "launch grid")
        self.assertTrue(all(len(e["meaning"].split()) >= 3 for e in words.values()))
        for entry in self.topic("fractals"):
            rows = FRACTALS[entry["key"]]
            self.assertIn(entry["rows"], (rows, " ".join(rows)))
            self.assertEqual(int(entry["k"]), sum(r.count("#") for r in rows))

    def test_every_listed_value_runs(self):
        maps = [entry["key"] for entry in self.of("fractal", "maps")]
        for work in self.of("fractal", "works"):
            for tracks in in_fours(maps):
                with self.subTest(work=work["key"], maps=tracks):
                    self.run_scene("--frames", 1, level=4, work=work["key"], tracks=tracks)

    def test_defaults_are_accepted(self):
        a = self.run_scene("--frames", 1, *sets({e["key"]: e["default"] for e in self.of("fractal", "parameters")}))
        b = self.run_scene("--frames", 1)
        self.assertEqual(a["parameters"], b["parameters"])
        self.assertEqual(a["tracks"][0]["seal"], b["tracks"][0]["seal"])

    def test_auto(self):
        """Where a number stands for the program's own choice the word does, too, and is the default that is listed."""
        found = {(e["scene"], e["key"]): e for e in self.topic("parameters") if "auto is" in e["range"]}
        self.assertEqual(set(found), {("fractal", "block"), ("simplex", "block"), ("butterfly", "p"), ("butterfly", "s"),
                                      ("bins", "cutoff"), ("bins", "spacing"), ("bins", "grid"), ("bins", "bin"),
                                      ("irregular", "n"), ("irregular", "row_lanes"), ("irregular", "count"), ("irregular", "blocks")})
        for (scene, key), entry in found.items():
            number = entry["range"].split("auto is ")[1]
            self.assertEqual(entry["default"], "8" if scene == "simplex" else "auto")
            taken = []
            for value in ("auto", number):
                self.succeeds("run", scene, "--set", f"{key}={value}", "--frames", 0, "--interop", "none", "--stats", "s.json")
                taken.append(self.json("s.json")["parameters"])
            self.assertEqual(*taken, (scene, key))
        self.fails(2, "run", "fractal", "--set", "block=automatic", says=["block", "auto is 0"])
        self.fails(2, "run", "fractal", "--set", "level=auto", says=["level"])

    def test_scenes_begin_at_their_defaults(self):
        """The small scenes are the window's alone."""
        for scene, key in (("bins", "input"), ("butterfly", "n"), ("butterfly", "batch")):
            self.succeeds("run", scene, "--frames", 0, "--interop", "none", "--stats", "s.json")
            default = next(e["default"] for e in self.of(scene, "parameters") if e["key"] == key)
            self.assertEqual(str(self.json("s.json")["parameters"][key]), default)

    def test_keys_of_the_commands(self):
        keys = {e["key"] for e in self.topic("commands")}
        for key in ("Space", ".", "R", "[", "]", *"123456789", "L", "Tab", "F12", "Ctrl+O", "Ctrl+S", "Ctrl+C", "Ctrl+V", "Ctrl+Shift+P", "F11",
                    "Esc", "Ctrl+Q", "Ctrl+Z", "Ctrl+Shift+Z", "Ctrl+0"):
            with self.subTest(key=key):
                self.assertIn(key, keys)
        self.assertTrue(any("F1" in re.split(r"[ ,/]+", k) for k in keys), "F1 is help too")


class Doctor(SchemaTest):
    seen = {}  # it measures, which takes a while: once for each environment

    def words(self, **more):
        text = self.succeeds("doctor", silent=False, env=self.environment(**more))
        self.assertEqual(text.err, "")
        return text.out

    def doctor(self, **more):
        if (key := tuple(sorted(more.items()))) not in self.seen:
            data = json.loads(self.succeeds("doctor", "--json", silent=False, env=self.environment(**more)).out)
            self.seen[key] = self.words(**more), data
        return self.seen[key]

    def test_without_a_gpu(self):
        text, data = self.doctor(CUDA_VISIBLE_DEVICES="")
        self.assertFalse(data["cuda"]["usable"])
        self.assertTrue(data["cuda"]["problem"])
        for finding in data["findings"]:
            self.assertIn(finding["what"], text)
            if not finding["good"]:
                self.assertTrue(finding["remedy"], f"no remedy: {finding}")
        self.assertIn("display", text.lower())
        self.fields(data["environment"], ENVIRONMENT, "environment")
        self.assertEqual(data["environment"]["backend"], "cpu")
        self.assertEqual(data["environment"]["interop"], data["interop"], "two answers to one question")
        if data["opengl"]:
            self.assertEqual(data["environment"]["gl_renderer"], data["opengl"]["renderer"], "two answers to one question")
        for name in ("present_ms", "bare_interop_ms"):
            self.assertIn(name, data)

    def test_lines_are_true(self):
        text, data = self.doctor(CUDA_VISIBLE_DEVICES="")
        version = self.succeeds("--version", silent=False).out.split()[1]
        self.assertEqual(data["version"], version)
        self.assertIn(version, text)
        self.assertIn("9 fractals", text)
        with open("/proc/cpuinfo") as file:
            model = next((line.split(":")[1].strip() for line in file if line.startswith("model name")), None)
        if model:
            self.assertEqual(data["environment"]["cpu"], model)
            self.assertIn(model, text)

    def test_a_display_that_is_not_there(self):
        text, data = self.doctor(DISPLAY=":987", CUDA_VISIBLE_DEVICES="")
        window = next(f for f in data["findings"] if f["what"] == "window")
        self.assertFalse(window["good"])
        self.assertIn(":987", window["seen"])
        self.assertNotIn("no display is set", text)

    def test_nothing_is_written(self):
        self.doctor()
        self.assertEqual(self.tree(), {})

    def test_no_colour_codes(self):
        for more in ({}, {"NO_COLOR": "1"}, {"TERM": "xterm-256color"}):
            self.assertNotIn("\x1b", self.words(**more))


class Help(ProgramTest):
    def test_help_and_version(self):
        version = self.succeeds("--version", silent=False)
        self.assertRegex(version.out + version.err, r"^warploom \d+\.\d+\.\d+\n$")
        for words in ("--help", "-h", "run --help", "view --help", "list --help", "doctor --help", "bench --help"):
            with self.subTest(words=words):
                done = self.succeeds(*words.split(), silent=False)
                self.assertTrue(done.out.strip())
                self.assertEqual(done.err, "")
                self.assertNotIn("\x1b", done.out)
        self.assertEqual(self.tree(), {})

    def test_help_names_everything(self):
        top = self.succeeds("--help", silent=False).out
        self.assertEqual([word for word in ("view", "run", "bench", "list", "doctor", "--version") if word not in top], [])
        for command in ("run", "view"):
            text = self.succeeds(command, "--help", silent=False).out
            for option in OPTIONS:
                self.assertRegex(text, rf"{option}\b")
            for word in "auto cuda cpu gl staged upload none dark light png json csv".split():
                self.assertRegex(text.lower(), rf"\b{word}\b")
            self.assertNotRegex(text, r"\bUINT\b|\bTEXT\b|At Most", "types of a library are no help")
        topics = self.succeeds("list", "--help", silent=False).out
        self.assertEqual([topic for topic in TOPICS if topic not in topics], [])

        self.assertTrue(self.succeeds("run", "fractal", "--set", "level=3", "--help", silent=False).out, "help is anywhere")

    def test_no_terminal_no_progress(self):
        done = self.succeeds("run", "fractal", "--backend", "cpu", "--interop", "none", "--frames", 200, "--set", "level=9")
        self.assertEqual(done.err, "", "progress only on a terminal")

    def test_no_colour_in_messages(self):
        for more in ({"NO_COLOR": "1"}, {"TERM": "xterm-256color"}):
            result = self.fails(2, "run", "fractl", says=["fractl"], env=self.environment(**more))
            self.assertNotIn("\x1b", result.err)


if __name__ == "__main__":
    main()
