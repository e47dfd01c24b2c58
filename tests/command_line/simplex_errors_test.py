"""What the simplex scene refuses: the exit code, a message that names the culprit and the remedy, and nothing written."""

from simplex_oracle import DOMAINS, random_points, write_pdb, write_point_npy, write_xyz
from warploom_test import OUTPUTS, ProgramTest, main, sets


class Errors(ProgramTest):
    scene, given = "simplex", dict(domain="triangle", n=8, block=2, tracks="bounding_box,root_exact")
    outputs = ("--capture", "c.png", *OUTPUTS)

    def refused_sizes(self, sizes, bytes_named=False, **settings):
        for n in sizes:
            with self.subTest(n=n, **settings):
                result = self.refused(**settings, n=n, says_any=["byte", "GiB", "TiB", "PiB", "EiB"] if bytes_named else ())
                self.assertRegex(result.err, r"\bn\b", f"the message does not name n\n{result}")

    def refused_points(self, name, dimensions=3, code=1, says=(), **settings):
        """The points are at fault; by the work that wants so many dimensions."""
        domain, work = ("triangle", "distance_matrix") if dimensions == 2 else ("tetrahedron", "triplet_energy")
        with self.subTest(points=name, dimensions=dimensions, **settings):
            self.refused(code=code, says=[str(name), *says], **{"domain": domain, "work": work, "points": name, **settings})

    def test_the_scene_itself_is_accepted(self):
        """Or nothing below says anything."""
        for domain in DOMAINS:
            self.succeeds("run", "simplex", "--backend", "cpu", "--interop", "none", "--frames", 1,
                          *sets({**self.given, "domain": domain}), *OUTPUTS)

    def test_n(self):
        for domain in DOMAINS:
            self.refused_sizes(("0", "-1", "abc", "", "1.5", "0x8", "8 ", "-9999999999999", str(2**64), str(10**30)), domain=domain)
        self.all_refused("n", [0], ["n=0"])
        self.all_refused("n", [-1], ["n=-1"])

    def test_n_too_large_for_memory(self):
        for domain, sizes in (("triangle", (2 * 10**6, 10**6)), ("tetrahedron", (10**5, 20000)), ("tetrahedron_corner", (10**5,))):
            for track in ("bounding_box", "table", "h_map/blocked", "root_exact/box"):
                self.refused_sizes(sizes, True, domain=domain, tracks=track)
        for domain in DOMAINS:
            self.refused_sizes((2**31 - 1, 2**31, 2**32, 2**32 + 5, 2**40, 2**63 - 1), domain=domain)
        for work, domain in (("distance_matrix", "triangle"), ("triplet_energy", "tetrahedron"), ("stencil", "tetrahedron"),
                             ("single_write", "triangle")):
            self.refused_sizes((2 * 10**6,), True, domain=domain, work=work)

    def test_block(self):
        for domains, blocks, most in ((DOMAINS[1:], (11, 16, 32, 33), ["10", "coarsen"]), (DOMAINS[:1], (33, 64), ["32", "coarsen"]),
                                      (DOMAINS, (65, 1024, 1000000, 4294967297), ["64"])):
            for domain in domains:
                for block in blocks:
                    self.all_refused("block", [block], ["block", str(block), *most], domain=domain, n=64)
                    if blocks[0] == 65:
                        self.all_refused("block", [block], ["block", str(block), *most], domain=domain, n=64, coarsen="auto")
        for domain in DOMAINS:
            self.all_refused("block", ("-1", "-2", "abc", "", "2.5", "0x2", str(2**32 + 2), str(2**64)), domain=domain)

    def test_cells_a_thread(self):
        """A number that the work does not list for its block and layout names those that it does."""
        scene = dict(domain="tetrahedron", block=8, n=20)
        self.all_refused("coarsen", ("3", "0", "-1", "abc", "", "1.5", "8192", "Auto"), **scene)
        self.refused(coarsen=2, tracks="root_exact/blocked", says=["coarsen 2", "automaton", "blocked", "1, 4, 8, 16 or auto"], **scene)
        self.refused(coarsen=4, tracks="root_exact/blocked,root_exact/linear", says=["coarsen 4", "linear", "1 or auto"], **scene)
        self.refused(coarsen=16, tracks="root_exact/linear", domain="tetrahedron_corner", work="single_write", block=8, n=20,
                     says=["coarsen 16", "corner"])
        self.refused(coarsen=64, domain="tetrahedron", block=16, n=20, work="map_only", says=["coarsen 64", "map_only"])
        # Blocks that the work has no shape for keep to 1024 threads.
        self.refused(coarsen="auto", domain="tetrahedron", block=11, n=20, says=["block 11", "1 331 threads", "1024"])

    def test_blocks_a_launched_one(self):
        self.all_refused("gang", ("3", "0", "16", "-1", "abc", ""))
        self.refused(gang=4, domain="tetrahedron", block=8, n=20, says=["gang 4", "2048", "a gang of 2"])
        self.refused(gang=8, coarsen=1024, domain="tetrahedron", block=64, n=20, work="triplet_energy",
                     tracks="root_exact", says=["gang 8", "256", "a gang of 1"])

    def test_unknown_values_name_the_nearest(self):
        for key, value, near in (("domain", "triangel", "triangle"), ("domain", "tetrahedon", "tetrahedron"),
                                 ("domain", "tetrahedron-corner", "tetrahedron_corner"),
                                 ("domain", "Triangle", "triangle"), ("work", "automation", "automaton"), ("work", "single_writ", "single_write"),
                                 ("work", "distance-matrix", "distance_matrix"), ("work", "automatn", "automaton"),
                                 ("work", "stencl", "stencil"), ("work", "map-only", "map_only")):
            self.all_refused(key, [value], [value, near])
        self.refused(domain="tetrahedron", work="triplets_energy", says=["triplets_energy", "'triplet_energy'"])
        self.all_refused("domain", [""])
        self.all_refused("work", [""])
        for key, near in (("domian", "domain"), ("N", "n"), ("blok", "block"), ("wrok", "work"), ("point", "points"), ("track", "tracks"),
                          ("desity", "density"), ("rul", "rule"), ("sed", "seed"), ("level", "level")):
            self.all_refused(key, [5], [key, near])
        self.fails(2, "run", "simplx", *OUTPUTS, says=["simplx", "simplex"])

    def test_tracks(self):
        self.all_refused("tracks", ("", ",", "bounding_box,", ",bounding_box", "bounding_box,,table", ["bounding_box"] * 5), ["track"])
        names = (("bounding_bo", "bounding_box"), ("root_exakt", "root_exact"), ("hmap", "h_map"), ("Table", "table"),
                 ("stride_wlak", "stride_walk"), ("root_fp23", "root_fp32"), ("table/blokced", "blocked"),
                 ("bounding_box/linaer", "linear"), ("h_map/bocks", "box"), ("root_exact/", "root_exact"),
                 ("root_exact/box/x", "root_exact"), ("lambda_serial", "lambda_serial"))
        for domain in DOMAINS:
            # Those of other domains are named as they are.
            foreign = ("root_fp64",) if domain == "triangle" else ("rectangle", "recursive", "root_rsqrt")
            for track, near in (*names, *((name, name) for other in foreign for name in (other, other + "/box"))):
                self.all_refused("tracks", [track, "bounding_box," + track], [track, near], domain=domain)

    def test_works_of_other_domains(self):
        for domain in DOMAINS:
            work = "triplet_energy" if domain == "triangle" else "distance_matrix"
            self.all_refused("work", [work], [work, domain], domain=domain)

    def test_rule_density_and_seed(self):
        for domain in DOMAINS:
            self.all_refused("rule", ("B9/S", "B3B23", "23/3/3", "B33/S23", "", "/", "B/", "B3/S23/", "B3/S23x", "B 3/S23", "life"),
                             domain=domain)
        for domain in DOMAINS[1:]:
            for rule in ("B8/S", "B1/S8", "B7/S12", "B/S7", "B/S012345678"):
                self.all_refused("rule", [rule], ["rule", rule, "6"], domain=domain)
        self.all_refused("density", ("nan", "inf", "2", "-1", "abc", "", "1.0000001", "-0.1", "0,5"))
        self.all_refused("seed", ("-1", str(2**64), "abc", "", "1.5"))

    def test_too_few_points(self):
        """Named: how many are needed, how many there are. A count is a value, a file is a file."""
        for dimensions, n, points, needed in ((2, 10, 9, 10), (2, 43, 42, 43), (3, 10, 11, 12), (3, 1, 2, 3)):
            self.refused_points(points, dimensions, code=2, n=n, says=["points", str(needed)])
            for name, write in (("p.npy", write_point_npy), *((("p.xyz", write_xyz), ("p.pdb", write_pdb)) if dimensions == 3 else ())):
                write(self.folder / name, random_points(points, dimensions), *(("<f8", 2) if dimensions == 2 else ()))
                self.refused_points(name, dimensions, n=n, says=[str(needed), str(points)])

    def test_point_counts(self):
        for dimensions in (2, 3):
            for points in ("-3", "-1", "1.5", str(2**64), str(2**65), "-99999999999999999999999"):
                self.refused_points(points, dimensions, code=2, says=["points"])

    def test_point_files(self):
        """One of each kind; each mistake that a file can have is in the tests of its reader (point_file_test)."""
        for name, text in (("empty.pdb", ""), ("none.xyz", "0\nno atoms\n"), ("text.npy", "1 2 3\n4 5 6\n"), ("points.txt", "1 2 3\n")):
            (self.folder / name).write_text(text)
        (self.folder / "a.folder.npy").mkdir()
        points = random_points(12, 3)
        write_point_npy(self.folder / "inf.npy", [*points[:5], (0.5, float("inf"), 0.5), *points[6:]])
        write_point_npy(self.folder / "flat.npy", [p[:2] for p in points], dimensions=2)
        for name in (*sorted(p.name for p in self.folder.iterdir()), "missing.npy", "missing.xyz", "no/such/folder/p.npy"):
            self.refused_points(name)
        write_point_npy(self.folder / "whole.npy", points)
        self.refused_points("whole.npy", 2)  # three dimensions where two are wanted


