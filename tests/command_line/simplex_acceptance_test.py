"""What the simplex scene computes, against an independent oracle (simplex_oracle)."""

import csv
import math
import random

from oracle import Settings
from simplex_oracle import (
    DOMAINS, EXACT_MAPS, INEXACT_MAPS, LAYOUTS, Automaton, Domain, automaton_after, coincident_pairs, distances, float_seal, track_name, track_sets,
    launched_threads, padding, random_points, read_cells, seal, stencil, triplets, write_pdb,
    write_point_npy, write_xyz)
from warploom_test import ProgramTest, main

SIDES = {2: (1, 2, 3, 7, 8, 16, 31, 32), 3: (1, 2, 3, 5, 8, 10)}


class SimplexTest(ProgramTest):
    scene = "simplex"

    def run_simplex(self, *words, frames=2, **settings):
        return self.run_scene(*words, frames=frames, **settings)

    def check_tracks(self, stats, domain, block, names, expected_seal=None):
        """Exact tracks: sealed, and as many threads as the closed forms say."""
        self.assertEqual([track["name"] for track in stats["tracks"]], names)
        seals = {track["seal"] for track in stats["tracks"]}
        self.assertEqual(len(seals), 1, f"the tracks' seals differ: {[track['seal'] for track in stats['tracks']]}")
        if expected_seal is not None:
            self.assertEqual(seals, {expected_seal}, "the seal is not the oracle's")
        for track in stats["tracks"]:
            with self.subTest(track=track["name"]):
                map_, _, layout = track["name"].partition("/")
                self.assertEqual((track["map"], track["layout"], track["exact"]), (map_, layout or "linear", True))
                self.assertEqual((track["agrees"], track["badge"], track["diverged_at"]), (True, None, None))
                launched, useful = launched_threads(domain, map_, block), domain.count()
                self.assertEqual(track["threads"], {"launched": launched, "useful": useful, "wasted": launched - useful})
                for launch in track["launches"]:
                    self.assertEqual(math.prod(launch["block"]), block**domain.dimensions)
                if map_ != "stride_walk":
                    self.assertEqual(sum(math.prod(x["grid"]) * math.prod(x["block"]) for x in track["launches"]), launched)

    def values(self, track, domain, folder="d"):
        """{cell: value} inside the domain; outside all are NaN."""
        found = read_cells(self.folder / folder / f"track{track}_values.npy", domain, "<f4")
        inside = {cell: value for cell, value in found.items() if domain.contains(cell)}
        self.assertEqual([c for c, v in found.items() if c not in inside and not math.isnan(v)], [], "values outside the domain")
        return inside

    def check_values(self, tracks, domain, expected, tolerance=0.0):
        """Every track's values, to a share of the expected ones; bit for bit the same in every track."""
        first = None
        for track in range(tracks):
            found = self.values(track, domain)
            wrong = {c: (found[c], v) for c, v in expected.items() if not abs(found[c] - v) <= tolerance * abs(v)}
            self.assertEqual(len(wrong), 0, f"track {track}: (found, expected) {list(wrong.items())[:4]}")
            first = first or found
            self.assertEqual(found, first, f"tracks 0 and {track} differ")
        return first


class Coverage(SimplexTest):
    """Every exact map in every layout, every domain, small and large sizes, all legal kinds of block side."""

    def cases(self, dimensions):
        if Settings.quick:
            return [(n, block) for n in (1, 3, 63) for block in ((3, 8, 32) if dimensions == 2 else (3, 8, 10))]
        cases = [(n, block) for n in (1, 2, 3, 63, 64, 65) for block in SIDES[dimensions]]
        return cases + [(200, block) for block in (SIDES[2] if dimensions == 2 else (5, 8, 10))]

    def check(self, kind):
        dimensions = Domain(kind, 1).dimensions
        for n, block in self.cases(dimensions):
            domain = Domain(kind, n)
            expected, alive = automaton_after(kind, n, 2)
            for tracks in track_sets(dimensions):
                with self.subTest(n=n, block=block, tracks=tracks):
                    stats = self.run_simplex(domain=kind, n=n, block=block, tracks=tracks)
                    self.assertEqual((stats["scene"], stats["steps"]), ("simplex", 2))
                    self.assertEqual({k: stats["parameters"][k] for k in ("domain", "n", "block", "work")},
                                     {"domain": kind, "n": n, "block": block, "work": "automaton"})
                    self.check_tracks(stats, domain, block, tracks, expected)
                    self.assertEqual(stats["results"]["alive_cells"], alive)

    def test_every_n_in_blocks(self):
        """No size between powers of two is left out: block counts 1 to 33."""
        for kind in DOMAINS:
            dimensions = Domain(kind, 1).dimensions
            for n in range(1, 10 if Settings.quick else 34):
                tracks = ["bounding_box", *EXACT_MAPS[dimensions][1:4]]
                with self.subTest(domain=kind, n=n):
                    stats = self.run_simplex(domain=kind, n=n, block=1, tracks=tracks, work="single_write", frames=1)
                    self.check_tracks(stats, Domain(kind, n), 1, tracks)

    def test_the_same_track_twice(self):
        for kind in DOMAINS:
            for name in ("bounding_box", "h_map/blocked", "root_exact/box"):
                stats = self.run_simplex(domain=kind, n=21, block=4, tracks=[name, name, name])
                self.check_tracks(stats, Domain(kind, 21), 4, [name] * 3, automaton_after(kind, 21, 2)[0])


