# ---- The work: a constant to every cell

value, folds = np.uint8, False


def serial(state):
    return np.where(cells, 1, 0), 1
