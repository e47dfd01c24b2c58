# ---- The work: the sum over all cells

value, folds = np.uint8, True


def serial(state):
    return int(np.count_nonzero(state[cells])), 1