class Substitutes(ProgramTest):
    """What is not compiled runs as the nearest that is, and says so."""

    def test_what_is_not_compiled_runs_as_the_nearest(self):
        for kind, work, asked, runs in (
            ("tetrahedron", "triplet_energy", "root_fp32", "root_exact"), ("triangle", "stencil", "root_rsqrt", "root_exact"),
            ("triangle", "automaton", "recursive/box", "recursive"), ("tetrahedron", "stencil", "root_fp64/box", "root_exact/box"),
        ):
            with self.subTest(domain=kind, work=work, track=asked):
                said = self.succeeds("run", "simplex", *sets(dict(domain=kind, n=12, block=3, work=work, tracks=f"bounding_box,{asked}")),
                                     "--frames", 2, "--stats", "s.json").err
                self.assertIn(f"{asked} is not compiled", said)
                self.assertIn(f"{runs} runs in its place", said)
                tracks = self.json("s.json")["tracks"]
                self.assertEqual([(t["name"], t["requested"]) for t in tracks], [("bounding_box", None), (runs, asked)])
                self.assertTrue(all(t["agrees"] for t in tracks))

    def test_a_shape_that_is_not_compiled_runs_as_the_automatic_one(self):
        shape = dict(domain="tetrahedron", n=40, block=16, work="single_write", coarsen=16, gang=4, tracks="bounding_box,h_map")
        said = self.succeeds("run", "simplex", *sets(shape), "--frames", 2, "--stats", "s.json").err
        self.assertIn("h_map coarsen=16 is not compiled", said)
        self.assertTrue(all(t["agrees"] for t in self.json("s.json")["tracks"]))


if __name__ == "__main__":
    main()
