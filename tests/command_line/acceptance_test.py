"""What the program computes, against an independent simulation (oracle.Life)."""

import random

from files import png_size, write_mask
from oracle import ALL_TRACKS, FRACTALS, Fractal, Life, Settings
from warploom_test import FOUR, OTHERS, ProgramTest, kernel, main

FRAMES = 32
EVERY_TRACK = (ALL_TRACKS[:4], ALL_TRACKS[4:8], ALL_TRACKS[8:])


class FractalTest(ProgramTest):
    def check_run(self, steps, fractal, name, block, tracks, rows, *words, **settings):
        """The stats of a run of the mask `name`, whose tracks have the state `rows` and the blocks of `fractal`."""
        with self.subTest(fractal=name, level=fractal.level, block=block, tracks=tracks, **settings):
            stats = self.run_scene("--frames", steps, "--dump", "d", *words, fractal=name, level=fractal.level, block=block,
                                   tracks=tracks, **settings)
            self.assertEqual([track["name"] for track in stats["tracks"]], tracks)
            self.check_tracks(stats, fractal, block, rows)
            for track, key in enumerate(tracks):
                self.assertEqual(self.dumped_state(track), rows)
                self.check_map_blocks(fractal, track, key, block)
            return stats


class EveryFractal(FractalTest):
    """Acceptance 2: every legal block side, four tracks, 32 frames."""

    def check(self, name):
        level = 3 if Settings.quick else 5
        fractal = Fractal(FRACTALS[name], level)
        rows = Life(fractal).randomise().step(FRAMES).rows()
        sides = fractal.blocks()
        for block in sides:
            for tracks in [FOUR, *OTHERS] if block == fractal.default_block() else [FOUR]:
                picture = ["--capture", "c.png", "--overlay"] if block == sides[0] and tracks is FOUR else []
                stats = self.check_run(FRAMES, fractal, name, block, tracks, rows, *picture)
                self.assertEqual((stats["steps"], stats["frames"]), (FRAMES, FRAMES))
                self.assertEqual(stats["parameters"]["block"], block)
                for track in stats["tracks"]:
                    life = kernel(track, "fractal.life")
                    self.assertEqual((life["samples"], life["dropped"]), (FRAMES, 0))
                if picture:
                    self.assertEqual(png_size(self.folder / "c.png"), (1600, 900))
                    self.assertEqual(stats["frame"]["samples"], FRAMES)
                else:
                    self.assertIsNone(stats["frame"])


for _name in FRACTALS:  # a test for each, so that several run at once
    setattr(EveryFractal, f"test_{_name}", lambda self, name=_name: self.check(name))


class SmallLevels(FractalTest):
    def test_levels_0_to_3_every_block_every_track(self):
        for name, rows in FRACTALS.items():
            for level in range(3 if Settings.quick else 4):
                fractal = Fractal(rows, level)
                expected = Life(fractal, "B2/S23").randomise(3).step(5).rows()
                for block in fractal.blocks():
                    for tracks in EVERY_TRACK:
                        self.check_run(5, fractal, name, block, tracks, expected, seed=3, rule="B2/S23")

    def test_default_block(self):
        for name, rows in FRACTALS.items():
            for level in (0, 1, 5):
                with self.subTest(fractal=name, level=level):
                    fractal = Fractal(rows, level)
                    stats = self.run_scene("--frames", 1, fractal=name, level=level, tracks=FOUR)
                    block = fractal.default_block()
                    self.assertEqual(stats["tracks"][0]["block"], [block, fractal.block_height(block), 1])
                    self.check_tracks(stats, fractal, block)


class Rules(ProgramTest):
    def test_rules(self):
        for rule in ("B3/S23", "B2/S23", "B0/S8", "b/s", "B/S012345678", "B012345678/S", "b1/s1", "B36/S23", "B3/S", "B/S23"):
            for name in ("sierpinski_gasket", "h_fractal"):
                fractal = Fractal(FRACTALS[name], 4)
                life = Life(fractal, rule).randomise(11, 0.4)
                for steps in (1, 2, 7):
                    with self.subTest(rule=rule, fractal=name, steps=steps):
                        life.randomise(11, 0.4).step(steps)
                        stats = self.run_scene("--frames", steps, "--dump", "d", fractal=name, level=4, rule=rule, seed=11,
                                               density=0.4, tracks=FOUR)
                        self.check_tracks(stats, fractal, fractal.default_block(), life.rows())
                        self.assertEqual(self.dumped_state(), life.rows())
                        self.assertEqual(stats["results"]["alive_cells"], life.count())


class Masks(FractalTest):
    """Acceptance 4, the half that works: a user's masks in all tracks."""

    def test_masks(self):
        for rows, level in ((["#....", ".....", "..#..", ".....", "....#"], 3), ([".....", ".###.", ".....", ".....", "....."], 3),
                            (["####.", ".####"], 3), (["##"], 6), (["########"] * 8, 2), (["#.", ".#"], 5), (["#.#####."], 2)):
            write_mask(self.folder / "mine.toml", rows, "Mine", source="me", status="drawn")
            fractal = Fractal(rows, level)
            expected = Life(fractal, "B2/S123").randomise().step(8).rows()
            for block in fractal.blocks():
                for tracks in EVERY_TRACK:
                    self.check_run(8, fractal, "mine.toml", block, tracks, expected, rule="B2/S123")

    def test_random_masks(self):
        """Masks drawn at random, so that no table of nine is enough."""
        dice = random.Random(5)
        for _ in range(3 if Settings.quick else 12):
            width, height = dice.randint(2, 8), dice.randint(1, 8)
            cells = [(x, y) for x in range(width) for y in range(height)]
            marks = set(dice.sample(cells, dice.randint(2, len(cells))))
            mask = ["".join("#" if (x, y) in marks else "." for x in range(width)) for y in range(height)]
            fractal = Fractal(mask, 3 if width * height <= 16 else 2)
            block = dice.choice(fractal.blocks())
            write_mask(self.folder / "m.toml", mask)
            rows = Life(fractal, "B23/S12").randomise().step(4).rows()
            with self.subTest(mask=mask):
                for tracks in (FOUR, *OTHERS):
                    self.check_run(4, fractal, "m.toml", block, tracks, rows, rule="B23/S12")


if __name__ == "__main__":
    main()
