"""Trees from the command line, against a recursion of its own: points, order, nodes, boxes, levels, seals and counts.

Written from the definitions alone: a node is a range of points in the order of their Morton codes; it is split by the
first bit of (code, rank) in which they differ. Standard library only.
"""

import math
import os
import struct

from files import read_array, write_array
from oracle import Settings, key_hash
from warploom_test import OUTPUTS, ProgramTest, kernel, main

RECIPES = ["uniform", "clusters", "sheet", "line", "equal"]
TRACKS = ["levels/scan", "levels/atomic", "radix"]
MASK = 2**64 - 1
FULL = bool(os.environ.get("WARPLOOM_FULL"))


def stream(seed, j, i):
    return key_hash(key_hash(seed, j), i)


def below(v, n):
    return (v & 0xFFFFFFFF) * n >> 32


def wave(x, bits):
    half = 1 << bits - 1
    u = x % half
    height = u * (half - u) >> bits - 2
    return -height if x >= half else height


def recipe_point(recipe, i, axes, seed, step):
    bits = 15 if axes == 2 else 10
    side = 1 << bits
    g = [stream(seed, 0, i + (a << 32)) for a in range(axes)]
    top = lambda h: h >> 64 - bits
    if recipe == "uniform":
        place, motion = [top(h) for h in g], [h % 7 - 3 for h in g]
    elif recipe == "clusters":
        e = below(stream(seed, 0, i + (3 << 32)), 24)
        place, motion = [], []
        for a in range(axes):
            q = stream(seed, 7, e + (a << 32))
            o = sum(g[a] >> 8 * byte & 255 for byte in range(4)) - 510
            place.append(top(q) + (o * (1 + e % 8) >> 15 - bits))
            motion.append(q % 7 - 3)
    elif recipe == "sheet":
        place = [top(h) for h in g[:-1]]
        waves = [wave(x, bits) for x in place]
        place.append((side >> 1) + (waves[0] if axes == 2 else sum(waves) >> 1))
        motion = [1] + [0] * (axes - 1)
    elif recipe == "line":
        place, motion = [top(g[0])] * axes, [1] * axes
    else:
        place, motion = [side >> 1] * axes, [1] + [0] * (axes - 1)
    return tuple((p + step * v) % side for p, v in zip(place, motion))


class Tree:
    """All that is known of the tree of these points."""

    def __init__(self, points, leaf):
        self.points, self.leaf = points, leaf
        self.axes = axes = len(points[0])
        bits = 30 // axes
        spread = [sum((v >> j & 1) << axes * j for j in range(bits)) for v in range(1 << bits)]
        codes = [sum(spread[p[a]] << a for a in range(axes)) for p in points]
        self.order = sorted(range(len(points)), key=lambda i: codes[i])
        self.width = (len(points) - 1).bit_length()
        self.codes = [codes[i] for i in self.order]
        self.nodes, self.levels = {}, []  # (first, last, split) -> box
        if len(points) > leaf:
            self.visit(0, len(points) - 1, 0)

    def bit(self, level, place):
        return self.codes[place] >> 29 - level & 1 if level < 30 else place >> self.width - 1 - (level - 30) & 1

    def box(self, first, last, level):
        """Of a half: of the node that it is, or of its points."""
        if last - first + 1 > self.leaf:
            return self.visit(first, last, level)
        own = [self.points[i] for i in self.order[first : last + 1]]
        return tuple(min(p[a] for p in own) for a in range(self.axes)), tuple(max(p[a] for p in own) for a in range(self.axes))

    def visit(self, first, last, level):
        while True:
            while len(self.levels) <= level:
                self.levels.append([0, 0, 0])
            if self.bit(level, first) != self.bit(level, last):
                break
            self.levels[level][1] += 1
            level += 1
        low, high = first, last  # the last place whose bit is 0
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if self.bit(level, middle) else (middle, high)
        self.levels[level][sum(size > self.leaf for size in (low - first + 1, last - low))] += 1
        a, b = self.box(first, low, level + 1), self.box(low + 1, last, level + 1)
        box = tuple(map(min, a[0], b[0])), tuple(map(max, a[1], b[1]))
        self.nodes[first, last, low] = box
        return box

    def visits(self):
        return sum(map(sum, self.levels))

    def slots(self, every):
        all = []
        for level, made in enumerate(self.levels):
            all.append(sum(made) if level % every == 0 else 2 * all[-1])
        return all

    def seal(self):
        total = 0
        for (first, last, split), (low, high) in self.nodes.items():
            c = key_hash(key_hash(0, first + (last << 32)), split)
            for a in range(self.axes):
                c = key_hash(c, low[a] + (high[a] << 32))
            total += c
        return f"{total & MASK:016x}"


