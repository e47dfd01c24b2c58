"""Rows of butterflies over several devices, for which the CPU's pools stand: against one device and against definitions. With
WARPLOOM_TEST_BACKEND=cuda and WARPLOOM_TEST_DEVICES=8 one card stands for eight."""

import os
import unittest

from butterfly_oracle import signed
from butterfly_test import ButterflyTest
from files import write_array
from oracle import Settings
from warploom_test import main

LINK = 4


POOLS = Settings.backend != "cuda"


@unittest.skipUnless(POOLS or os.environ.get("WARPLOOM_TEST_DEVICES") == "8", "needs eight devices")
class Devices(ButterflyTest):
    def test_scans_of_four_devices(self):
        """What crosses the link: 125 values in one network, 4 in another; and edges alone make the output."""
        stats = self.butterfly(frames=4, algorithm="scan", n=6, devices=4, trace=1, tracks="kogge_stone,ladner_fischer,brent_kung,ladner_fischer@1")
        tracks = stats["tracks"]
        self.assertEqual(len({track["seal"] for track in tracks}), 1)
        self.assertEqual([track["network"]["values"] for track in tracks], [125, 4, 16, None])
        self.assertEqual([track["network"]["link_exchanges"] for track in tracks], [6, 2, 7, None])
        self.assertEqual([track["name"] for track in tracks], ["kogge_stone", "ladner_fischer", "brent_kung", "ladner_fischer@1"])
        self.assertIsNone(tracks[3]["devices"])
        for i, track in enumerate(tracks[:3]):
            with self.subTest(track=track["name"]):
                devices = track["devices"]
                self.assertEqual((devices["count"], devices["pools"], devices["split"]), (4, POOLS, "elements"))
                self.assertEqual((devices["link"]["engine"], devices["link"]["direct"]), ("pools" if POOLS else "copies", True))
                self.assertEqual(devices["bytes"], 4 * 64 * devices["values"])
                self.assertEqual(sum(span["bytes"] for span in devices["timeline"]), devices["bytes"])
                self.assertEqual({span["device"] for span in devices["timeline"]}, {0, 1, 2, 3})
                self.assertEqual([one["device"] for one in devices["each"]], [0, 1, 2, 3])
                (rows, elements), who = self.array(i, "device_of")
                self.assertEqual((rows, elements), (track["network"]["stages"] + 2, 64))
                device = [who[row * 64 : (row + 1) * 64] for row in range(rows)]
                self.assertEqual(list(device[0]), [e // 16 for e in range(64)])
                (_, six), flat = self.array(i, "edges")
                edges = [flat[at : at + six] for at in range(0, len(flat), six)]
                crossing = set()
                for stage, _, start, end, where, _ in edges:
                    crosses = device[stage - 1][start] != device[stage][end]
                    self.assertEqual(where == LINK, crosses)
                    if crosses:
                        crossing.add((stage, start, device[stage][end]))
                self.assertEqual(len(crossing), track["network"]["values"])
                by_stage = track["network"]["by_stage"]
                self.assertEqual(sum(stage["values"] for stage in by_stage), track["network"]["values"])
                self.assertEqual(by_stage[0]["device_digits"], [6, 5])
                for row, got in zip(self.rows(i, "input"), self.rows(i, "output")):
                    now, j = list(row), 0
                    for j in range(1, rows - 1):
                        before, taken = list(now), {}
                        for stage, _, start, end, _, role in edges:
                            if stage == j:
                                taken.setdefault(end, {})[role] = before[start]
                        for end, operands in taken.items():
                            now[end] = signed(operands[0] + operands[1])
                    self.assertEqual(now, list(got))

    def test_a_transform_exchanges_once(self):
        for radix in (2, 4, 8):
            with self.subTest(radix=radix):
                stats = self.butterfly(algorithm="fft", n=6, devices=2, trace=1, tracks=f"radix{radix},radix{radix}@1")
                network = stats["tracks"][0]["network"]
                self.assertEqual((network["values"], network["link_exchanges"]), (32, 1))
                self.assertEqual(self.rows(0, "output"), self.rows(1, "output"))
                (rows, _), who = self.array(0, "device_of")
                device = [list(who[row * 64 : (row + 1) * 64]) for row in range(rows)]
                self.assertEqual(device[0], [e % 2 for e in range(64)])
                self.assertEqual(device[-1], [e // 32 for e in range(64)])
                exchanges = [j for j in range(1, rows) if device[j] != device[j - 1]]
                self.assertEqual(len(exchanges), 1)
                by_stage = network["by_stage"]
                self.assertEqual([stage["values"] for stage in by_stage], [32 * (j + 1 == exchanges[0]) for j in range(len(by_stage))])
                self.assertEqual([stage["device_digits"] for stage in by_stage], [[1 if j + 1 < exchanges[0] else 6] for j in range(len(by_stage))])
                (_, six), flat = self.array(0, "edges")
                for stage, _, start, end, where, _ in (flat[at : at + six] for at in range(0, len(flat), six)):
                    self.assertEqual(where == LINK, device[stage - 1][start] != device[stage][end])

    def test_every_track_gives_what_one_device_gives(self):
        for algorithm, maps in (("scan", ("kogge_stone", "brent_kung")), ("tridiagonal", ("cyclic_reduction", "wang_mou", "ladner_fischer")),
                                ("sort", ("bitonic", "odd_even_merge"))):
            for exchange in ("", "/shuffle", "/global"):
                for map_ in maps:
                    names = [f"{map_}{exchange}@{d}" for d in (1, 2, 4, 8)]
                    with self.subTest(algorithm=algorithm, track=map_ + exchange):
                        self.butterfly(algorithm=algorithm, n=7, batch=5, signal="shuffled" if algorithm == "sort" else "drawn", tracks=",".join(names))
                        for other in (1, 2, 3):
                            self.assertEqual(self.rows(0, "output"), self.rows(other, "output"))

    def test_long_rows_are_those_of_one_device(self):
        for batch in (1, 3):
            for algorithm, tracks in (("scan", "ladner_fischer/look_back,kogge_stone,brent_kung/global"), ("tridiagonal", "wang_mou,wang_mou/shuffle"),
                                      ("sort", "bitonic,bitonic/shuffle"), ("fft", "radix2,index_digit,radix8/shared/padded")):
                for order in ("left", "natural")[: 1 + (algorithm == "fft")]:
                    with self.subTest(algorithm=algorithm, order=order, batch=batch):
                        signal = dict(fft="noise", scan="noise", tridiagonal="dominant", sort="shuffled")[algorithm]
                        stats = self.butterfly(algorithm=algorithm, n=14, batch=batch, s=9, signal=signal, devices=4, order=order,
                                               tracks=f"{tracks.split(',')[0]}@1,{tracks}")
                        for track in stats["tracks"]:
                            self.assertTrue(track["agrees"])
                        for i, track in enumerate(stats["tracks"][1:], 1):
                            n, d = 1 << 14, 4
                            values, exchanges = dict(scan=(6, 1), tridiagonal=(24, 1), sort=(3 * n, 3),
                                                     fft=(3 * n * (d - 1) // d, 3) if order == "natural" else (n * (d - 1) // d, 1))[algorithm]
                            self.assertEqual((track["network"]["values"], track["network"]["link_exchanges"]), (values, exchanges))
                            self.assertEqual(sum(span["bytes"] for span in track["devices"]["timeline"]), track["devices"]["bytes"])
                            if algorithm in ("scan", "sort"):
                                self.assertEqual(self.rows(0, "output"), self.rows(i, "output"))

    @unittest.skipUnless(POOLS, "other cards have no rows of their own")
    def test_a_row_that_fits_several_devices_alone(self):
        stats = self.butterfly(algorithm="scan", n=20, batch=1, device_memory=8, devices=4, tracks="ladner_fischer/look_back")
        devices = stats["tracks"][0]["devices"]
        self.assertEqual((devices["case"], devices["allowed"], devices["link"]["engine"]), (3, 8 << 20, "pools" if POOLS else "copies"))
        self.assertTrue(stats["tracks"][0]["agrees"])
        for one in devices["each"]:
            self.assertLess(one["bytes"], 8 << 20)
            self.assertEqual((one["input"], one["output"]), (2 << 20, 2 << 20))

    def test_natural_order(self):
        for radix in (2, 4, 8):
            with self.subTest(radix=radix):
                stats = self.butterfly(algorithm="fft", n=6, devices=2, order="natural", trace=1, tracks=f"radix{radix},radix{radix}@1")
                network = stats["tracks"][0]["network"]
                self.assertEqual((network["values"], network["link_exchanges"]), (96, 3))
                self.assertEqual(stats["tracks"][0]["devices"]["order"], "natural")
                # Equal parts of the row, and of its spectrum; between the first exchange and the second the digit below names the device.
                (rows, _), who = self.array(0, "device_of")
                device = [list(who[row * 64 : (row + 1) * 64]) for row in range(rows)]
                self.assertEqual(device[0], [e // 32 for e in range(64)])
                self.assertEqual(device[1], [e // 16 % 2 for e in range(64)])
                self.assertEqual(device[2], device[0])
                self.assertEqual(device[-1], [e % 2 for e in range(64)])
                by_stage = network["by_stage"]
                self.assertEqual(sum(device[j] != device[j - 1] for j in range(1, rows)), 3)
                self.assertEqual([stage["values"] for stage in by_stage], [32, 32] + [0] * (len(by_stage) - 2))
                self.assertEqual([stage["device_digits"] for stage in by_stage], [[5]] + [[6]] * (len(by_stage) - 1))
                (_, six), flat_edges = self.array(0, "edges")
                for stage, _, start, end, where, _ in (flat_edges[at : at + six] for at in range(0, len(flat_edges), six)):
                    self.assertEqual(where == LINK, device[stage - 1][start] != device[stage][end])
                flat = [[value for row in self.rows(track, "output") for value in row] for track in (0, 1)]
                worst = max(abs(a - b) for a, b in zip(*flat))
                self.assertLess(worst, 1e-5 * max(map(abs, flat[1])))

    def test_whole_rows(self):
        for algorithm, tracks in (("fft", "radix8@1,radix8,index_digit/tuned,radix2@2"), ("dct", "radix4@1,radix4"), ("real_fft", "radix2@1,radix2"),
                                  ("scan", "serial@1,serial,kogge_stone/look_back"), ("tridiagonal", "thomas@1,thomas,thomas/interleaved,wang_mou/tuned"),
                                  ("sort", "bitonic/tuned@1,bitonic/tuned,vendor")):
            with self.subTest(algorithm=algorithm):
                for track in self.butterfly(algorithm=algorithm, n=11, batch=21, devices=4, split="rows", tracks=tracks)["tracks"][1:]:
                    self.assertEqual(track["devices"]["split"], "rows")
                    self.assertEqual((track["devices"]["exchanges"], track["devices"]["bytes"], track["devices"]["hidden"]), (0, 0, None))
                self.assertEqual(self.rows(0, "output") == self.rows(1, "output"), True)

    def test_a_row_of_zeros_is_told_wherever_it_is(self):
        for zero in (0, 15, 16, 63):
            rows = [x for i in range(64) for x in ([0, 0, 0, 0] if i == zero else [1, 4, 1, 1])]
            write_array(self.folder / "zero.npy", "<f4", (1, 64, 4), rows)
            stats = self.butterfly(code=3, algorithm="tridiagonal", signal="zero.npy", devices=4, tracks="wang_mou,wang_mou@1,cyclic_reduction,cyclic_reduction@1")
            told = [track["check"]["singular"] for track in stats["tracks"]]
            self.assertEqual(told[0], told[1])
            self.assertEqual(told[2], told[3])

    def test_what_cannot_be_shared_out(self):
        for says, settings in (
            (("devices", "0", "1 to 16"), dict(devices=0)),
            (("devices is 3", "2 and 4"), dict(devices=3)),
            (("devices", "32", "1 to 16"), dict(devices=32)),
            (("@3", "2 and 4"), dict(algorithm="scan", tracks="kogge_stone@3")),
            (("behind @",), dict(algorithm="scan", tracks="kogge_stone@two")),
            (("one thread's", "split=rows"), dict(algorithm="tridiagonal", tracks="thomas@2")),
            (("k with M - k", "split=rows"), dict(algorithm="dct", tracks="radix2@2")),
            (("devices=4", "split=rows"), dict(algorithm="fft", devices=8, tracks="radix16")),
            (("columns cross all rows",), dict(algorithm="scan", axes=2, devices=2, split="rows")),
            (("there are 3", "devices=2"), dict(algorithm="scan", batch=3, devices=4, split="rows")),
            (("cross long rows", "bitonic"), dict(algorithm="sort", n=14, batch=2, devices=2, tracks="odd_even_merge")),
            (("wang_mou",), dict(algorithm="tridiagonal", n=14, batch=2, devices=2, tracks="cyclic_reduction")),
            (("look_back",), dict(algorithm="scan", n=16, batch=2, devices=2, tracks="ladner_fischer/tuned")),
            (("a row has 2", "n=2"), dict(algorithm="fft", n=1, devices=2, order="natural")),
            # Of cards the first one has whole rows.
            (("16.00 MiB", "8.00 MiB", "devices=4: 4.00 MiB each" if POOLS else "smaller n"),
             dict(algorithm="scan", n=20, batch=1, device_memory=8, tracks="ladner_fischer/look_back")),
            (("split", "rows"), dict(algorithm="scan", devices=2, split="columns")),
        ):
            with self.subTest(**settings):
                self.refused(says=says, **settings)
        self.fails(2, "run", "fractal", "--frames", "1", "--set", "tracks=lambda_serial@2", says=("lambda_serial",))


if __name__ == "__main__":
    main()
