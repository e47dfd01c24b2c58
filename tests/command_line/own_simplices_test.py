"""Maps that users write, of simplices (run simplex --map): judged, sealed, refused. Plain Python loops say what is right.

WARPLOOM_FULL=1: every side, layout and work; every wrong map in every domain.
"""

import csv
import itertools
import math
from dataclasses import dataclass
from functools import cache
from types import SimpleNamespace

from oracle import Settings
from own_maps_test import FULL, OwnTest
from simplex_oracle import DOMAINS, LAYOUTS, Domain, read_cells, seal, track_name
from warploom_test import main, sets

WORKS = {2: ["automaton", "single_write", "map_only", "stencil", "distance_matrix"],
         3: ["automaton", "single_write", "map_only", "stencil", "triplet_energy"]}
NOWHERE = (2**32 - 1,) * 3


def cube(side, d):
    return side, side, side if d.dimensions == 3 else 1


@dataclass(frozen=True, eq=False)
class Own:
    """A map as a text and once more in Python. Functions that the text leaves out are as the design says."""

    name: str
    text: str
    answer: object  # of (block, d), or of (thread, d) where `cell`
    cell: bool = False
    grid: object = lambda d, launch: cube(d.blocks, d)
    threads: object = lambda d: (d.rho, d.rho, 1)
    launches: int = 1
    turns: object = lambda d: 1

    def place(self, who, d):
        return tuple(c % 2**32 for c in (*self.answer(who, d), 0)[:3])


def places(size):
    return [(x, y, z) for z in range(size[2]) for y in range(size[1]) for x in range(size[0])]


def inside(domain, place):
    return not any(place[domain.dimensions:]) and domain.contains(place[:domain.dimensions])


