"""Files that earlier versions wrote open as they did: captures, their scene texts, stats. tests/old holds them; their
pictures are cut to a pixel."""

import json
from pathlib import Path

from files import png_texts
from warploom_test import ProgramTest, main

OLD = Path(__file__).parent.parent / "old"
# What the file holds, and what of it is made smaller here: (tracks, steps, settings).
CAPTURES = {
    "fractal.png": (["bounding_box", "lambda_shuffle"], 299, {}),  # its tracks are 'lanes', as before 0.1.0
    "simplex.png": (["bounding_box", "h_map"], 203, {"n": 24}),
    "butterfly.png": (["radix2", "radix8"], 60, {}),
}


class OldFiles(ProgramTest):
    def check(self, file, tracks, steps, settings):
        stats = self.run_scene("--scene-file", file, **settings)
        self.assertEqual([track["name"] for track in stats["tracks"]], tracks)
        self.assertEqual([track["requested"] for track in stats["tracks"]], [None] * len(tracks))
        self.assertTrue(all(track["agrees"] for track in stats["tracks"]))
        self.assertEqual(stats["steps"], steps)

    def test_captures(self):
        for name, (tracks, steps, settings) in CAPTURES.items():
            with self.subTest(name):
                self.check(OLD / name, tracks, steps, settings)

    def test_scene_texts(self):
        for name, (tracks, steps, settings) in CAPTURES.items():
            with self.subTest(name):
                (self.folder / "scene.toml").write_text(png_texts(OLD / name)["warploom-scene"][1])
                self.check("scene.toml", tracks, steps, settings)

    def test_stats_are_compared_with_those_of_now(self):
        for file in sorted(OLD.glob("*.json")):
            with self.subTest(file.name):
                old = json.loads(file.read_text())
                self.scene = old["scene"]
                self.run_scene(frames=old["steps"])
                done = self.warploom("diff", file, "s.json", "--tolerance", 10)
                self.assertIn(done.code, (0, 3), str(done))
                self.assertNotIn("different seals", done.out, str(done))
                self.assertEqual(done.out.splitlines()[1:] and done.out.count("not in"), 0, str(done))


if __name__ == "__main__":
    main()
