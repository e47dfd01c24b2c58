# ---- The work: folds every cell into one word, and touches no state

value, folds = np.uint8, True


def serial(state):
    return (int(cell_x.sum()) + (int(cell_y.sum()) << 32)) % 2**64, 1