@cache
def judge(own, kind, n, rho):
    """Every visit in a loop. `served`: how often each cell; `owner`: the first launched block that serves it."""
    domain, blocks = Domain(kind, n), Domain(kind, -(-n // rho))
    d = SimpleNamespace(blocks=blocks.n, rho=rho, dimensions=domain.dimensions, domain=domain, block_domain=blocks, many=blocks.count())
    threads = own.threads(d) if own.cell else cube(rho, d)
    found = SimpleNamespace(visits=0, outside=0, served={}, owner={}, launches=[], turns=own.turns(d))
    for launch in range(own.launches):
        grid = own.grid(d, launch)
        found.launches.append({"grid": list(grid), "block": list(threads)})
        for (number, at), turn in itertools.product(enumerate(places(grid)), range(found.turns)):
            block = SimpleNamespace(x=at[0], y=at[1], z=at[2], launch=launch, turn=turn)
            answer = () if own.cell else own.place(block, d)
            for index, within in enumerate(places(threads)):
                found.visits += 1
                if own.cell:
                    x, y, z = (b * size + a for b, size, a in zip(at, threads, within))
                    answer = own.place(SimpleNamespace(x=x, y=y, z=z, block=block, at=within, index=index), d)
                if not inside(domain if own.cell else blocks, answer):
                    found.outside += answer != NOWHERE
                    continue
                cell = answer if own.cell else tuple(b * rho + a for b, a in zip(answer, within))
                if inside(domain, cell):  # else the thread is waste
                    cell = cell[:d.dimensions]
                    found.served[cell] = found.served.get(cell, 0) + 1
                    found.owner.setdefault(cell, number)
    found.missed = [cell for cell in domain.cells() if cell not in found.served]
    found.doubled = [cell for cell in domain.cells() if found.served.get(cell, 0) > 1]
    return found


def fold(b, blocks, even):
    return (b.x, b.y - even) if b.y >= b.x + even else (blocks - b.x - even, blocks - b.x - even + b.y)


def by_number(domain, number):
    return domain.linear_cell(number) if number < domain.count() else NOWHERE


# Maps that are right.
RECTANGLE = """Place grid(Domain d) { return {(d.blocks + 1) / 2, d.blocks | 1, 1}; }

Place place(Block b, Domain d) {
  const unsigned even = 1 - d.blocks % 2;
  if (b.y >= b.x + even) return {b.x, b.y - even};
  return {d.blocks - b.x - even, d.blocks - b.x - even + b.y};
}
"""
FOLDED = dict(grid=lambda d, launch: ((d.blocks + 1) // 2, d.blocks | 1, 1))
RIGHT_RECTANGLE = Own("rectangle", RECTANGLE, lambda b, d: fold(b, d.blocks, 1 - d.blocks % 2), **FOLDED)
NO_EVEN = RECTANGLE.replace("  const unsigned even = 1 - d.blocks % 2;\n", "").replace(" + even", "").replace(" - even", "")
WRONG_RECTANGLE = Own("wrong", NO_EVEN, lambda b, d: fold(b, d.blocks, 0), **FOLDED)
UNFOLD = """unsigned layer(unsigned y) { return y * (y + 1) / 2; }
unsigned pile(unsigned z) { return layer(z) * (z + 2) / 3; }
unsigned many(unsigned side, Domain d) { return d.dimensions == 2 ? layer(side) : pile(side); }
Place unfold(unsigned w, unsigned side, Domain d) {
  if (w >= many(side, d)) return nowhere;
  unsigned z = d.dimensions == 2 ? 0 : CBRT;
  while (pile(z) > w) --z;
  while (d.dimensions == 3 && pile(z + 1) <= w) ++z;
  w -= pile(z);
  unsigned y = SQRT;
  while (layer(y) > w) --y;
  while (layer(y + 1) <= w) ++y;
  w -= layer(y);
  return d.corner ? Place{w, y - w, z - y} : Place{w, y, z};
}
"""
LOOPS = UNFOLD.replace("CBRT", "0").replace("SQRT", "0")
ROOTS = UNFOLD.replace("CBRT", "unsigned(cbrt(6.0f * w))").replace("SQRT", "unsigned(sqrt(2.0f * w))")
BY_NUMBER = """Place grid(Domain d) { return {many(d.blocks, d), 1, 1}; }
Place place(Block b, Domain d) { return unfold(b.x, d.blocks, d); }
"""
NUMBERED = [Own(name, text + BY_NUMBER, lambda b, d: by_number(d.block_domain, b.x), grid=lambda d, launch: (d.many, 1, 1))
            for name, text in (("loops", LOOPS), ("roots", ROOTS))]
PERSISTENT = Own("persistent", LOOPS + """Place grid(Domain) { return {3, 1, 1}; }
int turns(Domain d) { return int(many(d.blocks, d) + 2) / 3; }
Place place(Block b, Domain d) { return unfold(b.x + 3 * b.turn, d.blocks, d); }
""", lambda b, d: by_number(d.block_domain, b.x + 3 * b.turn), grid=lambda d, launch: (3, 1, 1), turns=lambda d: -(-d.many // 3))
LAUNCHES = Own("launches", LOOPS + """int launches(Domain) { return 2; }
Place grid(Domain d) { return {(many(d.blocks, d) + 1) / 2, 1, 1}; }
Place place(Block b, Domain d) { return unfold(b.x + b.launch * grid(d).x, d.blocks, d); }
""", lambda b, d: by_number(d.block_domain, b.x + b.launch * -(-d.many // 2)), grid=lambda d, launch: (-(-d.many // 2), 1, 1), launches=2)
THREADS = Own("threads", LOOPS + """Place threads(Domain) { return {8, 4, 2}; }
Place grid(Domain d) { return {(many(d.n, d) + 63) / 64, 1, 1}; }
Place cell(Thread t, Domain d) { return unfold(64 * t.block.x + t.index, d.n, d); }
""", lambda t, d: by_number(d.domain, 64 * t.block.x + t.index), cell=True, grid=lambda d, launch: (-(-d.domain.count() // 64), 1, 1),
    threads=lambda d: (8, 4, 2))
NO_THREADS = Own("cells", """Place grid(Domain d) { return {d.blocks, d.blocks, d.dimensions == 2 ? 1 : d.n}; }
Place cell(Thread t, Domain) { return {t.x, t.y, t.z}; }
""", lambda t, d: (t.x, t.y, t.z), cell=True, grid=lambda d, launch: (d.blocks, d.blocks, cube(d.domain.n, d)[2]))

# Maps that are wrong.
PLACE = "Place place(Block b, Domain d) { (void)d; return %s; }\n"
CELL = """Place threads(Domain d) { return {d.rho, d.rho, d.dimensions == 2 ? 1 : d.rho}; }
Place cell(Thread t, Domain d) { (void)d; return %s; }
"""
DEPTH = "d.dimensions == 2 ? 1 : d.blocks"
WRONG = [Own("wrong", PLACE % text, answer) for text, answer in (
    ("{b.x, b.x, b.z}", lambda b, d: (b.x, b.x, b.z)), ("{b.y, b.y, b.z}", lambda b, d: (b.y, b.y, b.z)),
    ("{b.x + 1, b.y, b.z}", lambda b, d: (b.x + 1, b.y, b.z)), ("{b.x, b.y - 1, b.z}", lambda b, d: (b.x, b.y - 1, b.z)),
    ("{b.x, b.y, b.z - 1}", lambda b, d: (b.x, b.y, b.z - 1)), ("{b.x, b.y, b.z + 1}", lambda b, d: (b.x, b.y, b.z + 1)),
    ("{b.x / 2, b.y, b.z}", lambda b, d: (b.x // 2, b.y, b.z)), ("{b.x ^ 1, b.y, b.z}", lambda b, d: (b.x ^ 1, b.y, b.z)),
    ("{0, 0, 0}", lambda b, d: (0, 0, 0)), ("nowhere", lambda b, d: NOWHERE), ("{~0u, ~0u, 0}", lambda b, d: (-1, -1, 0)),
    ("{b.x % (d.blocks - 1), b.y, b.z}", lambda b, d: (b.x % (d.blocks - 1), b.y, b.z)),
    # Far outside, though in 32 bits its first cell is that of block (b.x, b.y, b.z).
    ("{b.x + (1u << 31) / d.rho * 2, b.y, b.z}", lambda b, d: (b.x + 2**31 // d.rho * 2, b.y, b.z)),
    ("{min(b.x, b.y), max(b.x, b.y), b.z}", lambda b, d: (min(b.x, b.y), max(b.x, b.y), b.z)),
    ("b.y == 1 ? nowhere : Place{b.x, b.y, b.z}", lambda b, d: NOWHERE if b.y == 1 else (b.x, b.y, b.z)),
)] + [Own("wrong", CELL % text, answer, cell=True, threads=lambda d: cube(d.rho, d)) for text, answer in (
    ("{t.x, t.x, t.z}", lambda t, d: (t.x, t.x, t.z)), ("{t.x - 4, t.y, t.z}", lambda t, d: (t.x - 4, t.y, t.z)),
    ("{t.x / 3, t.y, t.z}", lambda t, d: (t.x // 3, t.y, t.z)), ("{t.at.y, t.y, t.at.z}", lambda t, d: (t.at[1], t.y, t.at[2])),
    ("t.index == 3 ? nowhere : Place{t.x, t.y, t.z}", lambda t, d: NOWHERE if t.index == 3 else (t.x, t.y, t.z)),
)] + [
    Own("wrong", f"Place grid(Domain d) {{ return {{d.blocks - 1, d.blocks, {DEPTH}}}; }}\n" + PLACE % "{b.x, b.y, b.z}",
        lambda b, d: (b.x, b.y, b.z), grid=lambda d, launch: (d.blocks - 1, *cube(d.blocks, d)[1:])),
    Own("wrong", f"int launches(Domain) {{ return 3; }}\nPlace grid(Domain d, int i) {{ return {{d.blocks - i, d.blocks, {DEPTH}}}; }}\n"
        + PLACE % "{b.x + b.launch / 2, b.y, b.z}", lambda b, d: (b.x + b.launch // 2, b.y, b.z), launches=3,
        grid=lambda d, launch: (d.blocks - launch, *cube(d.blocks, d)[1:])),
    Own("wrong", "int turns(Domain) { return 3; }\n" + PLACE % "{b.turn, b.y, b.z}", lambda b, d: (b.turn, b.y, b.z), turns=lambda d: 3),
]


class OwnSimplices(OwnTest):
    scene, given = "simplex", dict(domain="triangle", n=20, block=4)

    def run_own(self, own, *words, code, **settings):
        path = self.write(f"{own.name}.h", own.text)
        result = self.warploom(*"run simplex --interop none --frames 2 --backend".split(), Settings.backend, "--map", path, *sets(settings), *words)
        self.assertEqual((result.code, result.out), (code, ""), str(result))
        return result.err

    def check(self, own, kind, n, block, work="single_write", layouts=("linear",)):
        """Stats, messages and dumps of one run are those of the loops. Returns the stats."""
        expected, domain = judge(own, kind, n, block), Domain(kind, n)
        broken = bool(expected.missed or expected.doubled)
        names = [track_name(f"own:{own.name}", layout) for layout in layouts]
        said = self.run_own(own, "--stats", "s.json", "--dump", "d", code=3 if broken else 0, domain=kind, n=n, block=block, work=work,
                            tracks=["bounding_box", *names])
        stats = self.json("s.json")
        first, *tracks = stats["tracks"]
        self.assertEqual((first["agrees"], first["badge"], first["own"], [track["name"] for track in tracks]), (True, None, None, names))
        served = sum(expected.served.values())
        for i, track in enumerate(tracks, 1):
            about = track["own"]
            self.assertEqual((about["kind"], about["form"], about["fault"]), ("map", "cell" if own.cell else "place", None))
            self.assertEqual({key: value for key, value in about["judge"].items() if key != "ms"}, {
                "whole": True, "visits": expected.visits, "cells": domain.count(), "served": served,
                "missed": len(expected.missed), "doubled": len(expected.doubled), "outside": expected.outside,
                "first_missed": next(map(list, expected.missed), None), "first_doubled": next(map(list, expected.doubled), None)})
            self.assertEqual(track["threads"], {"launched": expected.visits, "useful": served, "wasted": expected.visits - served})
            if expected.turns == 1:
                self.assertEqual(track["launches"], expected.launches)
            self.assertEqual((track["badge"], about["trusted"]), ("CONTRACT BROKEN" if broken else None, not broken))
            self.assertEqual((track["agrees"], track["ratio_to_baseline"] is None), (track["seal"] == first["seal"], broken))
            for what, cells in (("missed", expected.missed), ("served twice or more", expected.doubled)):
                told = f"{track['name']}: {len(cells)} cells {what}, first ({', '.join(map(str, cells[0]))})\n" if cells else f" {what},"
                (self.assertIn if cells else self.assertNotIn)(told, said)
            self.check_dumps(i, domain, expected, work)
            if work == "single_write":
                self.assertEqual([first["seal"], track["seal"]], [seal((c, 1) for c in of) for of in (domain.cells(), expected.served)])
        return stats

    def check_dumps(self, track, domain, expected, work):
        """Place by place. What nobody serves is 0; outside the domain values are NaN, here None."""
        wanted = [("visits", "|u1", lambda cell: min(expected.served.get(cell, 0), 2), 255)]
        if work == "single_write":
            wanted.append(("values", "<f4", lambda cell: float(cell in expected.served), None))
        if expected.turns == len(expected.launches) == 1:
            wanted.append(("owner", "<i4", lambda cell: expected.owner.get(cell, -1), -1))
        for name, dtype, right, outside in wanted:
            found = read_cells(self.folder / "d" / f"track{track}_{name}.npy", domain, dtype).items()
            triples = [(c, None if math.isnan(value) else value, right(c) if domain.contains(c) else outside) for c, value in found]
            self.assertEqual([t for t in triples if t[1] != t[2]][:4], [], f"{name} of track {track}: (cell, found, expected)")

    def check_right(self, own, kind, n, block, work, layouts):
        with self.subTest(map=own.name, domain=kind, n=n, work=work, layouts=layouts):
            expected = judge(own, kind, n, block)
            self.assertEqual((expected.missed, expected.doubled, len(expected.served)), ([], [], Domain(kind, n).count()))
            stats = self.check(own, kind, n, block, work, layouts)
            self.assertEqual(len({track["seal"] for track in stats["tracks"]}), 1, "the seals differ")


class Right(OwnSimplices):
    def test_rectangle(self):
        for i, work in enumerate(WORKS[2][:2] if Settings.quick else WORKS[2]):
            layouts = LAYOUTS if FULL or i == 0 and not Settings.quick else [LAYOUTS[i % 3]]
            for n in (1, 2, 15, 16, 17, 64, 65, 200) if FULL else (17, 64) if Settings.quick else (1, 64, 200):
                self.check_right(RIGHT_RECTANGLE, "triangle", n, 16, work, layouts)

    def check_forms(self, *maps, kinds=DOMAINS):
        """Every work and layout, or one of each: in turn, as the maps come."""
        for i, own in enumerate(dict.fromkeys(maps) if FULL else maps):
            for kind in kinds:
                works = [work for work in WORKS[Domain(kind, 1).dimensions] if not (own.cell and work == "triplet_energy")]
                for work in works if FULL else [works[i % len(works)]]:
                    for n in (1, 3, 4, 5, 16, 23) if FULL else (13,) if Settings.quick else (1, 13):
                        self.check_right(own, kind, n, 4, work, LAYOUTS if FULL else [LAYOUTS[i % 3]])

    def test_tetrahedra_by_number(self):
        self.check_forms(*NUMBERED[1:] if Settings.quick else NUMBERED * 2 + NUMBERED[:1], kinds=DOMAINS[1:])

    def test_persistent_blocks_two_launches_threads(self):
        self.check_forms(*[THREADS] if Settings.quick else [PERSISTENT, LAUNCHES, THREADS, THREADS])

    def test_threads_left_out(self):
        """A block has {rho, rho, 1} then."""
        self.check_forms(NO_THREADS)


class Wrong(OwnSimplices):
    def test_rectangle_without_even(self):
        judged = self.check(WRONG_RECTANGLE, "triangle", 64, 16)["tracks"][1]["own"]["judge"]
        self.assertEqual((judged["missed"], judged["first_missed"]), (392, [32, 32]))
        self.check(WRONG_RECTANGLE, "triangle", 65, 16)
        for tracks in (["own:wrong", "bounding_box", "root_exact"], ["bounding_box", "own:wrong", "root_exact"]):
            said = self.run_own(WRONG_RECTANGLE, "--stats", "s.csv", code=3, domain="triangle", n=64, block=16, tracks=tracks)
            self.assertIn("own:wrong: 392 cells missed, first (32, 32)\n", said)
            for line in csv.DictReader((self.folder / "s.csv").read_text().splitlines()):
                wrong = line["name"] == "own:wrong"
                self.assertEqual((line["agrees"], line["badge"]), ("false", "CONTRACT BROKEN") if wrong else ("true", ""))
                if wrong or tracks[0] == "own:wrong":  # nor is anything measured against it
                    self.assertEqual((line["ratio_median"], line["ratio_low"], line["ratio_high"]), ("", "", ""))

    def test_figures_are_those_of_a_plain_loop(self):
        for i, own in enumerate(WRONG[::5] if Settings.quick else WRONG):
            for kind in DOMAINS if FULL else [DOMAINS[i % 2]] + DOMAINS[2:] * (i in (4, 13)):
                n, block = (37, 8) if kind == "triangle" else (11, 4)
                with self.subTest(text=own.text, domain=kind):
                    expected = judge(own, kind, n, block)
                    self.assertTrue(expected.missed or expected.doubled, "this map is right")
                    self.check(own, kind, n, block)


class Refused(OwnSimplices):
    def test_what_is_asked_in_vain(self):
        cells, path = self.write("cells.h", NO_THREADS.text), self.write("rectangle.h", RECTANGLE)
        for kind in DOMAINS[1:]:
            self.refused("--map", cells, domain=kind, work="triplet_energy", says=["own:cells", "triplet_energy", "place"])
        self.refused(*["--map", path] * 5, says=["tracks", "4"])
        for wrong, near in (("own:rectangle/linaer", "own:rectangle/linear"), ("own:rectangle/blokced", "own:rectangle/blocked"),
                            ("own:rectangel", "own:rectangle")):
            with self.subTest(wrong):
                self.refused("--map", path, tracks=f"bounding_box,{wrong}", says=[wrong, f"'{near}'"])


if __name__ == "__main__":
    main()
