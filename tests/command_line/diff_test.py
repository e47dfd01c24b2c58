"""`warploom diff`: two stats files, times of one over the other. The expected ratios are computed here."""

import copy
import json
import re

from warploom_test import ProgramTest, main


class Diff(ProgramTest):
    def setUp(self):
        super().setUp()
        self.stats = self.run_scene("--frames", 24, level=4, tracks=["bounding_box", "lambda_table"])

    def write(self, name, stats):
        (self.folder / name).write_text(json.dumps(stats))
        return name

    def diff(self, other, code=0, words=(), before=None):
        """The run of `setUp`, or `before`, against another."""
        result = self.warploom("diff", self.write("a.json", before or self.stats), self.write("b.json", other), *words)
        self.assertEqual(result.code, code, str(result))
        return result

    def slow(self, track, factor, kernel=""):
        """Times of a track's kernels, or of one, by a factor."""
        for row in track["kernels"]:
            if row["name"] == kernel or not kernel:
                row.update({key: value * factor for key, value in row.items() if key.endswith("_ms")})

    def slowed(self, factor, track=1):
        """The same run with one kernel slower by a factor."""
        stats = copy.deepcopy(self.stats)
        self.slow(stats["tracks"][track], factor, "fractal.life")
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
        result = self.diff(self.stats)
        rows = self.rows(result.out)
        self.assertEqual(set(rows), {(t["name"], k["name"]) for t in self.stats["tracks"] for k in t["kernels"] if k["median_ms"] > 0})
        self.assertEqual(set(rows.values()), {1.0})
        self.assertNotIn("slower", result.out)
        self.assertEqual(result.err, "")

    def test_a_regression_is_exit_code_3(self):
        before, after = self.tight(self.stats), self.tight(self.slowed(1.2))
        result = self.diff(after, 3)
        self.assertAlmostEqual(self.rows(result.out)["lambda_table", "fractal.life"], 1.2, places=3)
        self.assertEqual(result.out.count("slower"), 1)
        self.diff(after, 0, ("--tolerance", "0.3"))
        self.assertEqual(self.diff(before, before=after).out.count("faster"), 1)

    def test_wide_intervals_are_no_regression(self):
        slow = self.slowed(1.2)
        for stats in (self.stats, slow):
            for row in stats["tracks"][1]["kernels"]:
                row["median_low_ms"], row["median_high_ms"] = row["median_ms"] / 2, row["median_ms"] * 2
        self.diff(slow)

    def test_few_samples_are_said(self):
        few = self.slowed(3)
        for track in few["tracks"]:
            for row in track["kernels"]:
                row["samples"] = 4
        self.assertIn("too few samples", self.diff(few).out)

    def test_what_differs_is_said(self):
        def change(sections=(), tracks=(), **more):
            other = copy.deepcopy(self.stats)
            for section, key, value in sections:
                other[section][key] = value
            other["tracks"][0].update(tracks)
            return {**other, **more}

        seal = {"seal": "0" * 16}
        for other, code, out, err in (
            (change(tracks=seal), 3, ["different seals"], []),
            (change(tracks=seal, history="painted"), 0, [], ["history"]),  # it is another run
            (change([("environment", "device", "another device"), ("parameters", "level", 5)]), 0, [],
             ["device", "another device", "level: 4 and 5"]),
        ):
            with self.subTest(out=out, err=err):
                result = self.diff(other, code)
                for word in out:
                    self.assertIn(word, result.out)
                for word in err:
                    self.assertIn(word, result.err)

    def test_what_one_has_not_is_said(self):
        other = copy.deepcopy(self.stats)
        other["tracks"][1]["kernels"] = other["tracks"][1]["kernels"][:1]
        self.assertIn("not in B", self.diff(other).out)
        self.assertIn("not in A", self.diff(self.stats, before=other).out)

    def test_a_track_that_is_there_twice_is_compared_with_itself(self):
        self.stats["tracks"].append(copy.deepcopy(self.stats["tracks"][1]))
        self.slow(self.stats["tracks"][2], 3)
        rows = self.rows(self.diff(self.tight(self.stats)).out)
        self.assertEqual(set(rows.values()), {1.0})
        self.assertIn(("lambda_table#2", "fractal.life"), rows)
        rows = self.rows(self.diff(self.tight(self.slowed(4, track=2)), 3).out)
        self.assertAlmostEqual(rows["lambda_table#2", "fractal.life"], 4, places=3)

    def test_bad_input(self):
        for name, stats in (("a", self.stats), ("b", {"schema": "other"}), ("e", {"schema": 1}), ("d", {"schema": "warploom.stats/1"})):
            self.write(f"{name}.json", stats)
        (self.folder / "c.json").write_text("{")
        self.all_fail(
            *((2, f"diff {files}", "two stats files") for files in ("", "a.json", "a.json a.json a.json")),
            (1, "diff a.json absent.json", "absent.json"), (1, "diff a.json b.json", "b.json", "schema"),
            (1, "diff a.json e.json", "e.json", "schema"), (1, "diff a.json c.json", "c.json", "JSON"),
            (1, "diff a.json d.json", "d.json", "environment"),
            *((2, f"diff a.json a.json --tolerance {wrong}", "--tolerance", wrong) for wrong in ("-1", "x")))
        for key, value, said in (("tracks", {}, "tracks"), ("tracks", [None], "tracks[0].name"),
                                 ("tracks", [{"name": "x"}], "tracks[0].kernels"), ("parameters", 3, "parameters")):
            self.fails(1, "diff", "a.json", self.write("f.json", {**self.stats, key: value}), says=["f.json", said, "expected"])


if __name__ == "__main__":
    main()
