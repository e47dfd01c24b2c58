"""Threads that serve several cells, and blocks launched as one: the seals and counts of a thread per cell."""

import math

from oracle import Settings
from simplex_acceptance_test import SimplexTest
from simplex_oracle import DOMAINS, EXACT_MAPS, Domain, automaton_after
from warploom_test import main


class Shapes(SimplexTest):
    """Threads that serve several cells, and blocks that are launched as one, compute what a thread per cell does."""

    def test_every_shape_has_the_seal_of_a_thread_a_cell(self):
        shapes = [(8, "auto", 1), (16, "auto", "auto"), (32, "auto", 2), (64, "auto", 1)]
        for kind in DOMAINS:
            dimensions = Domain(kind, 1).dimensions
            works = ["automaton", "stencil", "single_write", "distance_matrix" if dimensions == 2 else "triplet_energy"]
            for work in works:
                for n in (5, 41) if Settings.quick else (1, 3, 64, 65, 70):
                    plain = self.run_simplex(domain=kind, n=n, block=8, tracks=["bounding_box"], work=work)
                    self.assertEqual([plain["tracks"][0]["numbers"][k] for k in ("coarsen_x", "coarsen_y", "coarsen_z", "gang")], [1] * 4)
                    for block, coarsen, gang in shapes:
                        if block == 32 and work == "stencil" and dimensions == 3:
                            gang = 1  # a block has all the threads that the kernel takes
                        if block > (32 if dimensions == 2 else 8) and kind == "tetrahedron_corner" and work == "triplet_energy":
                            continue  # its points are in no order that tables of pairs could use
                        if block == 64 and work == "stencil" and dimensions == 3:
                            continue
                        tracks = [f"{m}/blocked" for m in EXACT_MAPS[dimensions][:4]]
                        with self.subTest(domain=kind, work=work, n=n, block=block):
                            stats = self.run_simplex(domain=kind, n=n, block=block, coarsen=coarsen, gang=gang, tracks=tracks, work=work)
                            self.assertEqual(stats["parameters"]["coarsen"], coarsen)
                            cells = [math.prod(t["numbers"][f"coarsen_{axis}"] for axis in "xyz") for t in stats["tracks"]]
                            self.assertEqual(len(set(cells)), 1)
                            for track in stats["tracks"]:
                                self.assertTrue(track["agrees"])
                                self.assertEqual(track["threads"]["useful"], Domain(kind, n).count())
                                self.assertEqual(math.prod(track["launches"][0]["block"]) * cells[0], block**dimensions)
                                if work != "triplet_energy":
                                    self.assertEqual(track["seal"], plain["tracks"][0]["seal"])

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
