"""`warploom diff`: two stats files, times of one over the other. The expected ratios are computed here."""

import copy
import json
import re
import unittest
from pathlib import Path

from warploom_test import ProgramTest, main


class Diff(ProgramTest):
    def setUp(self):
        super().setUp()
        self.stats = self.run_scene("--frames", 24, level=4, tracks=["bounding_box", "lambda_table"])

    def write(self, name, stats):
        Path(self.folder, name).write_text(json.dumps(stats))
        return name

    def slowed(self, factor, kernel="fractal.life", track=1):
        """The same run with one kernel slower by a factor."""
        stats = copy.deepcopy(self.stats)
        for row in stats["tracks"][track]["kernels"]:
            if row["name"] == kernel:
                for key in row:
                    if key.endswith("_ms"):
                        row[key] *= factor
        return stats

    def tight(self, stats):
        """Intervals of a thousandth, so that what is asked for does not hang on the machine."""
        for track in stats["tracks"]:
            for row in track["kernels"]:
                row["median_low_ms"], row["median_high_ms"] = row["median_ms"] * 0.9995, row["median_ms"] * 1.0005
        return stats

    def rows(self, text):
        """{(track, kernel): ratio}"""
        found = {}
        for line in text.splitlines()[1:]:
            words = re.split(r"\s+", line.strip().replace(" #", "#"))
            found[words[0], words[1]] = float(words[4])
        return found

    def test_the_interval_holds_the_median(self):
        for track in self.stats["tracks"]:
            for row in track["kernels"]:
                self.assertLessEqual(row["median_low_ms"], row["median_ms"])
                self.assertGreaterEqual(row["median_high_ms"], row["median_ms"])
                self.assertGreaterEqual(row["median_low_ms"], row["min_ms"])

    def test_a_run_against_itself(self):
        a = self.write("a.json", self.stats)
        result = self.warploom("diff", a, a)
        self.assertEqual(result.code, 0, result.err)
        rows = self.rows(result.out)
        self.assertEqual(set(rows), {(t["name"], k["name"]) for t in self.stats["tracks"] for k in t["kernels"] if k["median_ms"] > 0})
        self.assertEqual(set(rows.values()), {1.0})
        self.assertNotIn("slower", result.out)
        self.assertEqual(result.err, "")

    def test_a_regression_is_exit_code_3(self):
        a, b = self.write("a.json", self.tight(self.stats)), self.write("b.json", self.tight(self.slowed(1.2)))
        result = self.warploom("diff", a, b)
        self.assertEqual(result.code, 3, result.out)
        self.assertAlmostEqual(self.rows(result.out)["lambda_table", "fractal.life"], 1.2, places=3)
        self.assertEqual(result.out.count("slower"), 1)
        self.assertEqual(self.warploom("diff", a, b, "--tolerance", "0.3").code, 0)
        faster = self.warploom("diff", b, a)
        self.assertEqual(faster.code, 0)
        self.assertEqual(faster.out.count("faster"), 1)

    def test_wide_intervals_are_no_regression(self):
        slow = self.slowed(1.2)
        for stats in (self.stats, slow):
            for row in stats["tracks"][1]["kernels"]:
                row["median_low_ms"], row["median_high_ms"] = row["median_ms"] / 2, row["median_ms"] * 2
        result = self.warploom("diff", self.write("a.json", self.stats), self.write("b.json", slow))
        self.assertEqual(result.code, 0, result.out)

    def test_few_samples_are_said(self):
        few = copy.deepcopy(self.slowed(3))
        for track in few["tracks"]:
            for row in track["kernels"]:
                row["samples"] = 4
        result = self.warploom("diff", self.write("a.json", self.stats), self.write("b.json", few))
        self.assertEqual(result.code, 0)
        self.assertIn("too few samples", result.out)

    def test_another_seal_of_the_same_run_is_exit_code_3(self):
        other = copy.deepcopy(self.stats)
        other["tracks"][0]["seal"] = "0" * 16
        result = self.warploom("diff", self.write("a.json", self.stats), self.write("b.json", other))
        self.assertEqual(result.code, 3)
        self.assertIn("another seal", result.out)

    def test_a_painted_run_is_another_run(self):
        other = copy.deepcopy(self.stats)
        other["history"], other["tracks"][0]["seal"] = "painted", "0" * 16
        result = self.warploom("diff", self.write("a.json", self.stats), self.write("b.json", other))
        self.assertEqual(result.code, 0, result.out)
        self.assertIn("history", result.err)

    def test_what_b_has_not_is_said(self):
        other = copy.deepcopy(self.stats)
        other["tracks"][1]["kernels"] = other["tracks"][1]["kernels"][:1]
        result = self.warploom("diff", self.write("a.json", self.stats), self.write("b.json", other))
        self.assertIn("not in B", result.out)
        result = self.warploom("diff", self.write("b.json", other), self.write("a.json", self.stats))
        self.assertIn("not in A", result.out)

    def test_a_track_that_is_there_twice_is_compared_with_itself(self):
        self.stats["tracks"].append(copy.deepcopy(self.stats["tracks"][1]))
        for row in self.stats["tracks"][2]["kernels"]:
            for key in row:
                if key.endswith("_ms"):
                    row[key] *= 3
        a = self.write("a.json", self.tight(self.stats))
        result = self.warploom("diff", a, a)
        self.assertEqual(result.code, 0, result.out)
        self.assertEqual(set(self.rows(result.out).values()), {1.0})
        self.assertIn(("lambda_table#2", "fractal.life"), self.rows(result.out))
        result = self.warploom("diff", a, self.write("b.json", self.tight(self.slowed(4, track=2))))
        self.assertEqual(result.code, 3, result.out)
        self.assertAlmostEqual(self.rows(result.out)["lambda_table#2", "fractal.life"], 4, places=3)

    def test_what_differs_is_said(self):
        other = copy.deepcopy(self.stats)
        other["environment"]["device"] = "another device"
        other["parameters"]["level"] = 5
        result = self.warploom("diff", self.write("a.json", self.stats), self.write("b.json", other))
        self.assertEqual(result.code, 0)
        for word in ("device", "another device", "level: 4 and 5"):
            self.assertIn(word, result.err)

    def test_bad_input(self):
        a = self.write("a.json", self.stats)
        self.fails(2, "diff", says=["two stats files"])
        self.fails(2, "diff", a, says=["two stats files"])
        self.fails(2, "diff", a, a, a, says=["two stats files"])
        self.fails(1, "diff", a, "absent.json", says=["absent.json"])
        self.fails(1, "diff", a, self.write("b.json", {"schema": "other"}), says=["b.json", "schema"])
        self.fails(1, "diff", a, self.write("e.json", {"schema": 1}), says=["e.json", "schema"])
        Path(self.folder, "c.json").write_text("{")
        self.fails(1, "diff", a, "c.json", says=["c.json", "JSON"])
        self.fails(1, "diff", a, self.write("d.json", {"schema": "warploom.stats/1"}), says=["d.json", "environment"])
        for key, value, said in (("tracks", {}, "tracks"), ("tracks", [None], "tracks[0].name"),
                                 ("tracks", [{"name": "x"}], "tracks[0].kernels"), ("parameters", 3, "parameters")):
            self.fails(1, "diff", a, self.write("f.json", {**self.stats, key: value}), says=["f.json", said, "expected"])
        self.fails(2, "diff", a, a, "--tolerance", "-1", says=["--tolerance", "-1"])
        self.fails(2, "diff", a, a, "--tolerance", "x", says=["--tolerance", "x"])


if __name__ == "__main__":
    main()
