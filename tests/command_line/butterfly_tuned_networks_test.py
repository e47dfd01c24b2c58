"""Tuned scans, sorts and systems: their values after every stage, and that they do what their plans say."""

import math
import random

from butterfly_oracle import combine, omega, signed
from files import write_array
from oracle import Settings
from tuned_programs import TunedTest
from warploom_test import main


SCANS = ["kogge_stone/tuned", "ladner_fischer/tuned", "brent_kung/tuned"]
SYSTEMS = ["wang_mou/tuned", "parallel_cyclic_reduction/tuned", "wang_mou/tuned/interleaved"]
LAST = {"kogge_stone/tuned": 9, "ladner_fischer/tuned": 24, "brent_kung/tuned": 24, "bitonic/tuned": 24, "wang_mou/tuned": 20,
        "parallel_cyclic_reduction/tuned": 8, "wang_mou/tuned/interleaved": 9}


def of_length(tracks, n):
    return [t for t in tracks if LAST[t] >= n]


def scan_stages(network, n):
    """(element made, element before it) of each stage."""
    size = 1 << n
    halves = [1 << j for j in range(n)]
    if network == "kogge_stone":
        return [[(e, e - h) for e in range(h, size)] for h in halves]
    if network == "ladner_fischer":
        return [[(e, e // h * h - 1) for e in range(size) if e & h] for h in halves]
    up = [[(e, e - h) for e in range(2 * h - 1, size, 2 * h)] for h in halves]
    return up + [[(e, e - h) for e in range(3 * h - 1, size, 2 * h)] for h in halves[-2::-1]]


def sort_stages(n):
    """(lower element, distance, whether the smaller key goes there) of each stage."""
    for k in range(1, n + 1):
        for h in (1 << j for j in range(k - 1, -1, -1)):
            yield [(e, h, k == n or not e >> k & 1) for e in range(1 << n) if not e & h]


class TunedScans(TunedTest):
    def test_every_operator_of_rows_of_any_length(self):
        for n, batch in ((5, 3), (9, 5), (11, 3)) if Settings.quick else ((5, 65), (6, 3), (9, 5), (10, 1), (11, 3), (12, 3), (13, 2), (14, 2), (15, 2), (16, 1)):
            for operator in ("add", "multiply", "max", "affine", "add_float"):
                for kind in ("inclusive", "exclusive"):
                    tracks = of_length(SCANS, n)
                    with self.subTest(n=n, operator=operator, kind=kind):
                        stats = self.butterfly(algorithm="scan", operator=operator, scan=kind, n=n, batch=batch, signal="noise", tracks=tracks)
                        self.assertEqual([t["network"]["program"] for t in stats["tracks"]], ["tuned"] * len(tracks))
                        for i in range(len(tracks)):
                            self.check_scan(operator, kind, self.rows(i, "input")[-2:], self.rows(i, "output")[-2:], n)
        for n, operator in ((19, "add"), (22, "affine")):
            self.butterfly(dump=False, algorithm="scan", operator=operator, n=n, batch=1, signal="noise", tracks=of_length(SCANS, n))

    def test_stages_are_the_networks(self):
        for n in (6, 11) if Settings.quick else (5, 7, 9, 11, 12):
            for kind in ("inclusive", "exclusive"):
                tracks = of_length(SCANS, n)
                stats = self.butterfly(algorithm="scan", operator="multiply", scan=kind, n=n, batch=9, signal="noise", trace=1, tracks=tracks)["tracks"]
                for i, track in enumerate(stats):
                    with self.subTest(n=n, kind=kind, track=tracks[i]):
                        network = track["network"]
                        _, steps = self.array(i, "steps")
                        now, size = list(steps[: 1 << n]), 1 << n
                        for stage, pairs in enumerate(scan_stages(tracks[i].split("/")[0], n), 1):
                            before = list(now)
                            for made, source in pairs:
                                now[made] = signed(combine("multiply", before[source], before[made]))
                            self.assertEqual(list(steps[stage * size : (stage + 1) * size]), now)
                        self.assertEqual(network["stages"], stage)
                        self.check_places(i, network)
                        if tracks[i] == "kogge_stone/tuned":
                            self.check_accesses(i, network)
                            self.assertEqual(network["barriers"], 0)
                        else:
                            self.check_conflicts(i, network)
                            self.assertEqual(network["barriers"], int(n > 10), "the totals of warps")
                            self.assertEqual(network["replicated"] > 0, n > 11)


class TunedSorts(TunedTest):
    def test_keys_rise(self):
        for n, batch in ((5, 3), (9, 5), (12, 3), (15, 1)) if Settings.quick else ((5, 65), (6, 3), (7, 1), (9, 5), (11, 3), (12, 3), (13, 2), (14, 3), (15, 3), (17, 1)):
            for signal in ("shuffled", "few", "reversed"):
                with self.subTest(n=n, signal=signal):
                    self.butterfly(algorithm="sort", n=n, batch=batch, signal=signal, tracks="bitonic/tuned")
                    self.check_sorted(1)

    def test_stages_are_the_networks(self):
        for n in (6, 9) if Settings.quick else (5, 6, 7, 8, 9, 10, 11):
            with self.subTest(n=n):
                network = self.butterfly(algorithm="sort", n=n, batch=128, signal="shuffled", trace=1, tracks="bitonic/tuned")["tracks"][0]["network"]
                _, steps = self.array(0, "steps")
                now, size = list(steps[: 1 << n]), 1 << n
                for stage, comparators in enumerate(sort_stages(n), 1):
                    for e, h, rises in comparators:
                        if (now[e] > now[e + h]) == rises:
                            now[e], now[e + h] = now[e + h], now[e]
                    self.assertEqual(list(steps[stage * size : (stage + 1) * size]), now)
                self.check_places(0, network)
                self.check_accesses(0, network)


class TunedSystems(TunedTest):
    def test_systems_are_solved(self):
        for which in ("dominant", "decoupled", "diagonal", "toeplitz", "heat", "scaled"):
            for n in (5, 9, 12) if Settings.quick else (5, 6, 8, 9, 10, 11, 12, 13, 14):
                tracks = of_length(SYSTEMS, n)
                self.systems(which, n, 3)
                with self.subTest(which=which, n=n):
                    self.butterfly(algorithm="tridiagonal", signal="rows.npy", tracks=tracks)
                    self.check_solved(len(tracks))
        for n, batch in ((16, 2), (18, 1)):
            self.butterfly(dump=False, algorithm="tridiagonal", n=n, batch=batch, tracks="wang_mou/tuned")
        self.butterfly(dump=False, algorithm="tridiagonal", n=7, batch=65, tracks=SYSTEMS)

    def test_what_divides_by_zero_is_told_of_by_the_general_program(self):
        for n in (5, 8, 9, 11, 12, 14):
            tracks = of_length(SYSTEMS, n)
            rows = [v for problem in range(4) for i in range(1 << n) for v in ([0, 0, 0, 1] if (problem, i) == (2, 5) else [1, 4, 1, 1])]
            write_array(self.folder / "rows.npy", "<f4", (4, 1 << n, 4), rows)
            with self.subTest(n=n):
                stats = self.butterfly(code=3, algorithm="tridiagonal", signal="rows.npy", tracks=tracks)
                for i, track in enumerate(stats["tracks"]):
                    self.assertEqual((track["check"]["singular"], track["badge"]), ([2, 5], "ZERO PIVOT"))
                    outputs = self.rows(i, "output")
                    self.assertTrue(all(math.isnan(v) for v in outputs[2]))
                    self.assertLessEqual(omega(self.rows(i, "input")[3], outputs[3]), 2e-6)
                # No number in one problem is no error; diagonals below the least normal number have reciprocals in double alone.
                rows[4 * (1 << n) * 2 + 4 * 5 + 1] = float("nan")
                rows[4 * (1 << n) : 8 * (1 << n)] = [v * 1e-40 for v in [1, 4, 1, 1] * (1 << n)]
                rows[: 4 * (1 << n)] = [v * 5e37 for v in [1, 4, 1, 1] * (1 << n)]  # and so have those above 2^126
                write_array(self.folder / "rows.npy", "<f4", (4, 1 << n, 4), rows)
                self.butterfly(algorithm="tridiagonal", signal="rows.npy", tracks=tracks)
                for i in range(len(tracks)):
                    outputs = self.rows(i, "output")
                    self.assertTrue(all(math.isnan(v) for v in outputs[2]))
                    for problem in (0, 1, 3):
                        self.assertLessEqual(omega(self.rows(i, "input")[problem], outputs[problem]), 3e-5 if problem == 1 else 2e-6)  # of 16 bits

    def test_systems_without_an_answer_are_found_as_by_the_general_program(self):
        rows, n, rng = [], 6, random.Random(3)
        for _ in range(60):  # two equations of whole numbers that are multiples of each other
            p, q, u = (rng.randint(1, 20) for _ in range(3))
            rows += [0, p, q, 1, p * u, q * u, 0, 2, 0, 4, 1, 1] + [1, 4, 1, 1] * ((1 << n) - 3)
        write_array(self.folder / "rows.npy", "<f4", (60, 1 << n, 4), rows)
        self.butterfly(code=3, algorithm="tridiagonal", signal="rows.npy", tracks=["wang_mou", *SYSTEMS])
        for i in range(4):
            self.assertTrue(all(math.isnan(x) for row in self.rows(i, "output") for x in row))

    def test_each_stage_has_equations_of_the_solution(self):
        for n in (5, 9, 12) if Settings.quick else (5, 6, 8, 9, 10, 11, 12):
            tracks, size = of_length(SYSTEMS, n), 1 << n
            stats = self.butterfly(algorithm="tridiagonal", n=n, batch=33, signal="dominant", trace=1, tracks=tracks)["tracks"]
            for i, track in enumerate(stats):
                with self.subTest(n=n, track=tracks[i]):
                    network = track["network"]
                    by_ends = network["stages"] == n + 1
                    self.assertEqual(by_ends, n == 12)
                    _, steps = self.array(i, "steps")
                    x = [0.0, *self.rows(i, "output")[0], 0.0]
                    most = max(map(abs, x))
                    for stage in range(network["stages"] + 1):
                        for e in range(size):
                            a, b, c, d = steps[4 * (stage * size + e) : 4 * (stage * size + e) + 4]
                            level = 3 if by_ends and stage <= n and stage > 3 and e % 8 not in (0, 7) else stage
                            if "parallel" in tracks[i]:
                                before, behind = e - (1 << level), e + (1 << level)
                            else:
                                before, behind = (e - 1, e + 1) if level == 0 else ((e >> level << level) - 1, ((e >> level) + 1) << level)
                            left = a * x[max(before, -1) + 1] + b * x[e + 1] + c * x[min(behind, size) + 1]
                            self.assertLessEqual(abs(left - d), 3e-5 * ((abs(a) + abs(b) + abs(c)) * most + abs(d)))
                    self.check_places(i, network)
                    self.check_conflicts(i, network)


class TunedRefusals(TunedTest):
    def test_what_has_no_plan_is_refused_with_the_nearest_that_has(self):
        for track, last in LAST.items():
            algorithm = "sort" if track in ("bitonic/tuned",) else "scan" if track in SCANS else "tridiagonal"
            general = track.split("/")[0]
            for n, nearest in ((4, 5), (last + 1, last)) if last < 24 else ((4, 5),):
                said = self.fails(2, *self.command(algorithm=algorithm, n=n, batch=1, tracks=track)).err
                self.assertIn(f"track {track}: n is {n}, and its plans are of n from 5 to {last}; choose n={nearest}, or {general}", said)


if __name__ == "__main__":
    main()
