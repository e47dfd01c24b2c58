"""What the simplex scene refuses: the exit code, a message that names the culprit and the remedy, and nothing written."""

from simplex_oracle import DOMAINS, random_points, write_pdb, write_point_npy, write_xyz
from warploom_test import OUTPUTS, ProgramTest, main

SCENE = dict(domain="triangle", n=8, block=2, tracks="bounding_box,root_exact")


class Errors(ProgramTest):
    def refused(self, *words, code=2, says=(), says_any=(), **settings):
        """`run simplex` with every output asked for: none may appear."""
        more = [w for key, value in {**SCENE, **settings}.items() for w in ("--set", f"{key}={value}")]
        return self.fails(code, "run", "simplex", "--backend", "cpu", "--frames", 1, *more, *words, "--capture", "c.png", *OUTPUTS,
                          says=says, says_any=says_any)

    def refused_size(self, bytes_named=False, **settings):
        result = self.refused(**settings, says_any=["byte", "GiB", "TiB", "PiB", "EiB"] if bytes_named else ())
        self.assertRegex(result.err, r"\bn\b", f"the message does not name n\n{result}")

    def refused_points(self, name, dimensions=3, code=1, says=(), **settings):
        """The points are at fault; by the work that wants so many dimensions."""
        domain, work = ("triangle", "distance_matrix") if dimensions == 2 else ("tetrahedron", "triplet_energy")
        return self.refused(code=code, says=[str(name), *says], **{"domain": domain, "work": work, "points": name, **settings})

    def test_the_scene_itself_is_accepted(self):
        """Or nothing below says anything."""
        for domain in DOMAINS:
            more = [w for key, value in {**SCENE, "domain": domain}.items() for w in ("--set", f"{key}={value}")]
            self.succeeds("run", "simplex", "--backend", "cpu", "--interop", "none", "--frames", 1, *more, *OUTPUTS)

    def test_n(self):
        for domain in DOMAINS:
            for n in ("0", "-1", "abc", "", "1.5", "0x8", "8 ", "-9999999999999", str(2**64), str(10**30)):
                with self.subTest(domain=domain, n=n):
                    self.refused_size(domain=domain, n=n)
        self.refused(n=0, says=["n=0"])
        self.refused(n=-1, says=["n=-1"])

    def test_n_too_large_for_memory(self):
        for domain, n in (("triangle", 2 * 10**6), ("triangle", 10**6), ("tetrahedron", 10**5), ("tetrahedron_corner", 10**5),
                          ("tetrahedron", 20000)):
            for track in ("bounding_box", "table", "h_map/blocked", "root_exact/box"):
                with self.subTest(domain=domain, n=n, track=track):
                    self.refused_size(True, domain=domain, n=n, tracks=track)
        for domain in DOMAINS:
            for n in (2**31 - 1, 2**31, 2**32, 2**32 + 5, 2**40, 2**63 - 1):
                with self.subTest(domain=domain, n=n):
                    self.refused_size(domain=domain, n=n)
        for work, domain in (("distance_matrix", "triangle"), ("triplet_energy", "tetrahedron"), ("stencil", "tetrahedron"),
                             ("single_write", "triangle")):
            with self.subTest(work=work):
                self.refused_size(True, domain=domain, n=2 * 10**6, work=work)

    def test_block(self):
        for domain in DOMAINS[1:]:
            for block in ("11", "16", "32", "33"):
                with self.subTest(domain=domain, block=block):
                    self.refused(domain=domain, block=block, n=64, says=["block", block, "10", "coarsen"])
        for block in ("33", "64"):
            with self.subTest(block=block):
                self.refused(block=block, n=64, says=["block", block, "32", "coarsen"])
        for domain in DOMAINS:
            for block in ("65", "1024", "1000000", "4294967297"):
                with self.subTest(domain=domain, block=block):
                    self.refused(domain=domain, block=block, n=64, says=["block", block, "64"])
                    self.refused(domain=domain, block=block, n=64, coarsen="auto", says=["block", block, "64"])
        for domain in DOMAINS:
            for block in ("-1", "-2", "abc", "", "2.5", "0x2", str(2**32 + 2), str(2**64)):
                with self.subTest(domain=domain, block=block):
                    self.refused(domain=domain, block=block, says=["block"])

    def test_cells_a_thread(self):
        """A number that the work does not list for its block and layout names those that it does."""
        scene = dict(domain="tetrahedron", block=8, n=20)
        for number in ("3", "0", "-1", "abc", "", "1.5", "8192", "Auto"):
            with self.subTest(coarsen=number):
                self.refused(coarsen=number, says=["coarsen"], **scene)
        self.refused(coarsen=2, tracks="root_exact/blocked", says=["coarsen 2", "automaton", "blocked", "1, 4, 8, 16 or auto"], **scene)
        self.refused(coarsen=4, tracks="root_exact/blocked,root_exact/linear", says=["coarsen 4", "linear", "1 or auto"], **scene)
        self.refused(coarsen=16, tracks="root_exact/linear", domain="tetrahedron_corner", work="single_write", block=8, n=20,
                     says=["coarsen 16", "corner"])
        self.refused(coarsen=64, domain="tetrahedron", block=16, n=20, work="map_only", says=["coarsen 64", "map_only"])
        # Blocks that the work has no shape for keep to 1024 threads.
        self.refused(coarsen="auto", domain="tetrahedron", block=11, n=20, says=["block 11", "1 331 threads", "1024"])

    def test_blocks_a_launched_one(self):
        for number in ("3", "0", "16", "-1", "abc", ""):
            with self.subTest(gang=number):
                self.refused(gang=number, says=["gang"])
        self.refused(gang=4, domain="tetrahedron", block=8, n=20, says=["gang 4", "2048", "a gang of 2"])
        self.refused(gang=8, coarsen=1024, domain="tetrahedron", block=64, n=20, work="triplet_energy",
                     tracks="root_exact", says=["gang 8", "256", "a gang of 1"])

    def test_unknown_values_name_the_nearest(self):
        for key, value, near in (("domain", "triangel", "triangle"), ("domain", "tetrahedon", "tetrahedron"),
                                 ("domain", "tetrahedron-corner", "tetrahedron_corner"),
                                 ("domain", "Triangle", "triangle"), ("work", "automation", "automaton"), ("work", "single_writ", "single_write"),
                                 ("work", "distance-matrix", "distance_matrix"), ("work", "automatn", "automaton"),
                                 ("work", "stencl", "stencil"), ("work", "map-only", "map_only")):
            with self.subTest(key=key, value=value):
                self.refused(says=[value, near], **{key: value})
        self.refused(domain="tetrahedron", work="triplets_energy", says=["triplets_energy", "'triplet_energy'"])
        self.refused(domain="", says=["domain"])
        self.refused(work="", says=["work"])
        for key, near in (("domian", "domain"), ("N", "n"), ("blok", "block"), ("wrok", "work"), ("point", "points"), ("track", "tracks"),
                          ("desity", "density"), ("rul", "rule"), ("sed", "seed")):
            with self.subTest(key=key):
                self.refused("--set", f"{key}=5", says=[key, near])
        self.refused("--set", "level=5", says=["level"])
        self.fails(2, "run", "simplx", *OUTPUTS, says=["simplx", "simplex"])

    def test_tracks(self):
        for tracks in ("", ",", "bounding_box,", ",bounding_box", "bounding_box,,table", ",".join(["bounding_box"] * 5)):
            with self.subTest(tracks=tracks):
                self.refused(tracks=tracks, says=["track"])
        for domain in DOMAINS:
            for track, near in (("bounding_bo", "bounding_box"), ("root_exakt", "root_exact"), ("hmap", "h_map"), ("Table", "table"),
                               ("stride_wlak", "stride_walk"), ("root_fp23", "root_fp32"), ("table/blokced", "blocked"),
                               ("bounding_box/linaer", "linear"), ("h_map/bocks", "box"), ("root_exact/", "root_exact"),
                               ("root_exact/box/x", "root_exact"), ("lambda_serial", "lambda_serial")):
                with self.subTest(domain=domain, track=track):
                    self.refused(domain=domain, tracks=track, says=[track, near])
                    self.refused(domain=domain, tracks="bounding_box," + track, says=[track, near])

    def test_tracks_of_other_domains(self):
        for domain in DOMAINS:
            foreign = ("root_fp64",) if domain == "triangle" else ("rectangle", "recursive", "root_rsqrt")
            for track in foreign:
                for name in (track, track + "/box"):
                    with self.subTest(domain=domain, track=name):
                        self.refused(domain=domain, tracks=name, says=[track])
                        self.refused(domain=domain, tracks="bounding_box," + name, says=[track])

    def test_works_of_other_domains(self):
        for domain in DOMAINS:
            work = "triplet_energy" if domain == "triangle" else "distance_matrix"
            with self.subTest(domain=domain, work=work):
                self.refused(domain=domain, work=work, says=[work, domain])

    def test_rule(self):
        bad = ("B9/S", "B3S23", "S23/B3", "B33/S23", "", "/", "B/", "3/23", "B3/S23/", "B3/S23x", "B 3/S23", "life")
        for domain in DOMAINS:
            for rule in bad:
                with self.subTest(domain=domain, rule=rule):
                    self.refused(domain=domain, rule=rule, says=["rule"])
        for domain in DOMAINS[1:]:
            for rule in ("B8/S", "B1/S8", "B7/S12", "B/S7", "B/S012345678"):
                with self.subTest(domain=domain, rule=rule):
                    self.refused(domain=domain, rule=rule, says=["rule", rule, "6"])

    def test_density_and_seed(self):
        for density in ("nan", "inf", "2", "-1", "abc", "", "1.0000001", "-0.1", "0,5"):
            with self.subTest(density=density):
                self.refused(density=density, says=["density"])
        for seed in ("-1", str(2**64), "abc", "", "1.5"):
            with self.subTest(seed=seed):
                self.refused(seed=seed, says=["seed"])

    def test_too_few_points(self):
        """Named: how many are needed, how many there are. A count is a value, a file is a file."""
        for n, points in ((10, 9), (10, 1), (43, 42)):
            with self.subTest(n=n, points=points):
                self.refused_points(points, 2, code=2, n=n, says=["points", str(n)])
                write_point_npy(self.folder / "p.npy", random_points(points, 2), dimensions=2)
                self.refused_points("p.npy", 2, n=n, says=[str(n), str(points)])
        for domain in DOMAINS[1:]:
            for n, points in ((10, 11), (10, 10), (43, 44), (1, 2)):
                with self.subTest(domain=domain, n=n, points=points):
                    self.refused_points(points, code=2, domain=domain, n=n, says=["points", str(n + 2)])
                    for name, write in (("p.npy", write_point_npy), ("p.xyz", write_xyz), ("p.pdb", write_pdb)):
                        write(self.folder / name, random_points(points, 3))
                        self.refused_points(name, domain=domain, n=n, says=[str(n + 2), str(points)])

    def test_point_counts(self):
        for dimensions in (2, 3):
            for points in ("-3", "-1", "1.5", str(2**64), str(2**65), "-99999999999999999999999"):
                with self.subTest(dimensions=dimensions, points=points):
                    self.refused_points(points, dimensions, code=2, says=["points"])

    def test_point_files(self):
        (self.folder / "empty.npy").write_bytes(b"")
        (self.folder / "empty.pdb").write_text("")
        (self.folder / "empty.xyz").write_text("")
        (self.folder / "none.xyz").write_text("0\nno atoms\n")
        (self.folder / "none.pdb").write_text("HEADER    A PROTEIN\nREMARK 1\nEND\n")
        (self.folder / "text.npy").write_text("1 2 3\n4 5 6\n")
        (self.folder / "short.xyz").write_text("12\ntoo few lines\n" + "C 1 2 3\n" * 11)
        (self.folder / "words.xyz").write_text("12\nwords\n" + "C 1 two 3\n" * 12)
        (self.folder / "a.folder.npy").mkdir()
        points = random_points(12, 3)
        for bad in (float("nan"), float("inf"), -float("inf")):
            wrong = [*points[:5], (0.5, bad, 0.5), *points[6:]]
            for dtype in ("<f4", "<f8"):
                write_point_npy(self.folder / f"{bad}_{dtype[1:]}.npy", wrong, dtype)
            write_xyz(self.folder / f"{bad}.xyz", wrong)
            write_point_npy(self.folder / f"{bad}_2.npy", [p[:2] for p in wrong], dimensions=2)
        write_point_npy(self.folder / "far.npy", [*points[:5], (1e300, 0, 0), *points[6:]])
        write_point_npy(self.folder / "none.npy", [])
        write_point_npy(self.folder / "whole.npy", points)
        (self.folder / "cut.npy").write_bytes((self.folder / "whole.npy").read_bytes()[:-3])
        write_point_npy(self.folder / "flat.npy", [p[:2] for p in points], dimensions=2)
        names = sorted(p.name for p in self.folder.iterdir() if p.name not in ("whole.npy",))
        self.assertGreater(len(names), 20)
        for name in [*names, "missing.npy", "missing.xyz", "missing.pdb", "no/such/folder/p.npy"]:
            flat = name.endswith("_2.npy")
            with self.subTest(points=name):
                self.refused_points(name, 2 if flat else 3)
        with self.subTest("three dimensions where two are wanted"):
            self.refused_points("whole.npy", 2)
        (self.folder / "points.txt").write_text("1 2 3\n")
        self.refused_points("points.txt")


