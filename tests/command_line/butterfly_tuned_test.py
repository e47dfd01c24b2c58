"""Tuned programs of butterflies: their values, and that they do what their plans say."""

import cmath
import math

from butterfly_oracle import pairs, relative, transformed
from oracle import Settings
from tuned_programs import TunedTest
from warploom_test import main


TRACKS = ["index_digit/tuned", "radix4/tuned", "radix8/tuned", "radix16/tuned"]
LAST = {"index_digit/tuned": 24, "radix4/tuned": 12, "radix8/tuned": 13, "radix16/tuned": 13}


class Tuned(TunedTest):
    def test_transforms(self):
        for n in (5, 7, 9) if Settings.quick else range(5, 12):
            for direction in ("forward", "inverse"):
                with self.subTest(n=n, direction=direction):
                    stats = self.butterfly(algorithm="fft", n=n, batch=3, direction=direction, signal="noise", tracks=TRACKS)
                    self.assertEqual([t["network"]["program"] for t in stats["tracks"]], ["tuned"] * 4)
                    right = transformed("fft", direction == "inverse", self.rows(0, "input")[2])
                    for i in range(4):
                        self.assertLessEqual(relative(self.rows(i, "output")[2], right), 2e-7 * math.sqrt(n), TRACKS[i])
        general = self.butterfly(dump=False, tracks="index_digit,radix8")["tracks"]
        self.assertEqual([(t["network"]["program"], t["network"]["steps"]) for t in general], [("general", None)] * 2)

    def test_real_rows(self):
        for algorithm in ("real_fft", "dct"):
            for n in (6, 9) if Settings.quick else range(6, 12):
                for direction in ("forward", "inverse"):
                    with self.subTest(algorithm=algorithm, n=n, direction=direction):
                        network = self.butterfly(algorithm=algorithm, n=n, batch=3, direction=direction, signal="noise",
                                                 tracks="index_digit/tuned,index_digit")["tracks"][0]["network"]
                        self.assertEqual(network["program"], "tuned")
                        self.assertEqual(network["exchanges"], sum(bool(s["words"]) for s in network["steps"]))
                        for row, got in list(self.in_and_out(0))[2:]:
                            self.assertLessEqual(relative(got, transformed(algorithm, direction == "inverse", row)), 2e-7 * math.sqrt(n))
        for algorithm, n, batch in (("real_fft", 15, 1), ("dct", 15, 1), ("real_fft", 10, 65), ("dct", 14, 3)):
            for direction in ("forward", "inverse"):
                self.butterfly(dump=False, algorithm=algorithm, n=n, batch=batch, direction=direction, tracks="index_digit/tuned,radix8")

    def test_batches_that_fill_no_block(self):
        for n in (5, 9, 12, 13, 14):
            for batch in (1, 65):
                tracks = [t for t in TRACKS if LAST[t] >= n]
                self.butterfly(dump=False, algorithm="fft", n=n, batch=batch, tracks=(["radix2"] + tracks)[:4] if n > 12 else tracks)

    def test_long_rows_by_passes(self):
        for n, direction in ((15, "forward"), (17, "inverse")) if Settings.quick else ((15, "forward"), (16, "inverse"), (17, "inverse"), (18, "forward"), (19, "inverse"), (20, "forward"), (21, "inverse"), (22, "forward")):
            with self.subTest(n=n):
                network = self.butterfly(dump=False, algorithm="fft", n=n, batch=1 + (n < 18), direction=direction, signal="noise",
                                         tracks="index_digit/tuned,radix16")["tracks"][0]["network"]
                # Only devices have rings, of which the last two passes are one launch.
                self.assertEqual(network["launches"] + bool(network["ring"]), 2 + (n > 21))
                self.assertTrue(self.backend == "cuda" or network["ring"] is None)
                self.assertEqual([s["launch"] for s in network["steps"]], sorted(s["launch"] for s in network["steps"]))
                digits = {d for s in network["steps"] for d in s["register"]}
                self.assertEqual(digits, set(range(n)), "each digit is in registers once")

    def test_what_has_no_plan_is_refused_with_the_nearest_that_has(self):
        for track, last in LAST.items():
            for n, nearest in ((1, 5), (4, 5), *(((last + 1, last), (24, last)) if last < 24 else ())):
                said = self.fails(2, *self.command(n=n, batch=1, tracks=track)).err
                general = track.split("/")[0]
                self.assertIn(f"track {track}: n is {n}, and its plans are of n from 5 to {last}; choose n={nearest}, or {general}", said)
        for n, nearest in ((5, 6), (16, 15)):
            said = self.fails(2, *self.command(algorithm="dct", n=n, batch=1, tracks="index_digit/tuned")).err
            self.assertIn(f"n is {n}, and its plans are of n from 6 to 15; choose n={nearest}, or index_digit", said)
        for algorithm in ("real_fft", "dct", "sort"):
            self.assertIn("radix8/tuned", self.fails(2, *self.command(algorithm=algorithm, tracks="radix8/tuned")).err)

    def test_traces_are_those_of_the_plan(self):
        for n in (5, 9) if Settings.quick else (5, 6, 7, 8, 9, 10, 11):
            of_these = TRACKS[:1] if Settings.quick and n > 5 else TRACKS
            tracks = self.butterfly(frames=1, algorithm="fft", n=n, batch=128, trace=1, tracks=of_these)["tracks"]
            for i, track in enumerate(tracks):
                with self.subTest(n=n, track=track["name"]):
                    self.check_places(i, track["network"])
                    self.check_accesses(i, track["network"])
                    self.check_stages(i, track["network"])

    def check_stages(self, track, network):
        """Values after each stage are the network's, in double."""
        (_, _, size, *_), steps = self.array(track, "steps")
        values = pairs(steps)
        now = values[:size]
        for stage, at in enumerate(network["by_stage"], 1):
            for digit in range(at["digits"][0], at["digits"][1] - 1, -1):
                half = 1 << (digit - 1)
                for e in range(size):
                    if not e & half:
                        u, v = now[e], now[e | half]
                        now[e], now[e | half] = u + v, (u - v) * cmath.exp(-1j * math.pi * (e & (half - 1)) / half)
            seen = values[stage * size : (stage + 1) * size]
            apart, whole = sum(abs(a - b) ** 2 for a, b in zip(seen, now)), sum(abs(b) ** 2 for b in now)
            self.assertLessEqual(math.sqrt(apart / whole), 2e-7 * math.sqrt(network["mapping"]["n"]))


if __name__ == "__main__":
    main()
