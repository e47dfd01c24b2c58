"""An oracle of the simplex scene, written another way than the program: plain loops over cells.

The hash and the automaton are oracle.py's. Cells are (x, y) or (x, y, z); orders are row-major: x fastest. Standard
library only.
"""

import itertools
import math
import struct
from functools import lru_cache
from pathlib import Path

import oracle
from files import read_array, write_array
from oracle import MASK, cell_hash

EXACT_MAPS = {2: ["bounding_box", "root_exact", "rectangle", "recursive", "h_map", "table", "stride_walk"],
              3: ["bounding_box", "root_exact", "h_map", "table", "stride_walk"]}
INEXACT_MAPS = {2: ["root_fp32", "root_rsqrt"], 3: ["root_fp32", "root_fp64"]}
LAYOUTS = ["linear", "blocked", "box"]
DOMAINS = ["triangle", "tetrahedron", "tetrahedron_corner"]


def track_name(map_, layout):
    return map_ if layout == "linear" else f"{map_}/{layout}"


def is_compiled(map_, layout):
    """The box layout is the baseline of layouts: under the bounding box and the exact root alone."""
    return layout != "box" or map_ in ("bounding_box", "root_exact")


def track_sets(dimensions):
    """Runs of four tracks, bounding_box first, that hold every exact map in every layout it is compiled for."""
    others = [track_name(m, layout) for layout in LAYOUTS for m in EXACT_MAPS[dimensions][1:] if is_compiled(m, layout)]
    others += others[: -len(others) % 3]  # the last run is full too
    sets = [others[i : i + 3] for i in range(0, len(others), 3)]
    return [[track_name("bounding_box", LAYOUTS[i % 3]), *tracks] for i, tracks in enumerate(sets)]


# ---------------------------------------------------------------- domains


def triangle_number(n):
    return sum(range(1, n + 1))


def tetrahedron_number(n):
    return sum(triangle_number(i) for i in range(1, n + 1))


