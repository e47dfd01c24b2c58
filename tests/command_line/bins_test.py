"""The scene of bins from the command line: what it computes, what it dumps, what it refuses.

bins_test checks structures, sums and counts of every application and track from the same dumps.
"""

import array
import json
import math

from files import read_array, write_array
from oracle import Settings
from warploom_test import OUTPUTS, ProgramTest, main

TRACKS = ["none/gather", "none/scatter", "regular/count", "regular/sentinel", "regular/range", "compact/bin", "compact/range",
          "compact/trimmed", "compact/subproblem", "compact/range/arrays", "compact/range/vectors", "compact/range/padded_elements",
          "compact/bin/padded_bins", "regular/count/spill", "regular/sentinel/spill", "compact/bin/spill", "compact/range/spill"]
APPLICATIONS = ["nbody", "cutcp", "mri", "blinn"]
SMALL = {"nbody": 300, "cutcp": 60, "mri": 400, "blinn": 60}


def write_points(path, rows, dtype="<f4"):
    write_array(path, dtype, (len(rows), len(rows[0])), [v for row in rows for v in row])


def track_sets(application):
    none = {"nbody": ["none/scatter", "compact/subproblem"], "cutcp": ["compact/subproblem"]}
    known = [t for t in TRACKS if t not in none.get(application, [])]
    return [["none/gather", *known[i : i + 3]] for i in range(1, len(known), 3)]


class BinsTest(ProgramTest):
    scene, outputs = "bins", OUTPUTS

    def bins(self, frames=2, dump=True, **settings):
        return self.run_scene(*(("--dump", "d") if dump else ()), frames=frames, **settings)

    def dumped(self, track, name):
        return read_array(self.folder / "d" / f"track{track}_{name}.npy")


