# ---- The work: the number one to every cell

value, folds, reads_state, per_block = np.uint32, False, False, False


def serial(state):
    return np.where(cells, 1, 0), 1
