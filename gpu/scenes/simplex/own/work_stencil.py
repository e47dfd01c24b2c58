# ---- The work: the mean over a cell and its neighbours inside, 9 or 27 places

value, folds, reads_state, per_block = np.float32, False, True, False


def sum_around(box):
    """Sums of three along y, then along x, then along z."""
    padded = np.pad(box, 1)
    for axis in (-2, -1, -3)[:dimensions]:
        first, second, third = (np.take(padded, range(i, i + n), axis) for i in range(3))
        padded = first + second + third
    return padded


def serial(state):
    places = sum_around(cells.astype(np.float32))
    mean = sum_around(state) * (np.float32(1) / np.maximum(places, np.float32(1)))
    return np.where(cells, mean, np.float32(0)), 1
