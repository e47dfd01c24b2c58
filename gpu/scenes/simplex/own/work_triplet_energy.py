# ---- The work: the three-body energy of Axilrod and Teller over unique triples of points, a sum per block

value, folds, reads_state, per_block = np.float32, False, False, True


def serial(state):
    """By the law of cosines, with 64 bits. A block adds up (1 + 3 cos a cos b cos c) / (r12 r23 r31)^3 of its triples,
    and nothing of points at one place."""
    x, y, z = stacked(whole.x, whole.y, whole.z)
    places = points[:, :3].astype(np.float64)

    def distance(p, q):
        return np.sqrt(np.square(places[p] - places[q]).sum(axis=1))

    a, b, c = distance(y + 1, z + 2), distance(z + 2, x), distance(x, y + 1)
    apart = (a > 0) & (b > 0) & (c > 0)
    a, b, c = a[apart], b[apart], c[apart]
    cosines = (b**2 + c**2 - a**2) * (c**2 + a**2 - b**2) * (a**2 + b**2 - c**2) / (8 * (a * b * c)**2)
    energy, scale = np.zeros(cells.shape), np.zeros(cells.shape)
    block = tuple((axis // rho)[apart] for axis in (whole.z, whole.y, whole.x))
    np.add.at(energy, block, (1 + 3 * cosines) / (a * b * c)**3)
    np.add.at(scale, block, 1 / (a * b * c)**3)
    return energy, scale
