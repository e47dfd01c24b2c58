# ---- The work: the Euclidean distance of points x and y at cell (x, y)

value, folds, reads_state, per_block = np.float32, False, False, False


def serial(state):
    """Rounded to 32 bits after each operation."""
    x, y = points[:, 0], points[:, 1]
    square = np.square(x[None, :] - x[:, None]) + np.square(y[None, :] - y[:, None])
    return np.where(cells, np.sqrt(square[:n, :n]), np.float32(0)), 1
