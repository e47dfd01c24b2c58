"""Threads that serve several cells, and blocks launched as one: the seals and counts of a thread per cell."""

import math

from simplex_acceptance_test import SimplexTest
from simplex_oracle import DOMAINS, EXACT_MAPS, Domain, automaton_after
from warploom_test import main


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
