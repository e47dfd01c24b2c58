# ---- The work: a step of a life-like automaton, on the 8 neighbours of a triangle or the 6 of a tetrahedron

value, folds, reads_state, per_block = np.uint8, False, True, False


def serial(state):
    """What lies outside is dead."""
    padded = np.pad(state, 1)
    around = np.zeros(state.shape, np.int64)
    for step in np.ndindex((3,) * dimensions):
        steps = sum(abs(axis - 1) for axis in step)
        if steps == 1 or (steps > 0 and dimensions == 2):
            around += padded[tuple(slice(axis, axis + n) for axis in step)]
    return np.where(cells, np.where(state, survive, born) >> around & 1, 0), 1