class Runs(BinsTest):
    def check_numbers(self, i, numbers):
        """Numbers are those of the dumps; every element is in a slot or was spilled."""
        bins, order, overflow, hits, tests = (self.dumped(i, name)[2] for name in ("bins", "order", "overflow", "hits", "tests"))
        self.assertEqual(sorted([*(e for e in order if e >= 0), *overflow]), list(range(len(bins))))
        self.assertEqual((numbers["slots"], numbers["spilled"]), (len(order), len(overflow)))
        self.assertEqual((numbers["binned"], numbers["padding"]), (len(bins) - len(overflow), len(order) - numbers["binned"]))
        self.assertEqual((numbers["pairs_hit"], numbers["pairs_tested"]), (sum(hits), sum(tests)))

    def test_every_track_of_every_application(self):
        for application in APPLICATIONS:
            for tracks in track_sets(application)[: 2 if Settings.quick else None]:
                with self.subTest(application=application, tracks=tracks):
                    stats = self.bins(application=application, input=SMALL[application], tile=4, per_thread=1, cap=1,
                                      tracks=",".join(tracks), **({"spacing": 2} if application in ("cutcp", "blinn") else {}))
                    self.assertEqual(stats["steps"], 2)
                    for i, track in enumerate(stats["tracks"]):
                        self.assertTrue(track["agrees"], track)
                        self.assertEqual(track["check"]["kind"], "relative_l2")
                        self.assertLessEqual(track["check"]["error"], track["check"]["bound"])
                        self.assertEqual(track["name"], tracks[i])
                        self.assertIn("bins.total", [k["name"] for k in track["kernels"]])
                        if track["map"] != "none":
                            self.check_numbers(i, track["numbers"])

    def test_results(self):
        stats = self.bins(application="cutcp", input="small", seed=7, tracks="compact/range", frames=0, dump=False)
        results = stats["results"]
        self.assertEqual(results["elements"], 5943)
        for axis in "xyz":
            self.assertEqual(results[f"bins_{axis}"], 17)
            self.assertEqual(results[f"bin_side_{axis}"], 4)
        self.assertAlmostEqual(results["depth_mean"], 5943 / 17**3, delta=1e-6)
        self.assertTrue(10 <= results["depth_max"] <= 14, results)
        self.assertTrue(abs(results["depth_sd"] - 2.529) <= 0.15 * 2.529, results)
        self.assertEqual(results["bytes_compact"], 5943 * 16 + 4 * (17**3 + 1))
        self.assertEqual(results["bytes_regular"], 17**3 * (results["depth_max"] * 16 + 4))
        self.assertIn("excluded", results)

    def test_the_image_is_the_phantom(self):
        if Settings.quick:
            return
        stats = self.bins(application="mri", input=41499, frames=1, tracks="compact/subproblem,compact/range")
        self.assertLessEqual(stats["results"]["image_error"], 0.08)
        image, truth = self.dumped(1, "image"), self.dumped(1, "truth")
        self.assertEqual(image[1], (32, 32, 32))
        apart = math.sqrt(sum((a - b) ** 2 for a, b in zip(image[2], truth[2])) / sum(b * b for b in truth[2]))
        self.assertAlmostEqual(apart, stats["results"]["image_error"], delta=1e-4)

    def test_threads_are_counted_by_outputs(self):
        for application in ("nbody", "cutcp"):
            stats = self.bins(application=application, input=SMALL[application], tracks="regular/count,compact/range", dump=False)
            track = stats["tracks"][0]
            self.assertEqual(track["threads"]["launched"], math.prod(track["grid"]) * (128 if application == "nbody" else 8**3))
            outputs = stats["results"]["elements"] if application == "nbody" else math.prod(
                stats["results"][f"lattice_{a}"] for a in "xyz")
            self.assertEqual(track["threads"]["useful"], outputs)
            lanes = 32 * sum(track["warps"][k] for k in ("full", "partial", "idle"))
            self.assertEqual(lanes - track["warps"]["lanes_lost"], track["threads"]["launched"])

    def test_bodies_keep_momentum_and_energy(self):
        stats = self.bins(application="nbody", input=1000, frames=100 if Settings.quick else 400, tracks="compact/range", dump=False)
        self.assertLessEqual(stats["results"]["momentum_drift"], 1e-6)
        self.assertLessEqual(stats["results"]["energy_drift"], 0.01)

    def test_sorted_runs_are_the_same_to_the_bit(self):
        seen = []
        for _ in range(2):
            stats = self.bins(application="cutcp", input=90, spacing=2, binning="sort", tracks="compact/range,regular/count")
            seen.append([self.dumped(i, name)[2] for i in (0, 1) for name in ("order", "output")] + [stats["tracks"][0]["seal"]])
        self.assertEqual(*seen)

    def test_a_file_of_points(self):
        rows = [[0.37 * (i * 7 % 11), 0.29 * (i * 5 % 13), 0.41 * (i * 3 % 17), 1 + i % 3] for i in range(60)]
        for dtype in ("<f4", "<f8"):
            write_points(self.folder / "p.npy", rows, dtype)
            self.bins(application="cutcp", input="p.npy", spacing=1, tracks="none/gather,compact/range")
            self.assertEqual(list(self.dumped(1, "elements")[2]), list(array.array("f", [v for row in rows for v in row])))

    def test_a_scene_text_brings_it_back(self):
        if Settings.quick:
            return
        self.succeeds("run", "bins", "--backend", "cpu", "--frames", 3, "--set", "input=500", "--set", "tracks=regular/range",
                      "--capture", "c.png", "--size", "900x600", "--stats", "a.json")
        self.succeeds("run", "--scene-file", "c.png", "--backend", "cpu", "--interop", "none", "--stats", "b.json")
        self.assertEqual(*((run["parameters"], run["steps"], run["tracks"][0]["seal"]) for run in map(self.json, ("a.json", "b.json"))))