class Substitutes(ProgramTest):
    """What is not compiled runs as the nearest that is, and says so."""

    def test_what_is_not_compiled_runs_as_the_nearest(self):
        cases = (("tetrahedron", "triplet_energy", "root_fp32", "root_exact"), ("triangle", "stencil", "root_rsqrt", "root_exact"),
                 ("triangle", "automaton", "recursive/box", "recursive"), ("tetrahedron", "stencil", "root_fp64/box", "root_exact/box"))
        for kind, work, asked, runs in cases:
            with self.subTest(domain=kind, work=work, track=asked):
                result = self.warploom("run", "simplex", "--set", f"domain={kind}", "--set", "n=12", "--set", "block=3", "--set", f"work={work}",
                                           "--set", f"tracks=bounding_box,{asked}", "--frames", "2", "--stats", "s.json")
                self.assertEqual(result.code, 0, str(result))
                self.assertIn(f"{asked} is not compiled", result.err)
                self.assertIn(f"{runs} runs in its place", result.err)
                tracks = self.json("s.json")["tracks"]
                self.assertEqual([(t["name"], t["requested"]) for t in tracks], [("bounding_box", None), (runs, asked)])
                self.assertTrue(all(t["agrees"] for t in tracks))

    def test_a_shape_that_is_not_compiled_runs_as_the_automatic_one(self):
        result = self.warploom("run", "simplex", "--set", "domain=tetrahedron", "--set", "n=40", "--set", "block=16", "--set", "work=single_write",
                                   "--set", "coarsen=16", "--set", "gang=4", "--set", "tracks=bounding_box,h_map", "--frames", "2", "--stats", "s.json")
        self.assertEqual(result.code, 0, str(result))
        self.assertIn("h_map coarsen=16 is not compiled", result.err)
        self.assertTrue(all(t["agrees"] for t in self.json("s.json")["tracks"]))


if __name__ == "__main__":
    main()
