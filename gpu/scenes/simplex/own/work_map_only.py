# ---- The work: folds every cell into one word, and touches no state

value, folds, reads_state, per_block = np.uint8, True, False, False


def serial(state):
    return whole_sum(whole.keys.astype(np.uint64)) % 2**64, 1