class Errors(BinsTest):
    def test_values(self):
        for settings, says in (
            (dict(tracks="compact/rows"), ["compact/rows", "compact/range"]),
            (dict(application="cutcp", tracks="compact/rnage"), ["compact/rnage", "compact/range"]),
            (dict(tracks="none/scatter"), ["none/scatter", "nbody"]),
            (dict(tracks="compact/subproblem"), ["compact/subproblem", "nbody"]),
            (dict(tracks="compact/subproblem", application="cutcp"), ["compact/subproblem", "cutcp", "24"]),
            (dict(cap=-1, tracks="compact/range/spill"), ["cap"]),
            (dict(cap="abc", tracks="compact/range/spill"), ["cap", "abc"]),
            (dict(bin=-1), ["bin"]),
            (dict(bin="nan"), ["bin"]),
            (dict(application="cutcp", bin="1e-3"), ["4096", "bin"]),
            (dict(tile=5, application="cutcp"), ["tile", "5"]),
            (dict(per_thread=16, application="cutcp"), ["per_thread", "16"]),
            (dict(per_thread=8, tile=4, application="cutcp"), ["per_thread", "8", "4"]),
            (dict(grid=63, application="mri"), ["grid", "63", "64"]),
            (dict(input=0), ["input", "0"]),
            (dict(input=-5), ["input", "-5"]),
            (dict(input="1.5"), ["input", "1.5", "count"]),
            (dict(application="blinn", input=90, spacing="1e-4"), ["spacing"]),
            (dict(input="random"), ["input", "random"]),
            (dict(input="2147483648", application="mri"), ["input", "2^31"]),
            (dict(cutoff=33), ["cutoff"]),
            (dict(cutoff=2.1), ["cutoff", "half the box"]),
            (dict(application="cutcp", input=90, spacing="1e-4"), ["4096", "spacing"]),
            (dict(application="sand"), ["sand"]),
            (dict(application="cutpc"), ["cutpc", "cutcp"]),
        ):
            with self.subTest(**settings):
                self.refused(says=says, **settings)

    def test_files(self):
        write_points(self.folder / "bad.npy", [[0.5, 0.5, 0.5, 1.0], [1.5, 1.5, 1.5, 1.0], [2.5, math.nan, 1.5, 1.0]])
        self.refused(code=1, says=["bad.npy", "2"], application="cutcp", input="bad.npy")
        write_points(self.folder / "flat.npy", [[1.0, 2.0]])
        write_points(self.folder / "radius.npy", [[1.0, 2.0, 3.0, -1.0]])
        write_points(self.folder / "far.npy", [[0.0, 0.0, 0.0, 1.0], [1e6, 0.0, 0.0, 1.0]])
        (self.folder / "text.npy").write_text("no array")
        (self.folder / "points.csv").write_text("1,2,3")
        for name, *says in (("flat.npy",), ("none.npy",), ("text.npy",), ("points.csv", ".npy")):
            self.all_refused("input", [name], [name, *says], code=1, application="cutcp")
        self.refused(code=1, says=["radius.npy", "0"], application="blinn", input="radius.npy")
        self.refused(says=["bins"], application="cutcp", input="far.npy")

    def test_what_does_not_fit(self):
        if Settings.quick:
            return
        self.refused(says=["regular/count", "TiB", "free"], application="mri", input="small", tracks="regular/count")


class Lists(BinsTest):
    def test_tracks_and_applications_are_listed(self):
        for topic, words in (("maps", TRACKS), ("works", APPLICATIONS), ("scenes", ["bins"])):
            self.assertLessEqual(set(words), {row["key"] for row in json.loads(self.warploom("list", topic, "--json").out)})

    def test_applications_have_the_names_of_the_window(self):
        names = {"nbody": "bodies", "cutcp": "potential", "blinn": "blobs"}
        works = {row["key"]: row for row in json.loads(self.warploom("list", "works", "--json").out)}
        for key, other in names.items():
            self.assertEqual(works[key]["title"].lower(), other)
            for word in (key, other):
                stats = self.bins(dump=False, frames=1, application=word, input=40)
                self.assertEqual(stats["parameters"]["application"], key)
        self.assertIn("nbody (bodies), cutcp (potential)", self.warploom("list", "parameters").out)
        text = self.folder / "blobs.toml"
        text.write_text('schema = 1\nscene = "bins"\n[parameters]\napplication = "blobs"\ninput = "40"\n')
        self.assertEqual(self.run_scene("--scene-file", text, frames=1)["parameters"]["application"], "blinn")


if __name__ == "__main__":
    main()
