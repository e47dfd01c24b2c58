# ---- The simplex: its cells, its start state, its seal


class Simplex:
    """So many cells or blocks a side; arrays of the box around it have the order [y, x] or [z, y, x]."""

    def __init__(self, side):
        self.side, self.shape = side, (side,) * dimensions
        *deep, y, x = np.indices(self.shape)
        z = deep[0] if deep else np.zeros_like(x)
        self.cells = self.holds(x, y, z)
        self.x, self.y, self.z = x[self.cells], y[self.cells], z[self.cells]
        self.keys = self.x | self.y << 32 if dimensions == 2 else self.x | self.y << 21 | self.z << 42

    def holds(self, x, y, z):
        if dimensions == 2:
            return x <= y
        return x + y + z < self.side if corner else (x <= y) & (y <= z)


def stacked(x, y, z):
    """From the corner tetrahedron to x <= y <= z."""
    return (x, x + y, x + y + z) if corner else (x, y, z)


def index(x, y, z):
    """The linear number of a cell or block: whole planes, then whole rows."""
    x, y, z = stacked(x, y, z)
    return z * (z + 1) * (z + 2) // 6 * (dimensions == 3) + y * (y + 1) // 2 + x


whole = Simplex(n)
blocks = (n + rho - 1) // rho
# What has a value: a cell, or a block where a work sums over blocks.
state_of = Simplex(blocks) if per_block else whole
cells = state_of.cells
# What own_visits counts: cells by their numbers.
counts = len(whole.x)
counted = np.arange(counts)

points = np.zeros(0, np.float32)
if point_count:
    which = np.arange(point_count)
    points = np.zeros((point_count, 2 if dimensions == 2 else 4), np.float32)  # a load is of 8 or 16 bytes
    for axis in range(dimensions):
        points[:, axis] = (key_hash(seed, which + (axis << 32)) >> np.uint64(40)).astype(np.float32) * 2.0**-24
    if points_file:
        points[:, :dimensions] = beside(points_file)


def start_state():
    state = np.zeros(cells.shape, value)
    hashes = key_hash(seed, state_of.keys)
    if reads_state and value == np.float32:
        state[cells] = (hashes >> np.uint64(40)).astype(np.float32) * np.float32(2.0**-24)
    elif reads_state:
        state[cells] = beside(start_file)[cells] != 0 if start_file else chosen(hashes)
    return state


def live(state):
    return int(np.count_nonzero(state[cells])) if reads_state and value == np.uint8 else None


def seal(state):
    """The sum of the bits of each value, times the hash of its place, modulo 2^64."""
    if folds:
        return 0
    values = state[cells]
    bits = values.view(np.uint32) if value == np.float32 else values
    there = values != 0
    return int((bits[there].astype(np.uint64) * key_hash(0, state_of.keys[there])).sum(dtype=np.uint64))


domain_type = np.dtype([("n", "u4"), ("blocks", "u4"), ("rho", divider_type), ("corner", "?")], align=True)


def arguments():
    """SimplexRun."""
    given = np.zeros(1, arguments_type(("domain", domain_type), ("value_bytes", "u4"), ("rule", rule_type)))
    given["tests"], given["value_bytes"], given["rule"] = True, np.dtype(value).itemsize, (born, survive)
    given["domain"] = (n, blocks, divider(rho), corner)
    return given
