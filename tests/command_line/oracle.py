"""An oracle of the fractal scene, written another way than the program: recursive copying, whole-number bit planes."""

import itertools
import os

MASK = (1 << 64) - 1
MAX_THREADS = 1024

# The table of the design's fractals.md, row-major, y downwards.
FRACTALS = {
    "sierpinski_gasket": ["#.", "##"],
    "sierpinski_carpet": ["###", "#.#", "###"],
    "vicsek": [".#.", "###", ".#."],
    "x_fractal": ["#.#", ".#.", "#.#"],
    "h_fractal": ["#.#", "###", "#.#"],
    "cantor_set": ["#.#"],
    "candy": ["#..#", "####", "####", "#..#"],
    "chandelier": [".#.", "###"],
    "empty_bottles": ["#.#", "#.#", "###"],
}
ALL_TRACKS = ["bounding_box"] + [
    name + intra for name in ("lambda_serial", "lambda_table", "lambda_shuffle") for intra in ("", "/unroll", "/lookup")
]


class Settings:
    program = None
    quick = False
    timeout = 60
    backend = os.environ.get("WARPLOOM_TEST_BACKEND", "cpu")


# ---------------------------------------------------------------- the oracle


class Fractal:
    """Level r + 1 is level r copied into every mark of the mask."""

    def __init__(self, rows, level):
        self.rows, self.level = rows, level
        self.side_x, self.side_y = len(rows[0]), len(rows)
        self.k = sum(row.count("#") for row in rows)
        picture = ["#"]
        for _ in range(level):
            empty = "." * len(picture[0])
            picture = ["".join(line if mark == "#" else empty for mark in row) for row in rows for line in picture]
        self.picture = picture
        self.width, self.height = len(picture[0]), len(picture)

    def blocks(self):
        """Legal sides along x: powers of s_x, at most 1024 threads, at most the domain."""
        legal, power = [], 0
        while power <= self.level and self.side_x**power * self.side_y**power <= MAX_THREADS:
            legal.append(self.side_x**power)
            power += 1
        return legal

    def default_block(self):
        return max(b for b in self.blocks() if b * self.block_height(b) <= 256)

    def digits(self, block):
        """How many levels lie inside a block."""
        power = 0
        while self.side_x**power < block:
            power += 1
        assert self.side_x**power == block, block
        return power

    def block_height(self, block):
        return self.side_y ** self.digits(block)

    def threads(self, track, block):
        """(launched, useful, wasted) of one step, closed forms."""
        r, j, k = self.level, self.digits(block), self.k
        if track.split("/")[0] == "bounding_box":
            launched = self.side_x**r * self.side_y**r
        elif track.endswith(("/unroll", "/lookup")):
            launched = k**r
        else:
            launched = k ** (r - j) * self.side_x**j * self.side_y**j
        return launched, k**r, launched - k**r

    def block_counts(self, track, block):
        r, j = self.level, self.digits(block)
        useful = self.k ** (r - j)
        return (self.side_x ** (r - j) * self.side_y ** (r - j) if track == "bounding_box" else useful), useful

    def useful_origins(self, block):
        """First cells of the blocks that hold members."""
        height = self.block_height(block)
        return {
            (x, y)
            for y in range(0, self.height, height)
            for x in range(0, self.width, block)
            if any("#" in self.picture[line][x : x + block] for line in range(y, y + height))
        }


def finalise(z):
    z ^= z >> 30
    z = z * 0xBF58476D1CE4E5B9 & MASK
    z ^= z >> 27
    z = z * 0x94D049BB133111EB & MASK
    return z ^ z >> 31


def key_hash(seed, key):
    return finalise(seed + 0x9E3779B97F4A7C15 * (1 + key) & MASK)


def cell_hash(seed, x, y, z=None):
    return key_hash(seed, x + (y << 32) if z is None else x + (y << 21) + (z << 42))


