"""What the program computes, against an independent simulation (warploom_test.Life)."""

import random

from warploom_test import (
    ALL_TRACKS, FRACTALS, Fractal, Life, Settings, FOUR,
    OTHERS, FRAMES, kernel, ProgramTest, main, png_size, write_mask)

class EveryFractal(ProgramTest):
    """Acceptance 2: every legal block side, four tracks, 32 frames."""

    def check(self, name):
        level = 3 if Settings.quick else 5
        fractal = Fractal(FRACTALS[name], level)
        rows = Life(fractal).randomise().step(FRAMES).rows()
        sides = fractal.blocks()
        for block in sides:
            sets = [FOUR, *OTHERS] if block == fractal.default_block() else [FOUR]
            for tracks in sets:
                with self.subTest(fractal=name, block=block, tracks=tracks):
                    picture = ["--capture", "c.png", "--overlay"] if block == sides[0] and tracks is FOUR else []
                    stats = self.run_scene("--frames", FRAMES, "--dump", "d", *picture,
                                           fractal=name, level=level, block=block, tracks=tracks)
                    self.assertEqual((stats["steps"], stats["frames"]), (FRAMES, FRAMES))
                    self.assertEqual(stats["parameters"]["block"], block)
                    self.assertEqual([track["name"] for track in stats["tracks"]], tracks)
                    self.check_tracks(stats, fractal, block, rows)
                    for track in range(4):
                        self.assertEqual(self.dumped_state(track), rows)
                        self.check_map_blocks(fractal, track, tracks[track], block)
                        life = kernel(stats["tracks"][track], "fractal.life")
                        self.assertEqual((life["samples"], life["dropped"]), (FRAMES, 0))
                    if picture:
                        self.assertEqual(png_size(self.folder / "c.png"), (1600, 900))
                        self.assertEqual(stats["frame"]["samples"], FRAMES)
                    else:
                        self.assertIsNone(stats["frame"])

    def test_sierpinski_gasket(self):
        self.check("sierpinski_gasket")

    def test_sierpinski_carpet(self):
        self.check("sierpinski_carpet")

    def test_vicsek(self):
        self.check("vicsek")

    def test_x_fractal(self):
        self.check("x_fractal")

    def test_h_fractal(self):
        self.check("h_fractal")

    def test_cantor_set(self):
        self.check("cantor_set")

    def test_candy(self):
        self.check("candy")

    def test_chandelier(self):
        self.check("chandelier")

    def test_empty_bottles(self):
        self.check("empty_bottles")


class SmallLevels(ProgramTest):
    def test_levels_0_to_3_every_block_every_track(self):
        for name, rows in FRACTALS.items():
            for level in range(3 if Settings.quick else 4):
                fractal = Fractal(rows, level)
                expected = Life(fractal, "B2/S23").randomise(3).step(5).rows()
                for block in fractal.blocks():
                    for tracks in (ALL_TRACKS[:4], ALL_TRACKS[4:8], ALL_TRACKS[8:]):
                        with self.subTest(fractal=name, level=level, block=block, tracks=tracks):
                            stats = self.run_scene("--frames", 5, "--dump", "d", "--seed", 3, fractal=name, level=level,
                                                   block=block, tracks=tracks, rule="B2/S23")
                            self.check_tracks(stats, fractal, block, expected)
                            for track, key in enumerate(tracks):
                                self.assertEqual(self.dumped_state(track), expected)
                                self.check_map_blocks(fractal, track, key, block)

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
                        self.assertEqual(stats["results"]["alive_cells"], len(life.alive))

    def test_rule_digits_in_any_order(self):
        expected = Life(Fractal(FRACTALS["sierpinski_gasket"], 5), "B23/S23").randomise().step(3).seal()
        for rule in ("B32/S32", "b23/S23", "B23/s32"):
            stats = self.run_scene("--frames", 3, fractal="sierpinski_gasket", level=5, rule=rule)
            self.assertEqual(stats["tracks"][0]["seal"], expected)


class Masks(ProgramTest):
    """Acceptance 4, the half that works: a user's masks in all tracks."""

    def check(self, rows, level, steps=8):
        write_mask(self.folder / "mine.toml", rows, "Mine", source="me", status="drawn")
        fractal = Fractal(rows, level)
        expected = Life(fractal, "B2/S123").randomise().step(steps).rows()
        for block in fractal.blocks():
            for tracks in (ALL_TRACKS[:4], ALL_TRACKS[4:8], ALL_TRACKS[8:]):
                with self.subTest(block=block, tracks=tracks):
                    stats = self.run_scene("--frames", steps, "--dump", "d", fractal="mine.toml", level=level, block=block,
                                           rule="B2/S123", tracks=tracks)
                    self.check_tracks(stats, fractal, block, expected)
                    for track, name in enumerate(tracks):
                        self.assertEqual(self.dumped_state(track), expected)
                        self.check_map_blocks(fractal, track, name, block)

    def test_5x5_with_3_marks(self):
        self.check(["#....", ".....", "..#..", ".....", "....#"], 3)

    def test_5x5_in_a_row(self):
        self.check([".....", ".###.", ".....", ".....", "....."], 3)

    def test_5x2_with_8_marks(self):
        self.check(["####.", ".####"], 3)

    def test_smallest_and_largest(self):
        self.check(["##"], 6)
        self.check(["########"] * 8, 2)
        self.check(["#.", ".#"], 5)

    def test_1_wide_columns_and_rows(self):
        self.check(["#.#####."], 2)

    def test_random_masks(self):
        """Masks drawn at random, so that no table of nine is enough."""
        dice = random.Random(5)
        for _ in range(3 if Settings.quick else 12):
            width, height = dice.randint(2, 8), dice.randint(1, 8)
            cells = [(x, y) for x in range(width) for y in range(height)]
            marks = set(dice.sample(cells, dice.randint(2, len(cells))))
            mask = ["".join("#" if (x, y) in marks else "." for x in range(width)) for y in range(height)]
            level = 3 if width * height <= 16 else 2
            fractal = Fractal(mask, level)
            block = dice.choice(fractal.blocks())
            with self.subTest(mask=mask, block=block):
                write_mask(self.folder / "m.toml", mask)
                rows = Life(fractal, "B23/S12").randomise().step(4).rows()
                for tracks in (FOUR, *OTHERS):
                    stats = self.run_scene("--frames", 4, "--dump", "d", fractal="m.toml", level=level, block=block, rule="B23/S12", tracks=tracks)
                    self.check_tracks(stats, fractal, block, rows)
                    for track, name in enumerate(tracks):
                        self.assertEqual(self.dumped_state(track), rows)
                        self.check_map_blocks(fractal, track, name, block)


if __name__ == "__main__":
    main()
