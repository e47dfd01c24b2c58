"""Rows of butterflies that are longer than a block, against definitions."""

import math

from butterfly_oracle import omega
from butterfly_test import ButterflyTest
from files import write_array
from warploom_test import main


class Launches(ButterflyTest):
    def test_several_launches(self):
        for operator in ("affine", "max", "add_float"):
            for kind in ("inclusive", "exclusive"):
                self.butterfly(algorithm="scan", operator=operator, scan=kind, n=10, s=5, batch=3, signal="noise", tracks="brent_kung/look_back,serial")
                self.check_scan(operator, kind, self.rows(0, "input"), self.rows(0, "output"), 10)
        for algorithm, tracks, n in (("fft", "radix2,radix8", 11), ("scan", "kogge_stone,brent_kung,kogge_stone/look_back,ladner_fischer/look_back", 11), ("tridiagonal", "wang_mou", 8),
                                     ("sort", "bitonic", 8), ("real_fft", "radix4", 10), ("dct", "radix16", 10)):
            with self.subTest(algorithm=algorithm):
                stats = self.butterfly(dump=False, algorithm=algorithm, n=n, s=6, batch=2, tracks=tracks)
                for track in stats["tracks"]:
                    self.assertEqual(track["network"]["launches"] > 1, "look_back" not in track["name"])
                    self.assertIsNone(track["network"]["by_stage"])

    def test_launches_of_long_rows(self):
        # From n = 18 on not every element is asked where launches begin.
        for algorithm, n, tracks in (("sort", 18, "odd_even_merge,bitonic"), ("scan", 13, "kogge_stone/global,brent_kung/global,ladner_fischer/global"),
                                     ("tridiagonal", 13, "cyclic_reduction,parallel_cyclic_reduction,ladner_fischer,wang_mou")):
            with self.subTest(algorithm=algorithm):
                for track in self.butterfly(dump=False, algorithm=algorithm, n=n, batch=1, tracks=tracks)["tracks"]:
                    self.assertGreater(track["network"]["launches"], 1)

    def test_sorts_by_tiles(self):
        for signal in ("shuffled", "few", "reversed"):
            for n, s, p in ((6, 5, -1), (8, 5, 1), (11, 5, 3), (12, 7, 4)):
                with self.subTest(signal=signal, n=n, s=s, p=p):
                    stats = self.butterfly(algorithm="sort", n=n, s=s, p=p, batch=3, signal=signal, tracks="bitonic,bitonic/shuffle,odd_even_merge")
                    self.check_sorted(3)
                    above = [k - s for k in range(s + 1, n + 1)]  # digits of each merge that are above a tile's
                    self.assertEqual(stats["tracks"][0]["network"]["launches"], 1 + sum(1 + (d + 3) // 4 for d in above))

    def test_systems_by_tiles(self):
        for which in ("dominant", "decoupled", "toeplitz", "heat", "scaled"):
            for n, s in ((6, 5), (9, 5), (12, 5), (12, 7)):
                self.systems(which, n, 3)
                with self.subTest(which=which, n=n, s=s):
                    stats = self.butterfly(algorithm="tridiagonal", signal="rows.npy", s=s, tracks="wang_mou,wang_mou/shuffle")
                    self.check_solved(2)
                    levels = 1
                    while n - levels * (s - 1) > s:
                        levels += 1
                    self.assertEqual(stats["tracks"][0]["network"]["launches"], 2 * levels + 1)
        for zero in (0, 5, 31, 32, 63, 64, 500, 511):  # a row of zeros is told as itself, wherever it is; a row that is no number harms no other
            rows = []
            for problem in range(4):
                for i in range(512):
                    rows += [0, 0, 0, 0] if (problem, i) == (2, zero) else [1, float("nan") if (problem, i) == (1, 77) else 4, 1, 1]
            write_array(self.folder / "zero.npy", "<f4", (4, 512, 4), rows)
            with self.subTest(zero=zero):
                stats = self.butterfly(code=3, algorithm="tridiagonal", signal="zero.npy", s=5, tracks="wang_mou,wang_mou/global")
                for i, track in enumerate(stats["tracks"]):
                    self.assertEqual(track["check"]["singular"], [2, zero])
                    outputs = self.rows(i, "output")
                    self.assertTrue(all(math.isnan(v) for v in outputs[2]))
                    for well in (0, 3):
                        self.assertLessEqual(omega(self.rows(i, "input")[well], outputs[well]), 2e-6)


if __name__ == "__main__":
    main()
