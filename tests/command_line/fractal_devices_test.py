"""Sliced fractals over several devices, for which the CPU's pools stand, against an independent simulation. With
WARPLOOM_TEST_BACKEND=cuda and WARPLOOM_TEST_DEVICES=8 one card stands for eight. WARPLOOM_FULL=1: every mask, level to 9 and rule."""

import os
import unittest

from files import write_mask
from oracle import FRACTALS, Fractal, Life, Settings, seal
from warploom_test import ProgramTest, main

FULL = bool(os.environ.get("WARPLOOM_FULL"))
POOLS = Settings.backend != "cuda"
RULES = ["B3/S23", "B0123/S45", "B2/S23", "B36/S125", "B1357/S02468"]
OWN = {"pieces": ["##..", "##..", "...#"], "comb": ["#.#.#.##"]}
# The least level on 2, 4 and 8 devices.
LEAST = {"sierpinski_gasket": (8, 8, 8), "vicsek": (5, 5, 7), "sierpinski_carpet": (3, 4, 4), "candy": (4, 4, 4)}


@unittest.skipUnless(POOLS or os.environ.get("WARPLOOM_TEST_DEVICES") == "8", "needs eight devices")
class Devices(ProgramTest):
    backend = Settings.backend

    def step(self, mask, level, tracks, rule="B3/S23", frames=10, at_once=1):
        return self.run_scene("--frames", frames, "--steps-per-frame", at_once, "--dump", "d", fractal=mask, level=level, rule=rule,
                              tracks=tracks)

    def test_states_are_those_of_a_simulation(self):
        masks = [("sierpinski_gasket", 8), ("chandelier", 5), ("vicsek", 5), ("pieces", 5)]
        for number, (name, level) in enumerate(masks):
            rows = OWN.get(name) or FRACTALS[name]
            mask = name
            if name in OWN:
                write_mask(self.folder / f"{name}.toml", rows)
                mask = f"{name}.toml"
            for rule in RULES if FULL else RULES[number % 2 : number % 2 + 1]:
                frames, at_once = (100, 1) if FULL else (3, 7)
                fractal = Fractal(rows, level)
                expected = Life(fractal, rule).randomise(7, .5).step(frames * at_once).rows()
                tracks = ["sliced@1", "sliced@2"] + (["sliced@4"] if name != "chandelier" else []) + (["sliced@8"] if "gasket" in name else [])
                with self.subTest(mask=name, rule=rule, tracks=tracks):
                    stats = self.step(mask, level, tracks, rule, frames, at_once)
                    for i, track in enumerate(stats["tracks"]):
                        self.assertTrue(track["agrees"], track["name"])
                        self.assertEqual(track["seal"], seal(fractal, expected), track["name"])
                        self.assertEqual(self.dumped_state(i), expected, track["name"])

    def test_every_mask_and_level(self):
        for mask, rows in sorted(FRACTALS.items()):
            copies = sum(row.count("#") for row in rows)
            for level in range(1, 10):
                if copies ** level > (2e7 if FULL else 3e5):
                    continue
                tracks = [f"sliced@{d}" for d, least in zip((2, 4, 8), LEAST.get(mask, ())) if level >= least]
                if tracks:
                    for rule in RULES if FULL else RULES[:2]:
                        with self.subTest(mask=mask, level=level, rule=rule):
                            stats = self.step(mask, level, ["sliced@1", *tracks], rule, 100 if FULL else 8)
                            self.assertEqual(len({track["seal"] for track in stats["tracks"]}), 1)
        for mask, least in LEAST.items():
            for devices, level in zip((2, 4, 8), least):
                self.refused(says=[f"level {level} is the least"], fractal=mask, level=level - 1, tracks=f"sliced@{devices}")

    def test_what_crosses_the_link(self):
        for level in (8, 11):
            tracks = self.step("sierpinski_gasket", level, ["sliced@2", "sliced@4", "sliced@8", "sliced@1"], frames=2)["tracks"]
            self.assertEqual([track["devices"]["bytes"] for track in tracks[:3]], [160, 480, 1120])
            self.assertIsNone(tracks[3]["devices"])
            for track in tracks[:3]:
                devices = track["devices"]
                self.assertEqual((devices["split"], devices["order"], devices["exchanges"], devices["pools"]), (None, None, 1, POOLS))
                self.assertEqual(sum(span["bytes"] for span in devices["timeline"]), devices["bytes"])
                self.assertEqual([one["device"] for one in devices["each"]], list(range(devices["count"])))

    def test_what_cannot_be_shared_out(self):
        for says, settings in (
            (("one launch grid", "lambda_serial@1", "sliced"), dict(tracks="lambda_serial@2")),
            (("one launch grid",), dict(devices=4)),
            (("no automaton",), dict(devices=2, tracks="sliced", work="reduction", level=9)),
            (("2 and 4",), dict(tracks="sliced@3")),
            (("2 and 4",), dict(tracks="sliced", devices=3, level=9)),
            (("device 0 needs", "4.00 MiB allowed", "devices=4" if POOLS else "lower level"),
             dict(tracks="sliced", level=16, device_memory=4)),
        ):
            with self.subTest(**settings):
                self.refused(says=says, **settings)
        if POOLS:
            self.run_scene(tracks="sliced", level=16, device_memory=4, devices=4, frames=1)

    def test_steps_of_a_frame_are_one_sample(self):
        for tracks in (["sliced@4", "sliced@1"], ["sliced@1", "sliced@4"]):
            for track in self.step("sierpinski_gasket", 8, tracks, frames=6, at_once=7)["tracks"]:
                self.assertEqual({kernel["name"]: kernel["samples"] for kernel in track["kernels"]}, {"fractal.life": 6, "fractal.seal": 6})


if __name__ == "__main__":
    main()