def whole_blocks(slots):
    return (slots + 255) // 256 * 256


class TreeTest(ProgramTest):
    scene, outputs = "irregular", OUTPUTS
    given = {"system": "tree", "tracks": "levels/scan,radix"}

    def rows(self, track, name):
        dtype, shape, values = read_array(self.folder / "d" / f"track{track}_{name}.npy")
        wide = math.prod(shape[1:])
        return dtype, shape, [tuple(values[i * wide : (i + 1) * wide]) for i in range(shape[0])]

    def check(self, tree, every=1, frames=0, **settings):
        """Runs all tracks; their dumps, counts and seals are those of the recursion."""
        stats = self.run_scene("--dump", "d", frames=frames, system="tree", dimension=tree.axes, leaf=tree.leaf,
                               compact_every=every, tracks=",".join(TRACKS), **settings)
        count = len(tree.points)
        self.assertEqual(stats["results"], {"points": count, "split_nodes": len(tree.nodes), "levels": len(tree.levels),
                                            "visits": tree.visits()})
        for i, (name, track) in enumerate(zip(TRACKS, stats["tracks"])):
            self.assertTrue(track["agrees"], track)
            self.assertEqual([track["map"], track["intra"]], (name.split("/") + [None])[:2])
            self.assertEqual((track["check"]["against"], track["check"]["kind"], track["check"]["error"]), ("oracle", "bitwise", 0))
            self.assertEqual(track["seal"], tree.seal())
            self.check_dumps(i, tree, name, every)
            self.check_counts(track, tree, name, every)
        return stats

    def check_dumps(self, i, tree, name, every):
        count, axes = len(tree.points), tree.axes
        dtype, shape, points = self.rows(i, "points")
        self.assertEqual((dtype, shape), ("<u4", (count, axes)))
        self.assertEqual(points, tree.points)
        self.assertEqual(self.rows(i, "order")[:2], ("<u4", (count,)))
        self.assertEqual([row[0] for row in self.rows(i, "order")[2]], tree.order)
        dtype, shape, nodes = self.rows(i, "nodes")
        self.assertEqual((dtype, shape), ("<i4", (len(tree.nodes), 3)))
        self.assertEqual(sorted(nodes), sorted(tree.nodes))
        dtype, shape, boxes = self.rows(i, "boxes")
        self.assertEqual((dtype, shape), ("<u4", (len(tree.nodes), 2 * axes)))
        for node, box in zip(nodes, boxes):
            self.assertEqual(box, sum(tree.nodes[node], ()), node)
        if name == "radix":
            self.assertFalse((self.folder / "d" / f"track{i}_levels.npy").exists())
            return
        dtype, shape, levels = self.rows(i, "levels")
        self.assertEqual((dtype, shape), ("<i8", (len(tree.levels), 5)))
        slots = tree.slots(every if name == "levels/scan" else 1)
        self.assertEqual(levels, [(s, sum(made), *made) for s, made in zip(slots, tree.levels)])

    def check_counts(self, track, tree, name, every):
        count, numbers = len(tree.points), track["numbers"]
        threads = track["threads"]
        if name == "radix":
            self.assertEqual((numbers["slots"], numbers["launches"]), (count - 1, int(count > 1)))
            self.assertEqual((threads["launched"], threads["useful"]), (whole_blocks(count - 1), len(tree.nodes)))
        else:
            slots = tree.slots(every if name == "levels/scan" else 1)
            self.assertEqual((numbers["slots"], numbers["launches"]), (sum(slots), len(slots)))
            self.assertEqual(numbers["storage_worst"], 2 * count)
            self.assertEqual(numbers["storage_used"], max((a + b for a, b in zip(slots, slots[1:] + [0])), default=0))
            self.assertEqual((threads["launched"], threads["useful"]), (sum(map(whole_blocks, slots)), tree.visits()))
            if name == "levels/atomic" or every == 1:  # nodes stand side by side
                nodes = [sum(made) for made in tree.levels]
                self.assertEqual((track["warps"]["full"], track["warps"]["partial"]),
                                 (sum(n // 32 for n in nodes), sum(n % 32 > 0 for n in nodes)))
        warps = track["warps"]
        self.assertEqual(32 * (warps["full"] + warps["partial"] + warps["idle"]), threads["launched"])
        self.assertLessEqual(32 * warps["full"] + warps["partial"], threads["useful"])
        self.assertLessEqual(threads["useful"], 32 * (warps["full"] + warps["partial"]))


def recipe_tree(recipe, count, axes, leaf, step=0, seed=7):
    return Tree([recipe_point(recipe, i, axes, seed, step) for i in range(count)], leaf)


class Recipes(TreeTest):
    def test_twenty_thousand_points(self):
        # The table: levels, visits, made 0, 1, 2, slots.
        table = {"uniform": (30, 28889, (7241, 14408, 7240), (28889, 43206, 102828, 688170)),
                 "clusters": (45, 29601, (7176, 15250, 7175), (29601, 44287, 111046, 1090769)),
                 "sheet": (45, 105223, (6963, 91298, 6962), (105223, 153998, 368801, 2541872)),
                 "equal": (45, 20035, (10000, 36, 9999), (20035, 20053, 20140, 21160))}
        for i, (recipe, (levels, visits, made, slots)) in enumerate(table.items()):
            tree = recipe_tree(recipe, 20000, 2, 1)
            self.assertEqual((len(tree.levels), tree.visits(), tuple(map(sum, zip(*tree.levels)))), (levels, visits, made))
            for every, wanted in zip((1, 2, 4, 8), slots):
                self.assertEqual(sum(tree.slots(every)), wanted)
                if Settings.quick and every != (1, 4, 8, 2)[i]:
                    continue
                with self.subTest(recipe, every=every):
                    stats = self.check(tree, every, points=recipe, count=0)
                    self.assertEqual(stats["tracks"][0]["numbers"]["slots"], wanted)

    def test_both_dimensions_and_all_leaves(self):
        # Every recipe, dimension, leaf and compaction comes; with WARPLOOM_FULL each with each.
        cases = [(r, d, f, c) for r in RECIPES for d in (2, 3) for f in (1, 2, 8, 100) for c in range(1, 9)]
        chosen = cases if FULL else [case for i, case in enumerate(cases) if i % 41 == 0]
        for recipe, axes, leaf, every in chosen[: 3 if Settings.quick else None]:
            with self.subTest(recipe, axes=axes, leaf=leaf, every=every):
                self.check(recipe_tree(recipe, 20000 if FULL else 3000, axes, leaf, step=1), every, frames=1, points=recipe,
                           count=20000 if FULL else 3000)

    def test_few_points(self):
        cases = [(r, d, f, n) for r in RECIPES for d in (2, 3) for f in (1, 2, 8, 100) for n in (1, 2, 3, 5, 64)]
        chosen = cases if FULL else [case for i, case in enumerate(cases) if i % 9 == 0]
        for i, (recipe, axes, leaf, count) in enumerate(chosen[: 8 if Settings.quick else None]):
            with self.subTest(recipe, axes=axes, leaf=leaf, count=count):
                self.check(recipe_tree(recipe, count, axes, leaf), 1 + i % 8, points=recipe, count=count)

    def test_points_move_by_steps(self):
        for recipe in RECIPES:
            for axes in (2, 3):
                with self.subTest(recipe, axes=axes):
                    stats = self.check(recipe_tree(recipe, 400, axes, 2, step=5, seed=11), 2, frames=5, points=recipe, count=400, seed=11)
                    self.assertEqual(stats["steps"], 5)

    def test_kernels_are_told(self):
        stats = self.run_scene(frames=3, system="tree", tracks=",".join(TRACKS), count=2000)
        names = [{k["name"] for k in track["kernels"]} for track in stats["tracks"]]
        shared = {"tree.points", "tree.codes", "tree.sort", "tree.build", "tree.fit", "tree.total"}
        for i, own in enumerate(({"tree.level", "tree.compact"}, {"tree.level"}, {"tree.nodes"})):
            self.assertTrue(shared | own <= names[i], names[i])
        for track in stats["tracks"]:
            self.assertGreater(kernel(track, "tree.total")["median_ms"], kernel(track, "tree.build")["median_ms"])
            self.assertEqual(track["rate"]["unit"], "MPoints/s")


def gridded(rows):
    """Points of a file on the grid: one scale for all axes."""
    axes = len(rows[0])
    rows = [[struct.unpack("f", struct.pack("f", v))[0] for v in row] for row in rows]
    low = [min(row[a] for row in rows) for a in range(axes)]
    extent = max(max(row[a] for row in rows) - low[a] for a in range(axes))
    last = 2 ** (15 if axes == 2 else 10) - 1
    scale = last / extent if extent else 0
    return [tuple(min(last, math.floor((row[a] - low[a]) * scale)) for a in range(axes)) for row in rows]


class Files(TreeTest):
    ROWS = [[0.37 * (i * 7 % 11) - 1, 0.29 * (i * 5 % 13), 0.41 * (i * 3 % 17)] for i in range(60)]

    def test_numpy_files(self):
        for axes in (2, 3):
            rows = [row[:axes] for row in self.ROWS]
            for dtype in ("<f4", "<f8"):
                write_array(self.folder / "p.npy", dtype, (len(rows), axes), [v for row in rows for v in row])
                self.check(Tree(gridded(rows), 2), points="p.npy", frames=3)  # they rest

    def test_molecules(self):
        rows = [[round(v, 3) for v in row] for row in self.ROWS]
        (self.folder / "m.xyz").write_text(f"{len(rows)}\n\n" + "".join("O {} {} {}\n".format(*row) for row in rows))
        self.check(Tree(gridded(rows), 1), points="m.xyz")
        (self.folder / "m.pdb").write_text("".join(
            f"ATOM  {i + 1:5d}  O   HOH A{i + 1:4d}    {x:8.3f}{y:8.3f}{z:8.3f}  1.00  0.00           O\n"
            for i, (x, y, z) in enumerate(rows)))
        self.check(Tree(gridded(rows), 1), points="m.pdb")

    def test_points_at_one_place(self):
        write_array(self.folder / "p.npy", "<f4", (9, 2), [2.5] * 18)
        self.check(Tree([(0, 0)] * 9, 1), points="p.npy")

    def test_files_that_cannot_be(self):
        nan = [[0.0, 1.0], [2.0, math.nan], [3.0, 4.0]]
        for name, shape, values, says in (("nan", (3, 2), [v for row in nan for v in row], ["point 1"]), ("none", (0, 2), [], ["no points"]),
                                          ("four", (2, 4), [1.0] * 8, ["2 x 4"]), ("space", (2, 3), [1.0] * 6, ["2 x 3"])):
            write_array(self.folder / f"{name}.npy", "<f4", shape, values)
            with self.subTest(name):
                self.refused(code=1, says=[f"{name}.npy", *says], points=f"{name}.npy")
        self.refused(code=1, says=["missing.npy"], points="missing.npy")
        write_array(self.folder / "torn.npy", "<f4", (9, 2), [1.0] * 11)
        self.refused(code=1, says=["torn.npy"], points="torn.npy")
        (self.folder / "m.xyz").write_text("1\n\nO 1 2 3\n")
        self.refused(code=1, says=["m.xyz", "three dimensions"], points="m.xyz", dimension=2)


class Errors(TreeTest):
    def test_values(self):
        for settings, says in ((dict(points="clustr"), ["clustr", "clusters"]), (dict(leaf=0), ["leaf"]), (dict(leaf=1025), ["leaf"]),
                               (dict(dimension=4), ["dimension"]), (dict(dimension=1), ["dimension"]),
                               (dict(compact_every=0), ["compact_every"]), (dict(compact_every=9), ["compact_every"]),
                               (dict(count=-1), ["count"]), (dict(count=2**27 + 1), ["count"]), (dict(tracks="levels"), ["levels"]),
                               (dict(tracks="radx"), ["radx", "radix"]), (dict(tracks=""), ["tracks"]),
                               (dict(points="p.txt"), ["p.txt"])):
            with self.subTest(**settings):
                self.refused(code=1 if settings.get("points") == "p.txt" else 2, says=says, **settings)

    def test_a_dump_that_is_too_large(self):
        self.refused(says=["2 GiB"], count=2**27, dimension=3, tracks="radix")


if __name__ == "__main__":
    main()
