# ---- The fractal: its cells, its start state, its seal

side_x, side_y = len(mask[0]), len(mask)
copies = [(x, y) for y in range(side_y) for x in range(side_x) if mask[y][x] == "#"]
copy_at = np.array([[copies.index((x, y)) if (x, y) in copies else 255 for x in range(side_x)] for y in range(side_y)])
width, height = side_x**level, side_y**level


def power_of(picture):
    """The mask in the place of each of its own marks, and so on."""
    power = np.ones((1, 1), bool)
    for _ in range(level):
        power = np.kron(power, picture)
    return power


cells = power_of(copy_at != 255)  # [y, x]
cell_y, cell_x = np.nonzero(cells)
# What own_visits counts: every place of the box, and all outside of it.
counted, counts = np.flatnonzero(cells), cells.size + 1
points = np.zeros(0, np.float32)


def number_of(x, y, digits):
    """The number of a cell or block: which copy it lies in, digit by digit, the lowest first."""
    number = np.zeros(x.shape, np.uint64)
    for i in range(digits):
        number += np.uint64(len(copies)**i) * copy_at[y % side_y, x % side_x].astype(np.uint64)
        x, y = x // side_x, y // side_y
    return number


def start_state():
    state = np.zeros(cells.shape, value)
    if start_file:
        state[cells] = beside(start_file)[cells]
    else:
        state[cells] = chosen(key_hash(seed, cell_x + (cell_y << 32)))
    return state


def live(state):
    return int(np.count_nonzero(state[cells]))


def seal(state):
    """Of the live cells, modulo 2^61 - 1. A number has digits of its place in a block of words, of the block, and of
    its lane."""
    k = len(copies)
    lanes = 0
    while lanes == 0 or k**lanes < .87 * ((k**lanes + 31) // 32 * 32):
        lanes += 1
    block = 1
    while k**(block + 1) <= 32:
        block += 1
    block = min(block, level)
    in_block, words = np.uint64(k**block), np.uint64(k**(level - min(lanes, level - block)))
    alive = state[cells] != 0
    number = number_of(cell_x[alive], cell_y[alive], level)
    lane = number // words
    part = product(key_hash(0x56, number % in_block) >> np.uint64(10), folded(key_hash(0x5A, lane // np.uint64(32))))
    part = product(part, folded(key_hash(0x55, number % words // in_block)))
    return whole_sum(times_power(part, lane % np.uint64(32))) % prime


domain_type = np.dtype([
    ("side_x", "u4"), ("side_y", "u4"), ("copies", "u4"), ("level", "i4"), ("extent", index_type),
    ("power_x", divider_type, 32), ("power_y", divider_type, 32), ("power_k", divider_type, 32), ("powers_of_k", "i4"),
    ("replica", "u1", 64), ("packed_replicas", "u8"), ("copy_at", "u1", 64), ("hole_x", "u1"), ("hole_y", "u1")],
    align=True)


def arguments():
    """FractalArguments."""
    given = np.zeros(1, arguments_type(("domain", domain_type), ("block_digits", "i4"), ("rule", rule_type)))
    given["tests"], given["block_digits"], given["rule"] = True, block_digits, (born, survive)
    domain, k = given["domain"][0], len(copies)
    domain["side_x"], domain["side_y"], domain["copies"], domain["level"] = side_x, side_y, k, level
    domain["extent"] = (width, height, 1)
    for name, side in ("power_x", side_x), ("power_y", side_y):
        domain[name][:] = divider(1)
        for i in range(max(level, 1) + 1):
            domain[name][i] = divider(side**i)
    domain["power_k"][:] = divider(1)
    while domain["powers_of_k"] < 32 and k**int(domain["powers_of_k"]) < 2**32:
        domain["power_k"][domain["powers_of_k"]] = divider(k**int(domain["powers_of_k"]))
        domain["powers_of_k"] += 1
    domain["replica"][:k] = [x | y << 4 for x, y in copies]
    domain["packed_replicas"] = sum((x | y << 3) << (6 * i) for i, (x, y) in enumerate(copies[:10]))
    domain["copy_at"] = 255
    domain["copy_at"][:copy_at.size] = copy_at.ravel()
    holes = [(x, y) for y in range(side_y) for x in range(side_x) if (x, y) not in copies]
    domain["hole_x"], domain["hole_y"] = holes[0] if (side_x, side_y, k) == (2, 2, 3) else (2, 2)
    return given
