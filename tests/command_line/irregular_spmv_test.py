"""Sparse products from the command line, against an oracle of its own.

With WARPLOOM_FULL=1 recipes have their usual sizes, and those of the design's table, which takes minutes.
"""

import math
import os
import random

from files import read_array
from irregular_spmv_oracle import BLOCK, WARP, Matrix, read_market, to_float, warps_of
from oracle import Settings
from warploom_test import OUTPUTS, ProgramTest, in_fours, main

TRACKS = ["dense/row", "dia/row", "ell/row", "coo/element", "csr/row", "csr/warp", "csr/merge", "hyb/row", "sell/row"]
SHARING = ["csr/warp", "csr/merge", "hyb/row", "sell/row"]
SMALL = {"stencil5": 19, "stencil27": 6, "fem": 9, "circuit": 16, "random": 300, "rmat": 256}
USUAL = {"stencil5": 64, "stencil27": 16, "fem": 32, "circuit": 64, "random": 4096, "rmat": 4096}
LARGE = {"stencil5": 256, "stencil27": 40, "fem": 148, "circuit": 256, "random": 65536, "rmat": 65536}
FULL = bool(os.environ.get("WARPLOOM_FULL"))


class SpmvTest(ProgramTest):
    scene, backend = "irregular", Settings.backend
    given = {"system": "spmv"}
    outputs = OUTPUTS

    def spmv(self, matrix, tracks, frames=2, seed=7, **settings):
        """Runs tracks of a matrix, given as the program's setting and as the oracle has it, and checks all of it."""
        setting, oracle = matrix
        stats = self.run_scene("--dump", "d", frames=frames, system="spmv", matrix=setting, seed=seed, tracks=tracks, **settings)
        x = oracle.x(seed, frames)
        sums = oracle.sums(x)
        results = {"rows": oracle.m, "columns": oracle.n, "nonzeros": oracle.z, "merged": oracle.merged, "longest_row": oracle.longest,
                   "empty_rows": oracle.lengths.count(0), "diagonals": len(oracle.diagonals), "largest_x": oracle.largest}
        self.assertEqual(stats["results"], results)
        for i, track in enumerate(stats["tracks"]):
            with self.subTest(track=track["name"], **settings):
                self.assertTrue(track["agrees"], track)
                self.check_product(i, track, oracle, x, sums)
                options = {k: v for k, v in settings.items() if k in ("hyb_width", "row_lanes", "items", "sigma")}
                self.check_format(i, track, oracle, options)
                if frames:
                    self.assertLessEqual({"spmv.multiply", "spmv.vector"}, {k["name"] for k in track["kernels"]})
        return stats

    def array(self, i, name):
        return read_array(self.folder / "d" / f"track{i}_{name}.npy")

    def check_product(self, i, track, oracle, x, sums):
        for name, dtype in (("row_starts", "<i8"), ("columns", "<i4"), ("values", "<f4"), ("x", "<f4"), ("y", "<f4")):
            self.assertEqual(self.array(i, name)[0], dtype, name)
        self.assertEqual(list(self.array(i, "row_starts")[2]), oracle.starts)
        self.assertEqual(list(self.array(i, "columns")[2]), [c for row in oracle.rows for c in row])
        values = [to_float(oracle.values[r, c]) for r, row in enumerate(oracle.rows) for c in row]
        self.assertEqual([v if v == v else "nan" for v in self.array(i, "values")[2]], [v if v == v else "nan" for v in values])
        self.assertEqual(list(self.array(i, "x")[2]), x)
        y = self.array(i, "y")[2]
        self.assertEqual(len(y), oracle.m)
        check = track["check"]
        self.assertEqual((check["against"], check["rows"]), ("oracle", oracle.m))
        if oracle.largest:
            self.assertEqual(list(y), [s for s, _ in sums])
            self.assertEqual((check["kind"], check["error"], check["bound"]), ("bitwise", 0, 0))
            self.assertEqual(track["seal"], oracle.seal(y))
            return
        self.assertIsNone(track["seal"])
        self.assertEqual((check["kind"], check["bound"]), ("relative_sum", 1))
        worst = 0
        for r, (s, size) in enumerate(sums):
            if not math.isfinite(s):
                self.assertFalse(math.isfinite(y[r]), r)
                continue
            k = oracle.lengths[r]
            allowed = k * 2.0**-24 / (1 - k * 2.0**-24) * size
            self.assertLessEqual(abs(y[r] - s), allowed, r)
            worst = max(worst, abs(y[r] - s) / allowed if allowed else 0)
        self.assertAlmostEqual(check["error"], worst, delta=1e-6)

    def check_format(self, i, track, oracle, options):
        spots, stored, size, turns = oracle.format(track["name"], **options)
        owners = [v for launch, thread, turn, _ in spots for v in (launch, thread // BLOCK, thread % BLOCK, turn)]
        dtype, shape, seen = self.array(i, "owner")
        self.assertEqual((dtype, shape), ("<i4", (oracle.z, 4)))
        self.assertEqual(list(seen), owners)
        dtype, shape, seen = self.array(i, "place")
        self.assertEqual((dtype, shape), ("<i8", (oracle.z,)))
        self.assertEqual(list(seen), [place for *_, place in spots])
        self.assertEqual(len(set(seen)), oracle.z, "two nonzeros in one place")
        launched, z = WARP * turns, oracle.z
        self.assertEqual(track["threads"], {"launched": launched, "useful": z, "wasted": launched - z})
        full, partial, idle = warps_of(spots, turns)
        self.assertEqual([track["warps"][k] for k in ("full", "partial", "idle", "lanes_lost")], [full, partial, idle, 0])
        numbers = dict(track["numbers"])
        self.assertGreaterEqual(numbers.pop("setup_ms"), 0)
        self.assertAlmostEqual(numbers.pop("useful_share"), z / launched if launched else 0, delta=1e-12)
        self.assertAlmostEqual(numbers.pop("bytes_per_nonzero"), size / z if z else 0, delta=1e-9)
        name = track["name"]
        self.assertEqual(numbers, {
            "stored": stored, "padding": stored - z, "bytes": size,
            "width": oracle.hyb_width(options.get("hyb_width", "bytes")) if name == "hyb/row" else -1,
            "lanes": oracle.row_lanes(options.get("row_lanes", 0)) if name == "csr/warp" else 0})
        self.assertEqual([track["map"], track["intra"]], name.split("/"))

    def recipe(self, name, n, seed=7, real=False):
        return name, Matrix.recipe(name, n, seed, real)


class Recipes(SpmvTest):
    def test_every_track_of_every_recipe(self):
        for name, n in SMALL.items():
            matrix = self.recipe(name, n)
            for tracks in in_fours(TRACKS)[: 1 if Settings.quick else None]:
                with self.subTest(matrix=name, tracks=tracks):
                    self.spmv(matrix, tracks, n=n)

    def test_real_values_are_within_the_bound(self):
        for name, n in list(SMALL.items())[:: 2 if Settings.quick else 1]:
            matrix = self.recipe(name, n, seed=3, real=True)
            for tracks in (["coo/element", "csr/row", "csr/merge", "hyb/row"], ["csr/warp", "sell/row", "ell/row", "dia/row"]):
                self.spmv(matrix, tracks, n=n, seed=3, values="real")

    def test_the_usual_sizes(self):
        for name, n in (USUAL if FULL else {"circuit": 64}).items():
            matrix = self.recipe(name, n)
            for tracks in in_fours(TRACKS if FULL else ["csr/row", "csr/warp", "csr/merge", "hyb/row"]):
                self.spmv(matrix, tracks, n=0)

    def test_the_sizes_of_the_table(self):
        for name, n in LARGE.items() if FULL else ():
            matrix = self.recipe(name, n)
            fits = [t for t in TRACKS if matrix.format(t)[2] < 2**31]
            for tracks in in_fours(fits):
                with self.subTest(matrix=name, tracks=tracks):
                    self.spmv(matrix, tracks, n=n)

    def test_the_figures_of_the_default(self):
        """Stated in the design, not computed here."""
        stats = self.run_scene(frames=0, system="spmv", n=64, seed=7, tracks="ell/row,hyb/row,csr/row,csr/merge")
        self.assertEqual((stats["results"]["nonzeros"], stats["results"]["longest_row"]), (28498, 551))
        ell, hyb, csr, merge = stats["tracks"]
        self.assertEqual((ell["numbers"]["stored"], ell["threads"]["launched"]), (2256896, 32 * 70528))
        self.assertEqual((hyb["numbers"]["width"], hyb["numbers"]["stored"], hyb["threads"]["launched"]), (5, 28584, 32 * 894))
        self.assertEqual((csr["threads"]["launched"], merge["threads"]["launched"]), (32 * 5153, 32 * 1024))
        self.assertAlmostEqual(ell["numbers"]["bytes_per_nonzero"], 634, delta=0.5)
        self.assertAlmostEqual(hyb["numbers"]["bytes_per_nonzero"], 9.16, delta=0.005)

    def test_small_and_odd_sizes(self):
        for name, sizes in {"stencil5": (1, 2, 6), "stencil27": (1, 2), "fem": (1, 2), "circuit": (1, 3), "random": (1, 33),
                            "rmat": (1, 2)}.items():
            for n in sizes[: 1 if Settings.quick else None]:
                matrix = self.recipe(name, n)
                for tracks in in_fours(TRACKS):
                    self.spmv(matrix, tracks, n=n, frames=0)

    def test_settings_of_formats(self):
        for name in ("circuit", "rmat"):
            matrix = self.recipe(name, SMALL[name])
            for settings in [dict(hyb_width=w) for w in ("cusp", 0, 3, 100000)] + [dict(sigma=s) for s in (1, 32, 77, 10**6)] + [
                    dict(items=t) for t in (1, 3, 32)] + [dict(row_lanes=l) for l in (2, 16, 32)]:
                track = {"hyb_width": "hyb/row", "sigma": "sell/row", "items": "csr/merge", "row_lanes": "csr/warp"}[next(iter(settings))]
                self.spmv(matrix, [track, "csr/row"], n=SMALL[name], frames=1, **settings)

    def test_a_setting_keeps_the_step_and_a_seed_changes_all(self):
        matrix = self.recipe("random", 64)
        for frames in (0, 1, 5):
            self.spmv(matrix, SHARING, n=64, frames=frames)
        self.spmv(self.recipe("random", 64, seed=11), SHARING, n=64, seed=11)


class Files(SpmvTest):
    def market(self, name, header, body, tracks=SHARING, values="integer"):
        text = f"%%MatrixMarket matrix {header}\n{body}"
        (self.folder / name).write_bytes(text.encode())
        rows, columns, entries, merged = read_market(text)
        largest = 0
        whole = all(v == v and abs(v) <= 2**24 and v == int(v) for v in entries.values())
        if whole and values == "integer":
            sums = [0] * rows
            for (r, _), v in entries.items():
                sums[r] += abs(v)
            largest = next((a for a in (8, 4, 2, 1) if a * max(sums) <= 2**24), 0)
        matrix = Matrix(rows, columns, set(entries), {p: to_float(v) for p, v in entries.items()}, merged, largest)
        return self.spmv((name, matrix), tracks, values=values)

    def test_every_kind(self):
        rng = random.Random(1)
        fields = ("real", "double", "integer", "unsigned-integer", "pattern")
        kinds = [(form, field, symmetry) for form in ("coordinate", "array") for field in fields
                 for symmetry in ("general", "symmetric", "skew-symmetric")
                 if not (field == "pattern" and (form == "array" or symmetry == "skew-symmetric"))
                 and not (field == "unsigned-integer" and symmetry == "skew-symmetric")]
        for form, field, symmetry in kinds[:: 4 if Settings.quick else 1]:
            rows, columns = (9, 9) if symmetry != "general" else (9, 14)
            number = {"real": lambda: f"{rng.uniform(-2, 2):.17g}", "double": lambda: f"{rng.uniform(-2, 2):.6e}", "pattern": lambda: "",
                      "integer": lambda: str(rng.randint(-9, 9)), "unsigned-integer": lambda: str(rng.randint(0, 9))}[field]
            if form == "coordinate":
                lines = []
                for _ in range(40):  # in any order, also above the diagonal, some twice
                    r, c = rng.randrange(rows), rng.randrange(columns)
                    if symmetry != "skew-symmetric" or r != c:
                        lines.append(f"{r + 1} {c + 1} {number()}".strip())
                size = f"{rows} {columns} {len(lines)}"
            else:
                count = {"general": rows * columns, "symmetric": rows * (rows + 1) // 2, "skew-symmetric": rows * (rows - 1) // 2}[symmetry]
                lines, size = [number() for _ in range(count)], f"{rows} {columns}"
            with self.subTest(form=form, field=field, symmetry=symmetry):
                self.market("a.mtx", f"{form} {field} {symmetry}", "\n".join(["% a comment", "", size, "%", *lines]) + "\n")

    def test_headers_comments_and_ends_of_lines(self):
        self.market("b.mtx", "COORDINATE Real General", "% c\r\n\r\n2 3 2\r\n1 1 4\r\n\r\n% d\r\n2 3 -5\r\n", tracks=TRACKS[:4])
        self.market("b.mtx", "coordinate integer general", "2 2 0\n", tracks=TRACKS[:4])
        self.market("b.mtx", "coordinate integer general", "2 2 0\n", tracks=TRACKS[4:8])

    def test_values_that_are_no_numbers_stay_where_they_are(self):
        body = "4 4 7\n1 1 nan\n1 2 1.5\n2 2 inf\n3 3 2.5\n3 1 -1\n4 4 -inf\n4 1 3\n"
        for tracks in in_fours(TRACKS):
            self.market("c.mtx", "coordinate real general", body, tracks=tracks)

    def test_values_past_exactness_are_judged_as_real(self):
        for value, largest in ((2**21, 8), (2**24, 1), (2**24 + 2, 0), (2**60, 0)):
            stats = self.market("d.mtx", "coordinate integer general", f"3 3 2\n1 1 {value}\n3 2 1\n")
            self.assertEqual(stats["results"]["largest_x"], largest)
        self.market("d.mtx", "coordinate integer general", "3 3 2\n1 1 5\n3 2 1\n", values="real")

    def test_shapes(self):
        full = [(r, c) for r in range(40) for c in range(1 if r else 70)]
        for name, rows, columns, places in (("wide", 2, 5000, [(0, 4999), (1, 0)]), ("tall", 3000, 2, [(2999, 1)]), ("one", 1, 1, [(0, 0)]),
                                            ("full", 40, 70, full)):
            body = f"{rows} {columns} {len(places)}\n" + "".join(f"{r + 1} {c + 1} {r % 5 - 2}\n" for r, c in places)
            for tracks in in_fours(TRACKS[:: 3 if Settings.quick else 1]):
                with self.subTest(name):
                    self.market("e.mtx", "coordinate integer general", body, tracks=tracks)


class Errors(SpmvTest):
    def test_values(self):
        for settings, says in (
            (dict(matrix="circut"), ["circut", "circuit", ".mtx"]),
            (dict(matrix="rmat", n=100), ["100", "powers of two", "128"]),
            (dict(matrix="stencil27", n=513), ["n 513", "512"]),
            (dict(n=4097), ["n 4097", "4096"]),
            (dict(n=-1), ["n"]),
            (dict(hyb_width="wide"), ["hyb_width", "wide", "bytes", "cusp"]),
            (dict(hyb_width=-3), ["hyb_width", "-3"]),
            (dict(row_lanes=3), ["row_lanes", "3"]),
            (dict(row_lanes=64), ["row_lanes"]),
            (dict(items=0), ["items"]),
            (dict(items=33), ["items"]),
            (dict(sigma=0), ["sigma"]),
            (dict(values="whole"), ["values", "whole", "integer"]),
            (dict(tracks="csr"), ["csr", "csr/"]),
            (dict(tracks="ell/rwo"), ["ell/rwo", "ell/row"]),
            (dict(tracks=""), ["tracks"]),
        ):
            with self.subTest(**settings):
                self.refused(says=says, **settings)

    def test_tracks_of_other_systems_are_refused_with_the_system(self):
        for track, system in (("two_level", "hash"), ("radix", "tree"), ("stealing", "tasks")):
            self.refused(says=[track, f"belongs to system '{system}'", "spmv"], tracks=track)

    def test_what_does_not_fit_is_refused_with_its_bytes(self):
        # 4 bytes for each of 2^20 x 2^20 elements.
        self.refused(says=["dense/row", "4.00 TiB", "free"], matrix="stencil5", n=1024, tracks="csr/row,dense/row")

    def test_vendor_is_of_cuda(self):
        if self.backend == "cpu":
            self.refused(says=["vendor", "csr/merge"], tracks="vendor")

    def test_files(self):
        good = "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 1\n"
        for text, says in (
            ("", ["f.mtx"]),
            ("2 2 1\n1 1 1\n", ["f.mtx:1:"]),
            (good.replace("matrix", "vector", 1), ["f.mtx:1:", "vector"]),
            (good.replace("coordinate", "elemental"), ["f.mtx:1:", "elemental"]),
            (good.replace("real", "complex"), ["f.mtx:1:", "complex"]),
            (good.replace("general", "hermitian"), ["f.mtx:1:", "hermitian"]),
            (good.replace("2 2 1\n1 1 1\n", ""), ["f.mtx"]),
            (good.replace("2 2 1", "0 2 0"), ["f.mtx:2:"]),
            (good.replace("general", "symmetric").replace("2 2 1", "2 3 1"), ["f.mtx:2:"]),
            (good.replace("2 2 1", "2 2 2"), ["f.mtx", "2"]),
            (good + "2 2 5\n", ["f.mtx:4:"]),
            (good.replace("1 1 1", "0 1 1"), ["f.mtx:3:", "0"]),
            (good.replace("1 1 1", "1 3 1"), ["f.mtx:3:", "3"]),
            (good.replace("1 1 1", "1 1 one"), ["f.mtx:3:", "one"]),
            (good.replace("real", "integer").replace("1 1 1", "1 1 1.5"), ["f.mtx:3:", "1.5"]),
            (good.replace("real", "pattern"), ["f.mtx:3:"]),
            (good.replace("general", "skew-symmetric"), ["f.mtx:3:"]),
        ):
            with self.subTest(text=text):
                (self.folder / "f.mtx").write_text(text)
                self.refused(code=1, says=says, matrix="f.mtx")
        self.refused(code=1, says=["none.mtx"], matrix="none.mtx")


if __name__ == "__main__":
    main()
