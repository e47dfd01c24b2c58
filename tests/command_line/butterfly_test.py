"""The scene of butterflies from the command line, against definitions in Python's own double."""

import math
import random
import struct
import wave

from butterfly_oracle import WORD, combine, omega, relative, signed, transformed
from files import png_head, read_array, write_array, write_grey_png
from oracle import Settings
from warploom_test import OUTPUTS, ProgramTest, in_fours, main, sets

FFT = [f"radix{r}{e}" for r in (2, 4, 8, 16) for e in ("", "/shared/padded", "/shared/swizzled", "/global")]
FFT += ["radix2/shuffle", "index_digit", "index_digit/shared/padded", "index_digit/shared/swizzled"]
EXCHANGES = ["", "/shuffle", "/global"]
CUDA = Settings.backend == "cuda"
TRACKS = {
    "fft": FFT + ["vendor"] * CUDA, "real_fft": FFT + ["vendor"] * CUDA, "dct": FFT,
    "scan": [v + e for v in ("kogge_stone", "ladner_fischer", "brent_kung") for e in EXCHANGES + ["/look_back"]] + ["serial", "vendor"],
    "tridiagonal": [v + e for v in ("cyclic_reduction", "parallel_cyclic_reduction", "wang_mou", "ladner_fischer") for e in EXCHANGES]
    + ["thomas", "thomas/interleaved"] + ["vendor", "vendor/interleaved"] * CUDA,
    "sort": [v + e for v in ("bitonic", "odd_even_merge") for e in EXCHANGES] + ["vendor"],
}