for _kind in DOMAINS:
    setattr(Coverage, f"test_{_kind}", lambda self, kind=_kind: self.check(kind))


class Works(SimplexTest):
    def sizes(self, dimensions):
        many = ((1, 1), (2, 3), (5, 2), (9, 4), (33, 8), (40, 32)) if dimensions == 2 else ((1, 1), (2, 3), (4, 2), (7, 3), (12, 4), (11, 10))
        return many[2:4] if Settings.quick else many

    def each(self, check, kinds=DOMAINS):
        """check(domain, block, tracks) of small domains under every exact map and layout."""
        for kind in kinds:
            for n, block in self.sizes(Domain(kind, 1).dimensions):
                for tracks in track_sets(Domain(kind, 1).dimensions):
                    with self.subTest(domain=kind, n=n, block=block, tracks=tracks):
                        check(Domain(kind, n), block, tracks)

    def run_work(self, work, domain, block, tracks, frames=1, **settings):
        stats = self.run_simplex("--dump", "d", frames=frames, domain=domain.kind, n=domain.n, block=block, tracks=tracks, work=work,
                                 **settings)
        self.check_tracks(stats, domain, block, tracks)
        return stats

    def check_seal(self, stats, found):
        self.assertEqual(stats["tracks"][0]["seal"], float_seal(found.items()), "the seal is not that of the dumped values")

    def check_automaton(self, automaton, domain, block, tracks, **settings):
        stats = self.run_work("automaton", domain, block, tracks, **settings)
        self.check_values(4, domain, automaton.values())
        self.assertEqual(stats["tracks"][0]["seal"], automaton.seal())
        self.assertEqual(stats["results"]["alive_cells"], automaton.count())

    def test_automaton(self):
        self.each(lambda domain, block, tracks: self.check_automaton(Automaton(domain).step(3), domain, block, tracks, frames=3))

    def test_rules_seeds_densities(self):
        rules = {2: ("B/S012345678", "B012345678/S", "b2/s", "B36/S23", "B0/S8"),
                 3: ("B/S0123456", "B0123456/S", "b1/s1", "B2/S0123", "B0/S6", "B16/S5")}
        for kind in DOMAINS:
            dimensions = Domain(kind, 1).dimensions
            domain = Domain(kind, 30 if dimensions == 2 else 10)
            tracks = track_sets(dimensions)[1]
            runs = [(3, dict(rule=rule, seed=seed, density=density)) for rule in rules[dimensions]
                    for seed, density in ((2**64 - 1, 0.3), (0, 0.8))]
            for frames, settings in [*runs, *((0, dict(density=density)) for density in (0, 1, 0.5))]:
                with self.subTest(domain=kind, frames=frames, **settings):
                    self.check_automaton(Automaton(domain, **settings).step(frames), domain, 3, tracks, frames=frames, **settings)

    def test_single_write(self):
        def check(domain, block, tracks):
            stats = self.run_work("single_write", domain, block, tracks)
            self.check_values(4, domain, dict.fromkeys(domain.cells(), 1.0))
            self.assertEqual(stats["tracks"][0]["seal"], seal((c, 1) for c in domain.cells()))

        self.each(check)

    def test_map_only(self):
        self.each(lambda domain, block, tracks: self.run_work("map_only", domain, block, tracks))

    def test_stencil(self):
        def check(domain, block, tracks):
            stats = self.run_work("stencil", domain, block, tracks, frames=2)
            found = self.check_values(4, domain, stencil(domain, 2), 1e-5)
            self.check_seal(stats, found)

        self.each(check)
        for kind in DOMAINS:
            domain = Domain(kind, 9)
            self.run_work("stencil", domain, 2, ["bounding_box", "table/blocked"], frames=0, seed=5)
            self.check_values(2, domain, stencil(domain, 0, 5))

    def check_distances(self, domain, block, tracks, where, **settings):
        stats = self.run_work("distance_matrix", domain, block, tracks, **settings)
        found = self.check_values(len(tracks), domain, distances(domain, where), 1e-5)
        self.check_seal(stats, found)
        self.assertEqual(stats["results"]["coincident_pairs"], coincident_pairs(domain, where))

    def test_distance_matrix(self):
        self.each(lambda domain, block, tracks: self.check_distances(domain, block, tracks, random_points(domain.n, 2)), ["triangle"])
        domain, tracks = Domain("triangle", 70), track_sets(2)[1]
        self.check_distances(domain, 16, tracks, random_points(70, 2, 99), seed=99, frames=3)
        for count in (70, 71, 1000):  # more than needed are of no account
            self.check_distances(domain, 16, tracks, random_points(70, 2), points=count)

    def test_distance_matrix_of_a_file(self):
        dice = random.Random(3)
        domain, tracks = Domain("triangle", 40), track_sets(2)[1]
        apart = [(dice.randrange(-4096, 4096) / 64, dice.randrange(-4096, 4096) / 64) for _ in range(43)]
        together = [(dice.randrange(4) / 4, dice.randrange(4) / 4) for _ in range(40)]
        self.assertGreater(coincident_pairs(domain, together), 0)
        for points, dtype in ((apart, "<f4"), (apart, "<f8"), (together, "<f8")):
            write_point_npy(self.folder / "p.npy", points, dtype, 2)
            self.check_distances(domain, 7, tracks, points, points="p.npy")

    def check_triplets(self, domain, block, tracks, where, **settings):
        stats = self.run_work("triplet_energy", domain, block, tracks, **settings)
        expected, coincident = triplets(domain, block, where)
        total, magnitude = (math.fsum(e[i] for e in expected.values()) for i in (0, 1))
        self.assertLessEqual(abs(stats["results"]["energy"] - total), 1e-4 * magnitude, f"energy {total}")
        self.assertEqual(stats["results"]["coincident_triples"], coincident)
        first = {}
        for track in range(len(tracks)):
            found, of_block = self.values(track, domain), {}
            for cell, value in found.items():
                key = tuple(c // block for c in cell)
                self.assertEqual(of_block.setdefault(key, value), value, f"two energies in block {key}")
            for key, (energy, size) in expected.items():
                self.assertLessEqual(abs(of_block[key] - energy), 1e-4 * size, f"track {track}, block {key}: {of_block[key]}, not {energy}")
            first = first or of_block
            self.assertEqual(of_block, first, f"tracks 0 and {track} differ")
        self.check_seal(stats, first)
        return coincident

    def test_triplet_energy(self):
        self.each(lambda domain, block, tracks: self.assertEqual(
            self.check_triplets(domain, block, tracks, random_points(domain.n + 2, 3)), 0), DOMAINS[1:])
        for kind in DOMAINS[1:]:
            n = 18 if Settings.quick else 46
            domain, tracks = Domain(kind, n), track_sets(3)[1]
            self.check_triplets(domain, 8, tracks, random_points(n + 2, 3, 99), seed=99, frames=3)
            for count in (n + 2, n + 3, 500):
                self.check_triplets(domain, 8, tracks, random_points(n + 2, 3), points=count)

    def test_triplet_energy_of_files(self):
        dice = random.Random(4)
        for kind in DOMAINS[1:]:
            domain, tracks = Domain(kind, 10), track_sets(3)[1]
            points = [tuple(dice.randrange(-80, 80) / 8 for _ in range(3)) for _ in range(14)]
            write_pdb(self.folder / "p.pdb", points)
            write_xyz(self.folder / "p.xyz", points)
            write_point_npy(self.folder / "p.npy", points)
            write_point_npy(self.folder / "q.npy", points, "<f4")
            for name in ("p.pdb", "p.xyz", "p.npy", "q.npy"):
                with self.subTest(domain=kind, points=name):
                    self.check_triplets(domain, 3, tracks, points, points=name)
            with self.subTest(domain=kind, points="coincident"):
                points = [tuple(dice.randrange(2) / 2 for _ in range(3)) for _ in range(12)]
                write_xyz(self.folder / "p.xyz", points)
                self.assertGreater(self.check_triplets(domain, 3, tracks, points, points="p.xyz"), 0)
                write_point_npy(self.folder / "p.npy", [(1.0, 2.0, 3.0)] * 12)
                count = self.check_triplets(domain, 3, tracks, [(1.0, 2.0, 3.0)] * 12, points="p.npy")
                self.assertEqual(count, domain.count())

    def test_padding(self):
        for kind in DOMAINS:
            for n, block in ((1, 1), (12, 3), (24, 8), (30, 10), (30, 1), (7, 4), (31, 8), (3, 10)):
                with self.subTest(domain=kind, n=n, block=block):
                    stats = self.run_simplex(domain=kind, n=n, block=block, tracks=["bounding_box", "table/blocked"], frames=1)
                    self.assertEqual(stats["results"]["padding_blocked"], padding(Domain(kind, n), block))


class Owners(SimplexTest):
    def test_manifest(self):
        for kind in DOMAINS:
            self.run_simplex("--dump", "d", domain=kind, n=7, block=2, tracks=["bounding_box", "root_exact/box"])
            manifest = self.json("d/manifest.json")
            self.assertEqual(manifest["schema"], "warploom.dump/1")
            shape = [7] * Domain(kind, 1).dimensions
            wanted = {(f"track{i}_{what}.npy", i, dtype) for i in (0, 1) for what, dtype in (("owner", "int32"), ("values", "float32"))}
            self.assertEqual({(e["file"], e["track"], e["dtype"]) for e in manifest["files"]}, wanted)
            self.assertEqual({p.name for p in (self.folder / "d").iterdir()}, {w[0] for w in wanted} | {"manifest.json"})
            for entry in manifest["files"]:
                self.assertEqual(entry["shape"], shape)
                self.assertTrue(entry["meaning"])


class Inexact(SimplexTest):
    FIRST = {("root_fp32", 3): 10, ("root_fp64", 3): 56, ("root_fp32", 2): 10619135, ("root_rsqrt", 2): 3796389}

    def check_table(self, track, **settings):
        """The same track in the CSV: badge and ratio."""
        self.run_simplex(stats="s.csv", **settings)
        with open(self.folder / "s.csv", newline="") as file:
            rows = [row for row in csv.DictReader(file) if row["track"] == str(track["track"])]
        self.assertTrue(rows)
        for row in rows:
            self.assertEqual((row["agrees"], row["badge"], row["seal"]), (str(track["agrees"]).lower(), track["badge"] or "", track["seal"]))
            self.assertEqual((row["ratio_median"], row["ratio_low"], row["ratio_high"]), ("", "", ""))

    def check_run(self, kind, n, block, tracks, broken, work="single_write", layout="linear", table=True, frames=3):
        """Inexact tracks are named in `tracks`; `broken` says whether this n has a wrong block."""
        domain = Domain(kind, n)
        names = [track_name(m, layout) for m in tracks]
        settings = dict(domain=kind, n=n, block=block, tracks=names, work=work, frames=frames)
        stats = self.run_simplex(**settings)
        for track, map_ in zip(stats["tracks"], tracks):
            with self.subTest(domain=kind, n=n, block=block, track=track["name"], layout=layout, work=work, broken=broken):
                first = self.FIRST.get((map_, domain.dimensions))
                self.assertIs(track["exact"], first is None)
                if first is None:
                    self.assertEqual((track["agrees"], track["badge"], track["diverged_at"]), (True, None, None))
                    self.assertIsNotNone(track["ratio_to_baseline"])
                    continue
                self.assertIsNone(track["ratio_to_baseline"])
                self.assertEqual(track["threads"]["launched"], launched_threads(domain, map_, block))
                if broken:
                    self.assertEqual((track["agrees"], track["badge"]), (False, "SEAL BROKEN"))
                    self.assertEqual(stats["results"][f"track{track['track']}_first_wrong"], first)
                    corner = [c * block for c in domain.linear_cell(first)]
                    self.assertTrue(domain.contains(corner))
                    self.assertEqual(track["diverged_at"], {"step": 1, "cell": corner})
                else:
                    self.assertEqual((track["agrees"], track["badge"], track["diverged_at"]), (True, None, None))
                if table:
                    self.check_table(track, **settings)
        return stats

    def test_tetrahedra(self):
        for kind in DOMAINS[1:]:
            for map_, wrong_from in (("root_fp32", 4), ("root_fp64", 7)):
                for block in (3,) if Settings.quick else (1, 3):
                    for n in range((wrong_from - 1) * block, (wrong_from + (0 if Settings.quick else 2)) * block + 1):
                        broken = -(-n // block) >= wrong_from
                        self.check_run(kind, n, block, ["bounding_box", map_], broken, table=n % (2 * block) == 0)

    def test_works_layouts_and_hidden_references(self):
        three, two = INEXACT_MAPS[3], INEXACT_MAPS[2]
        for kind in DOMAINS[1:]:
            for layout in LAYOUTS[:2]:
                self.check_run(kind, 8, 1, ["root_exact", *three], True, layout=layout)
            for n, tracks, broken, work in (
                (3, ["root_exact", *three], False, "automaton"),
                # No exact track to compare with, and the wrong track still breaks.
                (3, ["root_fp32"], False, "single_write"), (6, ["root_fp32"], True, "single_write"), (8, ["root_fp32"], True, "single_write"),
                (8, ["root_fp32", "root_fp64"], True, "single_write"), (8, ["root_fp64", "root_fp64"], True, "single_write"),
            ):
                self.check_run(kind, n, 1, tracks, broken, work)
        for n, block, tracks, work in ((300, 1, ["root_exact", *two], "single_write"), (200, 8, ["root_exact", *two], "automaton"),
                                       (40, 3, two, "map_only")):
            self.check_run("triangle", n, block, tracks, False, work)

    def test_triangle_large(self):
        if Settings.quick:
            self.skipTest("ten million blocks")
        for n, tracks, broken, table in ((2754, ["root_exact", "root_rsqrt"], False, False), (2756, ["root_exact", "root_rsqrt"], True, True),
                                         (2756, ["root_rsqrt"], True, False), (4607, ["root_exact", "root_fp32"], False, False),
                                         (4608, ["root_exact", "root_fp32"], True, True)):
            self.check_run("triangle", n, 1, tracks, broken, table=table, frames=1)


class Shapes(SimplexTest):
    """Threads that serve several cells, and blocks that are launched as one, compute what a thread per cell does."""

    def test_automatic_shapes_have_the_seal_of_a_thread_a_cell(self):
        """Of large blocks; coarse_test holds every shape."""
        for kind in DOMAINS:
            domain = Domain(kind, 41)
            tracks = [f"{m}/blocked" for m in EXACT_MAPS[domain.dimensions][:4]]
            for work in ("automaton", "stencil", "single_write", "distance_matrix" if domain.dimensions == 2 else "triplet_energy"):
                if (kind, work) == ("tetrahedron_corner", "triplet_energy"):
                    continue  # its points are in no order that tables of pairs could use
                plain = self.run_simplex(domain=kind, n=41, block=8, tracks=["bounding_box"], work=work)["tracks"][0]
                self.assertEqual([plain["numbers"][k] for k in ("coarsen_x", "coarsen_y", "coarsen_z", "gang")], [1] * 4)
                with self.subTest(domain=kind, work=work):
                    stats = self.run_simplex(domain=kind, n=41, block=16, coarsen="auto", gang="auto", tracks=tracks, work=work)
                    self.assertEqual(stats["parameters"]["coarsen"], "auto")
                    cells = [math.prod(t["numbers"][f"coarsen_{axis}"] for axis in "xyz") for t in stats["tracks"]]
                    self.assertEqual(len(set(cells)), 1)
                    for track in stats["tracks"]:
                        self.assertTrue(track["agrees"])
                        self.assertEqual(track["threads"]["useful"], domain.count())
                        self.assertEqual(math.prod(track["launches"][0]["block"]) * cells[0], 16**domain.dimensions)
                        if work != "triplet_energy":
                            self.assertEqual(track["seal"], plain["seal"])

    def test_the_exact_numbers_of_one_shape(self):
        stats = self.run_simplex(domain="tetrahedron", n=40, block=16, coarsen=32, gang=2, tracks=["root_exact/blocked", "bounding_box/blocked"])
        root, box = stats["tracks"]
        self.assertEqual(root["numbers"], {"coarsen_x": 16, "coarsen_y": 1, "coarsen_z": 2, "gang": 2})
        self.assertEqual(root["launches"][0]["block"], [1, 16, 8])
        self.assertEqual(box["threads"]["launched"], 3**3 * 16**3)
        self.assertEqual(box["blocks"], {"launched": 27, "useful": 10})
        self.assertEqual(root["seal"], automaton_after("tetrahedron", 40, 2)[0])


if __name__ == "__main__":
    main()
