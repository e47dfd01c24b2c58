# ---- The layout: cells in linear order

addresses, elements = index(state_of.x, state_of.y, state_of.z), 0 if folds else len(state_of.x)