class Automaton:
    """A life-like automaton on the members alone; every other cell is dead and no neighbour. One bit a cell in one whole
    number, with a dead column, row and layer between; neighbours are shifts, their counts bit planes."""

    def __init__(self, members, extent, around, rule):
        born, survives = rule.upper().split("/")
        self.born, self.survives = [int(c) for c in born[1:]], [int(c) for c in survives[1:]]
        *self.strides, self.places = itertools.accumulate((n + 1 for n in extent), int.__mul__, initial=1)
        self.around = [self.place(offset) for offset in around]
        self.members, self.alive = members, 0
        self.all = self.gather(members)

    def place(self, cell):
        return sum(c * stride for c, stride in zip(cell, self.strides))

    def gather(self, cells):
        bits = bytearray(self.places // 8 + 1)
        for cell in cells:
            place = self.place(cell)
            bits[place >> 3] |= 1 << (place & 7)
        return int.from_bytes(bits, "little")

    def randomise(self, seed=7, density=0.5):
        self.alive = self.gather(c for c in self.members if (cell_hash(seed, *c) >> 11) * 2.0**-53 < density)
        return self

    def step(self, count=1):
        for _ in range(count):
            planes = [0, 0, 0, 0]
            for offset in self.around:
                carry = self.alive << offset if offset > 0 else self.alive >> -offset
                for i in range(4):
                    planes[i], carry = planes[i] ^ carry, planes[i] & carry
            self.alive = self.where(planes, self.born, self.all & ~self.alive) | self.where(planes, self.survives, self.alive)
        return self

    @staticmethod
    def where(planes, counts, candidates):
        found = 0
        for count in counts:
            match = candidates
            for i, plane in enumerate(planes):
                match &= plane if count >> i & 1 else ~plane
            found |= match
        return found

    def cells(self):
        """The living ones."""
        bits = self.alive.to_bytes(self.places // 8 + 1, "little")
        return [cell for cell in self.members if bits[(place := self.place(cell)) >> 3] >> (place & 7) & 1]

    def count(self):
        return self.alive.bit_count()


AROUND = [(x, y) for y in (-1, 0, 1) for x in (-1, 0, 1) if x or y]


class Life(Automaton):
    def __init__(self, fractal, rule="B3/S23"):
        self.fractal = fractal
        members = [(x, y) for y, line in enumerate(fractal.picture) for x, mark in enumerate(line) if mark == "#"]
        super().__init__(members, (fractal.width, fractal.height), AROUND, rule)

    def load(self, rows):
        self.alive = self.gather((x, y) for y, row in enumerate(rows) for x, v in enumerate(row) if v)
        assert self.alive & ~self.all == 0
        return self

    def rows(self):
        out = [bytearray(self.fractal.width) for _ in range(self.fractal.height)]
        for x, y in self.cells():
            out[y][x] = 1
        return [bytes(row) for row in out]

    def seal(self):
        return seal(self.fractal, self.rows())


PRIME = (1 << 61) - 1


def word_digits(k, level):
    """(base digits q, digits G of a block of words) of a state sliced by its top digits."""
    lane = 1
    while k**lane < 0.87 * 32 * -(-(k**lane) // 32):
        lane += 1
    block = 1
    while k ** (block + 1) <= 32:
        block += 1
    block = min(block, level)
    return level - min(lane, level - block), block


def seal(fractal, rows):
    """The sum over live cells of 2^(l mod 32) V(i) Z(l div 32) U(T) modulo 2^61 - 1, as docs/scenes/fractals.md states it."""
    k, (base, block) = fractal.k, word_digits(fractal.k, fractal.level)
    number = {}  # of each mark of the mask, row by row
    for v, row in enumerate(fractal.rows):
        for u, mark in enumerate(row):
            if mark == "#":
                number[u, v] = len(number)
    total = 0
    for y, row in enumerate(rows):
        for x, alive in enumerate(row):
            if not alive:
                continue
            cell = 0
            for digit in range(fractal.level):
                u, v = x // fractal.side_x**digit % fractal.side_x, y // fractal.side_y**digit % fractal.side_y
                cell += number[u, v] * k**digit
            lane, word = divmod(cell, k**base)
            tile, place = divmod(word, k**block)
            total += (2 ** (lane % 32) * (key_hash(0x56, place) >> 10) * (key_hash(0x5A, lane // 32) % PRIME)
                      * (key_hash(0x55, tile) % PRIME))
    return f"{total % PRIME:016x}"


def membership(fractal):
    return [bytes(mark == "#" for mark in line) for line in fractal.picture]
