"""Files that earlier versions wrote open as they did: captures, their scene texts, stats. tests/old holds them; their
pictures are cut to a pixel, and stats to a line."""

import json
from pathlib import Path

from files import png_texts
from warploom_test import ProgramTest, main

OLD = Path(__file__).parent.parent / "old"
# The file, its tracks, its steps, and what is made smaller here.
CAPTURES = {
    "fractal.png": (["bounding_box", "lambda_shuffle"], 299, {}),  # its tracks are 'lanes', as in the first versions
    "simplex.png": (["bounding_box", "h_map"], 203, {"n": 24}),
    "simplex_cut.png": (["bounding_box/box", "h_map"], 3, {}),  # asks for h_map/box, which is not compiled any more
    "bins.png": (["regular/count", "compact/range"], 6, {"input": 200}),
    "bins_cutcp.png": (["compact/bin", "regular/count/spill"], 3, {}),
    "butterfly.png": (["radix2", "radix8"], 60, {}),
}


class OldFiles(ProgramTest):
    def check(self, file, tracks, steps, settings):
        stats = self.run_scene("--scene-file", file, **settings)
        self.assertEqual([track["name"] for track in stats["tracks"]], tracks)
        self.assertTrue(all(track["agrees"] for track in stats["tracks"]))
        self.assertEqual(stats["steps"], steps)

    def test_captures(self):
        for name, holds in CAPTURES.items():
            with self.subTest(name):
                self.check(OLD / name, *holds)

    def test_scene_texts(self):
        for name, holds in CAPTURES.items():
            with self.subTest(name):
                (self.folder / "scene.toml").write_text(png_texts(OLD / name)["warploom-scene"][1])
                self.check("scene.toml", *holds)

    def test_stats_are_compared_with_those_of_now(self):
        for file in sorted(OLD.glob("*.json")):
            with self.subTest(file.name):
                old = json.loads(file.read_text())
                self.scene = old["scene"]
                self.run_scene(frames=old["frames"])
                done = self.warploom("diff", file, "s.json", "--tolerance", 10)
                self.assertIn(done.code, (0, 3), str(done))
                self.assertNotIn("different seals", done.out, str(done))
                self.assertGreater(len(done.out.splitlines()), 2, str(done))


if __name__ == "__main__":
    main()