class Domain:
    def __init__(self, kind, n):
        self.kind, self.n = kind, n
        self.dimensions = 2 if kind == "triangle" else 3

    def contains(self, cell):
        if self.kind == "tetrahedron_corner":
            return min(cell) >= 0 and sum(cell) < self.n
        return 0 <= cell[0] and all(a <= b for a, b in itertools.pairwise(cell)) and cell[-1] < self.n

    def cells(self):
        """All cells, in row-major order."""
        n = self.n
        if self.kind == "triangle":
            return [(x, y) for y in range(n) for x in range(y + 1)]
        if self.kind == "tetrahedron":
            return [(x, y, z) for z in range(n) for y in range(z + 1) for x in range(y + 1)]
        return [(x, y, z) for z in range(n) for y in range(n - z) for x in range(n - z - y)]

    def count(self):
        return triangle_number(self.n) if self.dimensions == 2 else tetrahedron_number(self.n)

    def stacked(self, cell):
        """The corner tetrahedron's cell, sheared onto the stacked one."""
        return tuple(itertools.accumulate(cell)) if self.kind == "tetrahedron_corner" else cell

    def unstacked(self, cell):
        if self.kind != "tetrahedron_corner":
            return cell
        return (cell[0], *(b - a for a, b in itertools.pairwise(cell)))

    def blocks(self, rho):
        """data block -> its cells, in row-major order of both."""
        found = {}
        for cell in self.cells():
            found.setdefault(tuple(c // rho for c in cell), []).append(cell)
        return found

    def box(self):
        """Every cell of the box around the domain, as the dumps hold them."""
        return [cell[::-1] for cell in itertools.product(range(self.n), repeat=self.dimensions)]

    def linear_cell(self, w):
        """The cell (or block) with linear number w, in the domain's own coordinates."""
        cell = []
        if self.dimensions == 3:
            z = next(z for z in itertools.count() if tetrahedron_number(z + 1) > w)
            w -= tetrahedron_number(z)
            cell = [z]
        y = (math.isqrt(8 * w + 1) - 1) // 2
        return self.unstacked((w - y * (y + 1) // 2, y, *cell))


# ---------------------------------------------------------------- closed forms


def ceil_root(value, degree):
    return next(s for s in itertools.count() if s**degree >= value)


def folded(blocks, dimensions):
    side = ceil_root(blocks, dimensions)
    floor = side ** (dimensions - 1)
    return floor * -(-blocks // floor)


def h_blocks(n):
    """Blocks that the H map of the tetrahedron launches."""
    if n == 1:
        return 1
    p = 1 << (n.bit_length() - 1)

    def whole(p):
        return (p // 2) ** 2 * (3 * p // 4) + p // 2 * (p + 1) if p > 1 else 1

    if n == p:
        return whole(p)
    return min(whole(2 * p), whole(p) + folded(triangle_number(n), 2) * (n - p))


def launched_threads(domain, map_, rho):
    d, n = domain.dimensions, -(-domain.n // rho)
    blocks = triangle_number(n) if d == 2 else tetrahedron_number(n)
    if map_ == "bounding_box":
        blocks = n**d
    elif map_ in ("root_exact", "table", *INEXACT_MAPS[d]):
        blocks = folded(blocks, d)
    elif map_ == "h_map" and d == 3:
        blocks = h_blocks(n)
    return blocks * rho**d


def padding(domain, rho):
    """Elements that the blocked layout pads: what of its blocks is outside, counted, and the published formula."""
    found = sum(rho**domain.dimensions - len(cells) for cells in domain.blocks(rho).values())
    n = domain.n
    if n % rho == 0:
        times6 = 3 * n * (rho - 1) if domain.dimensions == 2 else 3 * n * n * (rho - 1) + 2 * n * (rho * rho - 1)
        assert 6 * found == times6, (domain.kind, n, rho, found)
    return found


# ---------------------------------------------------------------- hashes and seals


def seal(values):
    """Of (cell, whole number) pairs."""
    return f"{sum(v * cell_hash(0, *cell) for cell, v in values if v) & MASK:016x}"


def float_bits(value):
    return struct.unpack("<I", struct.pack("<f", value))[0]


def float_seal(values):
    return seal((cell, float_bits(v)) for cell, v in values)


# ---------------------------------------------------------------- works


class Automaton(oracle.Automaton):
    def __init__(self, domain, rule=None, seed=7, density=0.5):
        self.domain = domain
        flat = domain.dimensions == 2
        faces = [tuple(s * (axis == along) for axis in range(3)) for along in range(3) for s in (-1, 1)]
        super().__init__(domain.cells(), [domain.n] * domain.dimensions, oracle.AROUND if flat else faces,
                         rule or ("B3/S23" if flat else "B1/S12"))
        self.randomise(seed, density)

    def values(self):
        alive = set(self.cells())
        return {cell: float(cell in alive) for cell in self.members}

    def seal(self):
        return seal((cell, 1) for cell in self.cells())


@lru_cache(maxsize=None)
def automaton_after(kind, n, steps):
    """(seal, living cells) under the default rule, seed and density."""
    automaton = Automaton(Domain(kind, n)).step(steps)
    return automaton.seal(), automaton.count()


def stencil(domain, steps, seed=7):
    values = {cell: (cell_hash(seed, *cell) >> 40) * 2.0**-24 for cell in domain.cells()}
    offsets = list(itertools.product((-1, 0, 1), repeat=domain.dimensions))
    for _ in range(steps):
        after = {}
        for cell in values:
            near = [tuple(a + b for a, b in zip(cell, offset)) for offset in offsets]
            inside = [values[other] for other in near if other in values]
            after[cell] = math.fsum(inside) / len(inside)
        values = after
    return values


def random_points(count, axes, seed=7):
    return [tuple((cell_hash(seed, i, axis) >> 40) * 2.0**-24 for axis in range(axes)) for i in range(count)]


def distances(domain, points):
    return {(x, y): math.dist(points[x], points[y]) for x, y in domain.cells()}


def coincident_pairs(domain, points):
    """Two different points of a cell at the same place."""
    return sum(x != y and points[x] == points[y] for x, y in domain.cells())


def axilrod_teller(a, b, c):
    """(energy, magnitude of its two terms), or None where points coincide."""
    r12, r23, r31 = math.dist(a, b), math.dist(b, c), math.dist(c, a)
    if 0 in (r12, r23, r31):
        return None

    def cosine(here, one, other):
        dot = math.fsum((p - h) * (q - h) for h, p, q in zip(here, one, other))
        return dot / (math.dist(here, one) * math.dist(here, other))

    product = cosine(a, b, c) * cosine(b, c, a) * cosine(c, a, b)
    cube = (r12 * r23 * r31) ** 3
    return (1 + 3 * product) / cube, (1 + 3 * abs(product)) / cube


def triplets(domain, rho, points):
    """({data block: (energy, magnitude)}, coincident triples)."""
    sums, coincident = {}, 0
    for block, cells in domain.blocks(rho).items():
        terms = []
        for cell in cells:
            x, y, z = domain.stacked(cell)
            term = axilrod_teller(points[x], points[y + 1], points[z + 2])
            coincident += term is None
            terms.append(term or (0.0, 0.0))
        sums[block] = (math.fsum(t[0] for t in terms), math.fsum(t[1] for t in terms))
    return sums, coincident


# ---------------------------------------------------------------- files


def read_cells(path, domain, dtype):
    """{cell: value} of every cell of the box, from a dump (y, x) or (z, y, x)."""
    found, shape, values = read_array(path)
    assert (found, shape) == (dtype, (domain.n,) * domain.dimensions), f"{path}: {found} {shape}"
    return dict(zip(domain.box(), values, strict=True))


def write_point_npy(path, points, dtype="<f8", dimensions=3):
    write_array(path, dtype, (len(points), dimensions), [c for point in points for c in point])


def write_xyz(path, points):
    lines = [str(len(points)), "written by a test", *("C " + " ".join(repr(c) for c in point) for point in points)]
    Path(path).write_text("\n".join(lines) + "\n")


def write_pdb(path, points):
    lines = ["HEADER    WRITTEN BY A TEST"]
    for i, point in enumerate(points):
        lines.append(f"ATOM  {i + 1:5d}  CA  ALA A{i + 1:4d}    {point[0]:8.3f}{point[1]:8.3f}{point[2]:8.3f}  1.00  0.00           C")
    Path(path).write_text("\n".join([*lines, "END"]) + "\n")
