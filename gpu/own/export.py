# ---- Numbers and records that every exported track has

prime = 2**61 - 1


def key_hash(seed, keys):
    """splitmix64 of the seed and each key, modulo 2^64: the same numbers as in the kernels."""
    z = np.uint64(seed) + np.uint64(0x9E3779B97F4A7C15) * (keys.astype(np.uint64) + np.uint64(1))
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def chosen(hashes):
    """True with the probability `density`."""
    return (hashes >> np.uint64(11)).astype(np.float64) * 2.0**-53 < density


def folded(x):
    """Any 64-bit number modulo the prime."""
    x = (x & np.uint64(prime)) + (x >> np.uint64(61))
    return np.where(x >= prime, x - np.uint64(prime), x)


def product(a, b):
    """a b modulo the prime, by halves of 31 bits; 2^62 is 2 there, and 2^61 is 1."""
    bits, low = np.uint64(31), np.uint64(2**31 - 1)
    a_high, a_low, b_high, b_low = a >> bits, a & low, b >> bits, b & low
    middle = a_high * b_low + a_low * b_high
    middle = (middle >> np.uint64(30)) + ((middle & np.uint64(2**30 - 1)) << bits)
    return folded(folded(a_high * b_high * np.uint64(2)) + folded(a_low * b_low) + folded(middle))


def times_power(a, power):
    """a 2^power modulo the prime, with a below it and power below 61: the bits go round."""
    return folded((a << power & np.uint64(prime)) | a >> (np.uint64(61) - power))


def whole_sum(values):
    """The sum of 64-bit numbers, as a number of any size."""
    low, high = values & np.uint64(2**32 - 1), values >> np.uint64(32)
    return int(low.sum(dtype=np.uint64)) + (int(high.sum(dtype=np.uint64)) << 32)


def divider(d):
    """What a kernel divides 32-bit numbers by d with: a high product and two shifts (Granlund, Montgomery 1994)."""
    if d <= 1:
        return d, 1, 0, 0
    log = (d - 1).bit_length()
    return d, ((2**log - d) * 2**32 // d + 1) % 2**32, 1, log - 1


# The same bytes as the structures of the kernels have; align=True leaves the gaps that C++ leaves.
divider_type = np.dtype([("divisor", "u4"), ("magic", "u4"), ("shift_1", "u1"), ("shift_2", "u1")], align=True)
index_type = np.dtype([("x", "u4"), ("y", "u4"), ("z", "u4")], align=True)
rule_type = np.dtype([("born", "u2"), ("survive", "u2")], align=True)
memory_type = np.dtype([(name, "u8") for name in (
    "in", "out", "sums", "placing", "table", "points", "once", "twice", "owner", "served", "useful", "threads",
    "tallies", "notes", "serving")], align=True)
launches_type = np.dtype([("count", "i4"), ("turns", "i4"), ("threads", index_type), ("grids", index_type, 256)],
                         align=True)
launch_type = np.dtype([("shape", "u8"), ("launch", "i4"), ("turns", "i4"), ("first_visit", "u8"),
                        ("blocks", index_type), ("folded", "?")], align=True)


def arguments_type(*more):
    """The structure that a kernel is given: what all scenes have, then the scene's own."""
    return np.dtype([("memory", memory_type), ("tests", "?"), ("by_number", "?"), *more], align=True)


def beside(file):
    """The array of a .npy file beside this one."""
    return np.load(os.path.join(os.path.dirname(os.path.abspath(__file__)), file))
