"""An oracle of sparse products, written from the definitions of formats and recipes: lists of columns, loops in double."""

import math
import struct
from collections import Counter

from oracle import key_hash

WARP, BLOCK = 32, 256


def below(value, n):
    return (value & 0xFFFFFFFF) * n >> 32


def grid_links(n, q):
    x, y = q % n, q // n
    return [q] + [q + d for d, there in ((-1, x > 0), (1, x < n - 1), (-n, y > 0), (n, y < n - 1)) if there]


def entries_of(recipe, n, seed):
    """(rows, all places that the recipe names, equal ones too)."""
    stream = key_hash(seed, 0)
    if recipe == "stencil5":
        return n * n, [(q, c) for q in range(n * n) for c in grid_links(n, q)]
    if recipe == "stencil27":
        sides = range(-1, 2)
        return n**3, [((z * n + y) * n + x, ((z + c) * n + y + b) * n + x + a)
                      for z in range(n) for y in range(n) for x in range(n) for c in sides for b in sides for a in sides
                      if 0 <= x + a < n and 0 <= y + b < n and 0 <= z + c < n]
    if recipe == "fem":
        links = set()
        for q in range(n * n):
            x, y = q % n, q // n
            pairs = [(q, q)] + [(q, q + 1)] * (x < n - 1) + [(q, q + n)] * (y < n - 1)
            if x < n - 1 and y < n - 1:
                pairs.append((q + 1, q + n) if key_hash(stream, q) >> 63 else (q, q + n + 1))
            links.update(pairs + [(b, a) for a, b in pairs])
        return 3 * n * n, [(3 * a + i, 3 * b + j) for a, b in links for i in range(3) for j in range(3)]
    if recipe == "circuit":
        places = [(q, c) for q in range(n * n) for c in grid_links(n, q)]
        for q in range(n * n):
            v = key_hash(stream, q)
            for j in range(8):
                if v >> 3 * j & 7 == 0:
                    hub = (2 * j + 1) * n * n // 16
                    places += [(q, hub), (hub, q)]
        return n * n, places
    if recipe == "random":
        hashes = (key_hash(stream, e) for e in range(16 * n))
        return n, [(below(v >> 32, n), below(v, n)) for v in hashes]
    places = []
    for e in range(16 * n):
        row = column = 0
        for level in range(n.bit_length() - 1):
            f = key_hash(stream, e + (level // 4 << 40)) >> 16 * (level % 4) & 0xFFFF
            row = 2 * row + (f >= 49807)
            column = 2 * column + (37356 <= f < 49807 or f >= 62259)
        places.append((row, column))
    return n, places


def real_value(v):
    return ((v >> 40) - 2**23) * 2.0**-23


def to_float(value):
    """The nearest float32."""
    try:
        return struct.unpack("f", struct.pack("f", value))[0]
    except OverflowError:
        return math.copysign(math.inf, value)


class Matrix:
    """Rows of columns and of values; `largest` is A, 0 where x is real."""

    def __init__(self, rows, columns, places, values=None, merged=0, largest=0):
        self.m, self.n, self.merged, self.largest = rows, columns, merged, largest
        self.rows = [[] for _ in range(rows)]
        for r, c in sorted(places):
            self.rows[r].append(c)
        self.values = values  # of (row, column)
        self.z = len(places)
        self.lengths = [len(row) for row in self.rows]
        self.longest = max(self.lengths)
        self.padded = -(-rows // WARP) * WARP
        self.starts = [0]
        for length in self.lengths:
            self.starts.append(self.starts[-1] + length)
        self.diagonals = sorted({c - r for r, row in enumerate(self.rows) for c in row})

    @staticmethod
    def recipe(recipe, n, seed, real=False):
        m, listed = entries_of(recipe, n, seed)
        places = set(listed)
        matrix = Matrix(m, m, places, merged=len(listed) - len(places))
        if not real:
            matrix.largest = next((a for a in (8, 4, 2, 1) if a * a * matrix.longest <= 2**24), 0)
        stream, a = key_hash(seed, 1), matrix.largest
        matrix.values = {}
        for r, c in places:
            v = key_hash(stream, (r << 32) + c)
            matrix.values[r, c] = (-1 if v >> 63 else 1) * (1 + below(v, a)) if a else real_value(v)
        return matrix

    def x(self, seed, step):
        stream = key_hash(seed, 2)
        hashes = (key_hash(stream, c + (step << 32)) for c in range(self.n))
        return [below(v, 2 * self.largest + 1) - self.largest if self.largest else real_value(v) for v in hashes]

    def sums(self, x):
        """(sum, sum of sizes) of each row, in double."""
        terms = ([self.values[r, c] * x[c] for c in row] for r, row in enumerate(self.rows))
        return [(math.fsum(t) if all(map(math.isfinite, t)) else sum(t), math.fsum(map(abs, t)) if all(map(math.isfinite, t)) else math.inf)
                for t in terms]

    def seal(self, y):
        bits = (struct.unpack("I", struct.pack("f", v))[0] for v in y)
        return f"{sum(key_hash(b, r) for r, (b, v) in enumerate(zip(bits, y)) if v) % 2**64:016x}"

    # ---- formats

    def hyb_width(self, words):
        # So many rows are longer than a width.
        longer = [0] * (self.longest + 1)
        for length in self.lengths:
            for w in range(length):
                longer[w] += 1
        if words == "bytes":
            return max((w for w in range(1, self.longest + 1) if 12 * longer[w - 1] > 8 * self.padded), default=0)
        if words == "cusp":
            return next(w for w in range(self.longest + 1) if 3 * longer[w] < self.m or longer[w] < 4096)
        return min(int(words), self.longest)

    def row_lanes(self, chosen):
        return chosen or next((l for l in (2, 4, 8, 16) if l * self.m >= self.z), 32)

    def format(self, track, hyb_width="bytes", row_lanes=0, items=8, sigma=1024):
        """(spots, stored, bytes, turns of all warps) of a track: a spot (launch, thread, turn, place) for each nonzero."""
        P, z, m, rows = self.padded, self.z, self.m, self.rows
        each = [(r, k) for r in range(m) for k in range(len(rows[r]))]
        longest_of = lambda lengths, size: sum(max(lengths[i : i + size]) for i in range(0, len(lengths), size))
        csr = 8 * z + 4 * (m + 1)
        if track == "dense/row":
            return [(0, r, rows[r][k], rows[r][k] * P + r) for r, k in each], P * self.n, 4 * P * self.n, self.n * P // WARP
        if track == "dia/row":
            number, D = {d: i for i, d in enumerate(self.diagonals)}, len(self.diagonals)
            spots = [(0, r, number[rows[r][k] - r], number[rows[r][k] - r] * P + r) for r, k in each]
            return spots, D * P, 4 * D * P + 4 * D, D * P // WARP
        if track == "ell/row":
            w = self.longest
            return [(0, r, k, k * P + r) for r, k in each], w * P, 8 * w * P, w * P // WARP
        if track == "coo/element":
            return [(0, j, 0, j) for j in range(z)], z, 12 * z, -(-z // WARP)
        if track == "csr/row":
            return [(0, r, k, j) for j, (r, k) in enumerate(each)], z, csr, longest_of(self.lengths, WARP)
        if track == "csr/warp":
            L = self.row_lanes(row_lanes)
            shares = [-(-length // L) for length in self.lengths]
            return [(0, r * L + k % L, k // L, j) for j, (r, k) in enumerate(each)], z, csr, longest_of(shares, WARP // L)
        if track == "csr/merge":
            # The path, walked: a row's nonzeros, then its end.
            spots, step = [], 0
            for r in range(m):
                for _ in rows[r]:
                    spots.append((0, step // items, step % items, len(spots)))
                    step += 1
                step += 1
            return spots, z, csr, items * -(-(-(-(m + z) // items)) // WARP)
        if track == "hyb/row":
            w, spots, t = self.hyb_width(hyb_width), [], 0
            for r, k in each:
                spots.append((0, r, k, k * P + r) if k < w else (1, t, 0, w * P + t))
                t += k >= w
            return spots, w * P + t, 8 * w * P + 12 * t, w * P // WARP + -(-t // WARP)
        order = [r for first in range(0, m, sigma) for r in sorted(range(first, min(first + sigma, m)), key=lambda r: -self.lengths[r])]
        slices, firsts = [max(self.lengths[r] for r in order[i : i + WARP]) for i in range(0, m, WARP)], [0]
        for width in slices:
            firsts.append(firsts[-1] + WARP * width)
        place = {r: p for p, r in enumerate(order)}
        spots = [(0, place[r], k, firsts[place[r] // WARP] + WARP * k + place[r] % WARP) for r, k in each]
        return spots, firsts[-1], 8 * firsts[-1] + 4 * len(firsts) + 4 * m * (sigma > 1), sum(slices)


def warps_of(spots, turns):
    """(full, partial, idle) turns of warps."""
    lanes = Counter((launch, thread // WARP, turn) for launch, thread, turn, _ in spots)
    full = sum(count == WARP for count in lanes.values())
    return full, len(lanes) - full, turns - len(lanes)


def read_market(text):
    """(rows, columns, {place: value}, merged, values) of a Matrix Market file, in double."""
    lines = text.replace("\r\n", "\n").split("\n")
    _, _, form, field, symmetry = lines[0].lower().split()
    words = [line.split() for line in lines[1:] if line.strip() and not line.lstrip().startswith("%")]
    number = (lambda word: 1.0) if field == "pattern" else float
    mirrored = {"general": None, "symmetric": 1, "skew-symmetric": -1}[symmetry]
    rows, columns = int(words[0][0]), int(words[0][1])
    if form == "coordinate":
        listed = [(int(w[0]) - 1, int(w[1]) - 1, number(w[2] if len(w) > 2 else "1")) for w in words[1:]]
    else:
        first = (lambda c: 0) if mirrored is None else (lambda c: c + (mirrored < 0))
        places = [(r, c) for c in range(columns) for r in range(first(c), rows)]
        listed = [(r, c, float(w)) for (r, c), line in zip(places, (w for w in words[1:] for w in w)) for w in [line]]
        listed = [entry for entry in listed if entry[2] != 0]
    found, merged = {}, 0
    for r, c, v in listed:
        for place, value in [((r, c), v)] + ([((c, r), mirrored * v)] if mirrored and r != c else []):
            merged += place in found
            found[place] = found[place] + value if place in found else value
    return rows, columns, found, merged