class ButterflyTest(ProgramTest):
    scene, backend, outputs = "butterfly", Settings.backend, OUTPUTS

    def butterfly(self, frames=2, code=0, dump=True, **settings):
        """The stats of a run; all tracks agree where it succeeds."""
        stats = self.run_scene(*(("--dump", "d") if dump else ()), frames=frames, code=code, **settings)
        for track in stats["tracks"] if code == 0 else []:
            self.assertTrue(track["agrees"], track)
        return stats

    def array(self, track, name):
        """(shape, values) of what a track dumped."""
        return read_array(self.folder / "d" / f"track{track}_{name}.npy")[1:]

    def rows(self, track, name):
        (count, *_), values = self.array(track, name)
        return [values[i * len(values) // count : (i + 1) * len(values) // count] for i in range(count)]

    def in_and_out(self, track):
        return zip(self.rows(track, "input"), self.rows(track, "output"))

    def check_scan(self, operator, kind, inputs, outputs, n):
        identity = {"add": 0, "multiply": 1, "max": -(1 << 31), "affine": (1, 0), "add_float": 0}[operator]
        for row, got in zip(inputs, outputs):
            items = list(zip(row[::2], row[1::2])) if operator == "affine" else list(row)
            seen = list(zip(got[::2], got[1::2])) if operator == "affine" else list(got)
            total, magnitude = identity, 0
            for x, y in zip(items, seen):
                after = combine(operator, total, x)
                expected = total if kind == "exclusive" else after
                if operator == "add_float":
                    magnitude += abs(x)
                    self.assertLessEqual(abs(y - expected), (2 * n + 2) * 2**-24 * magnitude)
                elif operator in ("add", "multiply"):
                    self.assertEqual(y, signed(expected))
                else:
                    self.assertEqual(y, expected)
                total = after

    def check_sorted(self, tracks):
        for i in range(tracks):
            for row, got in self.in_and_out(i):
                self.assertEqual(list(got), sorted(row))

    def check_solved(self, tracks):
        for i in range(tracks):
            for row, x in self.in_and_out(i):
                self.assertLessEqual(omega(row, x), 2e-6)

    def systems(self, which, n, batch, seed=3):
        rng, rows = random.Random(seed), []
        for _ in range(batch):
            for i in range(1 << n):
                a, c = rng.uniform(-1, 1), rng.uniform(-1, 1)
                if which == "decoupled":
                    a, c = a * (rng.random() < 0.5), c * (rng.random() < 0.5)
                b = (abs(a) + abs(c) + 0.5) * rng.choice((-1, 1))
                if which == "diagonal":
                    a = c = 0
                if which == "toeplitz":
                    a, b, c = -1, 2, -1
                if which == "heat":
                    a, b, c = -100, 201, -100
                scale = 10 ** rng.uniform(-10, 10) if which == "scaled" else 1
                a = a if i else float("nan")  # never read
                c = c if i + 1 < 1 << n else float("inf")
                rows += [a * scale, b * scale, c * scale, rng.uniform(-1, 1) * scale]
        write_array(self.folder / "rows.npy", "<f4", (batch, 1 << n, 4), rows)


class Values(ButterflyTest):
    def check_rows(self, algorithm, n, inverse, count):
        bound = 2e-7 * math.sqrt(n)
        inputs = self.rows(0, "input")
        right = [transformed(algorithm, inverse, row) for row in inputs]
        for i in range(count):
            self.assertEqual(self.rows(i, "input"), inputs)
            for got, expected in zip(self.rows(i, "output"), right):
                self.assertLessEqual(relative(got, expected), bound)

    def test_transforms(self):
        for algorithm in ("fft", "real_fft", "dct"):
            for n, batch in ((1, 3), (2, 1), (5, 3)) if Settings.quick else ((1, 3), (2, 1), (3, 64), (5, 3), (7, 2)):
                for direction in ("forward", "inverse"):
                    for tracks in in_fours(TRACKS[algorithm]):
                        with self.subTest(algorithm=algorithm, n=n, direction=direction, tracks=tracks):
                            stats = self.butterfly(algorithm=algorithm, n=n, batch=batch, direction=direction, signal="noise", tracks=tracks)
                            for track, name in zip(stats["tracks"], tracks):
                                self.assertEqual(track["name"], name)
                                self.assertEqual((track["check"]["kind"], track["check"]["rows"]), ("relative_l2", batch))
                                self.assertIsNone(track["seal"])
                            self.check_rows(algorithm, n, direction == "inverse", len(tracks))

    def test_the_inverse_undoes_the_forward(self):
        for algorithm, dtype in (("fft", "<c8"), ("real_fft", "<c8"), ("dct", "<f4")):
            with self.subTest(algorithm=algorithm):
                self.butterfly(algorithm=algorithm, n=6, batch=3, signal="chirp", tracks="radix8")
                before = self.rows(0, "input")
                write_array(self.folder / "y.npy", dtype, *self.array(0, "output"))
                stats = self.butterfly(algorithm=algorithm, signal="y.npy", direction="inverse", tracks="radix2")
                self.assertEqual((stats["parameters"]["n"], stats["parameters"]["batch"]), (6, 3))
                for got, expected in zip(self.rows(0, "output"), before):
                    self.assertLessEqual(relative(got, expected), 4e-7 * math.sqrt(6))

    def test_scans(self):
        for operator in ("add", "multiply", "max", "affine", "add_float"):
            for n, batch, kind in ((1, 1, "inclusive"), (4, 3, "exclusive"), (6, 64, "inclusive")):
                for tracks in in_fours(TRACKS["scan"]):
                    with self.subTest(operator=operator, n=n, kind=kind, tracks=tracks):
                        stats = self.butterfly(algorithm="scan", operator=operator, scan=kind, n=n, batch=batch, signal="noise", tracks=tracks)
                        for i, track in enumerate(stats["tracks"]):
                            self.check_scan(operator, kind, self.rows(i, "input"), self.rows(i, "output"), n)
                            self.assertEqual(track["seal"] is None, operator == "add_float")

    def test_both_axes_are_two_cumulative_sums(self):
        self.butterfly(algorithm="scan", axes=2, n=7, batch=64, signal="walk", tracks="kogge_stone,serial")
        for i in range(2):
            down = [0] * 128
            for row, got in self.in_and_out(i):
                along = 0
                for e, x in enumerate(row):
                    along += x
                    down[e] += along
                self.assertEqual(list(got), down)

    def test_sorts(self):
        for signal in ("shuffled", "reversed", "few", "sorted"):
            for n, batch in ((1, 1), (3, 3), (7, 5)):
                for tracks in in_fours(TRACKS["sort"]):
                    with self.subTest(signal=signal, n=n, tracks=tracks):
                        self.butterfly(algorithm="sort", n=n, batch=batch, signal=signal, tracks=tracks)
                        self.check_sorted(len(tracks))

    def test_signals_drawn_by_hand(self):
        curve = (0, 1, -0.5)
        for algorithm, of in (("fft", lambda v: v), ("real_fft", lambda v: v), ("scan", lambda v: int(v * 1000)), ("sort", lambda v: int((v + 1) * 1000)), ("tridiagonal", lambda v: v)):
            self.butterfly(algorithm=algorithm, n=3, batch=2, signal="drawn", curve="0 1 -0.5")
            for row in self.rows(0, "input"):
                values = row[3::4] if algorithm == "tridiagonal" else row[::2] if algorithm == "fft" else row
                for e in range(8):
                    at = e * 2 / 7
                    before = min(int(at), 1)
                    wanted = of(curve[before] + (at - before) * (curve[before + 1] - curve[before]))
                    self.assertLessEqual(abs(values[e] - wanted), 1e-6 if isinstance(wanted, float) else 1)

    def test_tridiagonal_systems(self):
        for which in ("dominant", "decoupled", "diagonal", "toeplitz", "heat", "scaled"):
            for n in (1, 2, 6) if Settings.quick else (1, 2, 4, 8):
                self.systems(which, n, 3)
                for tracks in in_fours(TRACKS["tridiagonal"]):
                    with self.subTest(which=which, n=n, tracks=tracks):
                        stats = self.butterfly(algorithm="tridiagonal", signal="rows.npy", tracks=tracks)
                        for track in stats["tracks"]:
                            self.assertEqual(track["check"]["kind"], "backward_error")
                        self.check_solved(len(tracks))

    def test_zero_pivots_are_told(self):
        rows = []
        for problem in range(4):
            for i in range(8):
                rows += [0, 0, 0, 0] if (problem, i) == (2, 5) else [1, 4, 1, 1]
        write_array(self.folder / "rows.npy", "<f4", (4, 8, 4), rows)
        write_array(self.folder / "two.npy", "<f4", (2, 4), [0, 0, 2, 1, -3, 0, 0, 1])
        for tracks in in_fours(TRACKS["tridiagonal"]):
            tracks = [t for t in tracks if not t.startswith("vendor")]  # theirs spreads: any row of the problem may be told
            with self.subTest(tracks=tracks):
                stats = self.butterfly(code=3, algorithm="tridiagonal", signal="rows.npy", tracks=tracks)
                for i, track in enumerate(stats["tracks"]):
                    self.assertEqual((track["check"]["singular"], track["agrees"], track["badge"]), ([2, 5], False, "ZERO PIVOT"))
                    self.assertIsNone(track["check"]["error"])
                    outputs = self.rows(i, "output")
                    self.assertTrue(all(math.isnan(v) for v in outputs[2]))
                    self.assertLessEqual(omega(self.rows(i, "input")[1], outputs[1]), 2e-6)
                stats = self.butterfly(code=3, algorithm="tridiagonal", signal="two.npy", tracks=tracks)
                self.assertEqual([t["check"]["singular"] for t in stats["tracks"]], [[0, 0]] * len(tracks))

    def test_hard_rows(self):
        rng = random.Random(1)
        rows = [[rng.uniform(-1, 1) * 1e-25 for _ in range(16)], [rng.uniform(-1, 1) * 1e25 for _ in range(16)], [0.0] * 16,
                [1.0, float("nan")] + [1.0] * 14, [1.0] * 16]
        write_array(self.folder / "rows.npy", "<f4", (5, 16), [v for row in rows for v in row])
        for algorithm, tracks in (("fft", "radix2,radix16"), ("real_fft", "radix4,radix8"), ("dct", "radix2,radix8/global")):
            self.butterfly(algorithm=algorithm, signal="rows.npy", tracks=tracks)
            self.assertFalse(any(math.isnan(v) for v in self.rows(0, "output")[4]))
        ends = [-(1 << 31), (1 << 31) - 1, -1, 0, 1, -(1 << 31), 5, (1 << 31) - 1]
        write_array(self.folder / "ends.npy", "<i8", (8,), ends)
        for operator in ("add", "multiply", "max"):
            self.butterfly(algorithm="scan", operator=operator, signal="ends.npy", tracks="ladner_fischer")
            self.check_scan(operator, "inclusive", [ends], self.rows(0, "output"), 3)


    def test_sound_and_pictures(self):
        samples = [(7919 * i * i) % 60001 - 30000 for i in range(300)]
        with wave.open(str(self.folder / "sound.wav"), "wb") as sound:
            sound.setparams((1, 2, 8000, 0, "NONE", ""))
            sound.writeframes(struct.pack("<300h", *samples))
        stats = self.butterfly(algorithm="scan", signal="sound.wav", n=7, tracks="brent_kung")
        self.assertEqual(stats["parameters"]["batch"], 2)  # 44 samples are left
        self.assertEqual([list(row) for row in self.rows(0, "input")], [samples[:128], samples[128:256]])
        self.butterfly(algorithm="real_fft", signal="sound.wav", n=6, tracks="radix8")
        self.assertLessEqual(relative(self.rows(0, "output")[3], transformed("real_fft", False, samples[192:256])), 1e-6)
        with wave.open(str(self.folder / "two.wav"), "wb") as sound:  # two channels alike are as loud as one
            sound.setparams((2, 2, 8000, 0, "NONE", ""))
            sound.writeframes(struct.pack("<600h", *(x for x in samples for _ in "lr")))
        before = self.rows(0, "input")
        self.butterfly(algorithm="real_fft", signal="two.wav", n=6, tracks="radix8")
        self.assertEqual(self.rows(0, "input"), before)
        rows = [[(37 * x + 11 * y) % 256 for x in range(16)] for y in range(5)]
        write_grey_png(self.folder / "grey.png", rows)
        stats = self.butterfly(algorithm="scan", axes=2, signal="grey.png", tracks="kogge_stone")
        self.assertEqual((stats["parameters"]["n"], stats["parameters"]["batch"]), (4, 5))
        self.assertEqual(self.rows(0, "output")[4][15], sum(map(sum, rows)))


class Traces(ButterflyTest):
    """What an instrumented kernel tells is what the definition says, and edges carry the algorithm."""

    def test_edges_carry_the_algorithm(self):
        for algorithm in ("scan", "sort"):
            for tracks in in_fours(TRACKS[algorithm]):
                n = 4
                self.butterfly(algorithm=algorithm, n=n, batch=3, trace=1, signal="noise" if algorithm == "scan" else "shuffled", tracks=tracks)
                for i in range(len(tracks) - ("vendor" in tracks)):
                    with self.subTest(track=tracks[i]):
                        shape, steps = self.array(i, "steps")
                        (count, _), edges = self.array(i, "edges")
                        size, values = 1 << n, list(steps[: 1 << n])
                        by_stage = {}
                        for k in range(count):
                            stage, _, source, to, _, role = edges[6 * k : 6 * k + 6]
                            by_stage.setdefault(stage, {}).setdefault(to, []).append((role, source))
                        for stage in range(1, shape[0]):
                            before = list(values)
                            for to, operands in by_stage.get(stage, {}).items():
                                parts = [before[s] % WORD for _, s in sorted(operands)]
                                values[to] = sum(parts) % WORD if algorithm == "scan" else (min if operands[0][0] == 0 else max)(parts)
                            got = [v % WORD for v in steps[stage * size : (stage + 1) * size]]
                            self.assertEqual(got, [v % WORD for v in values])

    def test_costs_are_those_of_the_accesses(self):
        for algorithm in TRACKS:
            for tracks in in_fours(TRACKS[algorithm]):
                for n in (5,) if Settings.quick else (3, 6, 8):
                    stats = self.butterfly(algorithm=algorithm, n=n, batch=256, trace=1, tracks=tracks)  # a full block
                    for i, track in enumerate(stats["tracks"]):
                        network = track["network"]
                        if not (network and network["by_stage"]):
                            continue
                        with self.subTest(track=tracks[i], n=n):
                            self.check_costs(i, network)

    def check_costs(self, i, network):
        (count, _), rows = self.array(i, "accesses")
        lanes, word = {}, network["word_bytes"]
        for k in range(count):
            stage, reads, instruction, thread, byte, _ = rows[6 * k : 6 * k + 6]
            lanes.setdefault((stage, reads, instruction), {})[thread % 32] = byte
        seen = {}
        for (stage, reads, _), bytes_of in lanes.items():
            for first in range(0, 32, 128 // word):
                banks = {}
                for lane in range(first, first + 128 // word):
                    if lane in bytes_of:
                        for at in range(bytes_of[lane] // 4, (bytes_of[lane] + word) // 4):
                            banks.setdefault(at % 32, set()).add(at)
                if banks:
                    taken, ideal = seen.get((stage, reads), (0, 0))
                    seen[stage, reads] = taken + max(len(b) for b in banks.values()), ideal + 1
        exchanges = 0
        for stage, told in enumerate(network["by_stage"], 1):
            for reads, side in enumerate(("write", "read")):
                taken, ideal = seen.get((stage, reads), (0, 0))
                self.assertEqual((told[side]["wavefronts"], told[side]["ideal"]), (taken, ideal), (stage, side))
            exchanges += (stage, 1) in seen
        self.assertEqual(network["exchanges"], exchanges)
        self.assertEqual(network["barriers"], max(0, 2 * exchanges - 1))
        self.assertEqual(network["operators"], sum(s["operators"] for s in network["by_stage"]))

    def test_global_is_global_down_to_two_elements(self):
        for algorithm, tracks in (("scan", "kogge_stone/global,brent_kung/global"), ("sort", "bitonic/global"), ("tridiagonal", "wang_mou/global")):
            for track in self.butterfly(dump=False, algorithm=algorithm, n=1, p=0, trace=1, tracks=tracks)["tracks"]:
                network = track["network"]
                self.assertEqual((network["launches"], network["exchanges"], network["shared_bytes"]), (1, 0, 0), track["name"])

    def test_what_has_no_effect_is_said(self):
        for settings, said in ((dict(tracks="radix2,index_digit", s=7), "s has no effect on index_digit"),
                               (dict(tracks="index_digit", p=2), "p has no effect here"), (dict(seed=3), "seed has no effect here"),
                               (dict(n=11, s=6, trace=1), "trace has no effect here")):
            done = self.succeeds("run", "butterfly", "--backend", self.backend, "--interop", "none", "--frames", 1, *sets(settings))
            self.assertIn(said, done.err)

    def test_stated_figures(self):
        stats = self.butterfly(dump=False, frames=0, n=12, batch=1, tracks="radix16,radix16/shared/swizzled,radix16/shared/padded")
        reads = [[s["read"] for s in t["network"]["by_stage"] if s["read"]["ideal"]][-1] for t in stats["tracks"]]
        self.assertEqual((reads[0]["wavefronts"], reads[0]["ideal"], reads[1]["wavefronts"]), (4096, 256, 256))
        stats = self.butterfly(algorithm="scan", n=8, batch=512, p=2, s=9, tracks="ladner_fischer", trace=1)
        self.assertEqual(stats["tracks"][0]["network"]["mapping"], {"n": 8, "p": 2, "s": 9, "l": [6, 1], "blocks": 256})
        self.assertEqual(list(self.array(0, "locations")[1][15:17]), [1, 1])
        for operators, digits in (("G^2(7,2)", [8, 3, 2, 7, 6, 5, 4, 1]), ("G(8,6,2,1)", [1, 8, 7, 5, 4, 3, 6, 2])):
            stats = self.butterfly(dump=False, frames=0, n=8, operators=operators)
            self.assertEqual(stats["results"]["operators"], {"string": operators, "digits": digits, "agrees": False})
        for track in stats["tracks"]:
            told = self.butterfly(dump=False, frames=0, n=8, operators=track["network"]["string"])
            self.assertTrue(told["results"]["operators"]["agrees"])


class Refused(ButterflyTest):
    def test_values(self):
        for key, values in (("n", (0, 25, "six")), ("batch", (0,)), ("s", (4,)), ("algorithm", ("ftt",)), ("direction", ("back",)),
                            ("signal", ("ones",)), ("curve", ("0", "0 2", "0 x", "0 nan"))):
            self.all_refused(key, values, signal="drawn")
        self.all_refused("tracks", ("", "radix3", "radix4/shuffle", "radix2/shared/skewed"), ["track"])
        for says, settings in (
            (["track"], dict(algorithm="scan", tracks="kogge_stone/shared/swizzled")), (["operator"], dict(algorithm="scan", operator="xor")),
            (["GiB"], dict(n=24, batch=1 << 20)), (["character 8"], dict(n=8, operators="G(7,2) Q(1)")), (["trace"], dict(n=13, trace=1)),
            *([] if CUDA else [(["vendor", "thomas"], dict(algorithm="tridiagonal", tracks="vendor"))]),
        ):
            with self.subTest(**settings):
                self.refused(says=says, **settings)

    def test_files(self):
        def array(name, dtype, shape, values):
            write_array(self.folder / name, dtype, shape, values)

        def sound(name, frames, promised):
            head = struct.pack("<4sI4s4sIHHIIHH4sI", b"RIFF", 36 + 2 * promised, b"WAVE", b"fmt ", 16, 1, 1, 8000, 16000, 2, 16, b"data", 2 * promised)
            (self.folder / name).write_bytes(head + b"\0\0" * frames)

        array("odd.npy", "<f4", (48,), [0.0] * 48)
        array("wide.npy", "<f4", (2, 2, 2, 2), [0.0] * 16)
        array("half.npy", "<f4", (8,), [0.5] * 8)
        array("minus.npy", "<i8", (8,), [0, 1, -3, 4, 5, 6, 7, 8])
        array("torn.npy", "<f4", (64,), [0.0] * 32)
        array("good.npy", "<f4", (3, 8), [0.0] * 24)
        sound("odd.wav", 48, 48)
        sound("cut.wav", 1050, 2048)
        (self.folder / "noise.wav").write_bytes(b"RIFF____WAVEno")
        (self.folder / "torn.png").write_bytes(b"\x89PNG\r\n\x1a\n")
        (self.folder / "large.png").write_bytes(png_head(65536, 65536) + struct.pack(">I", 0) + b"IDAT" + bytes(4))
        write_grey_png(self.folder / "wide.png", [[0] * 48])
        for signal, says, settings in (
            ("gone.npy", ["gone.npy"], {}), ("odd.npy", ["48", "32", "64"], {}), ("wide.npy", ["2 x 2 x 2 x 2"], {}),
            ("half.npy", ["whole numbers"], dict(algorithm="sort")), ("minus.npy", ["number 2", "-3"], dict(algorithm="sort")),
            ("torn.npy", ["torn.npy"], {}), ("noise.wav", ["noise.wav", "sound"], {}),
            ("odd.wav", ["48", "32", "64"], dict(algorithm="real_fft")), ("cut.wav", ["cut off"], dict(algorithm="real_fft")),
            ("torn.png", ["torn.png", "picture"], {}), ("large.png", ["large.png", "65536 x 65536", "cut off"], {}),
            ("wide.png", ["48", "32", "64"], dict(algorithm="sort")), ("good.npy", ["n = 3"], dict(n=4)), ("good.npy", ["3 rows"], dict(batch=4)),
        ):
            self.all_refused("signal", [signal], says, code=1, **settings)


if __name__ == "__main__":
    main()
