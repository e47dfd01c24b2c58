# ---- The work: a step of a life-like automaton

value, folds = np.uint8, False


def serial(state):
    """Only cells of the fractal count; outside of it nothing lives."""
    padded = np.pad(state, 1)
    around = sum(padded[1 + v:1 + v + height, 1 + u:1 + u + width] for v in (-1, 0, 1) for u in (-1, 0, 1) if u or v)
    return np.where(cells, np.where(state, survive, born) >> around & 1, 0), 1
