# ---- The layout: blocks in linear order, cells row by row inside, blocks at the faces padded


def blocked(x, y, z):
    inside = (z % rho * (dimensions == 3) * rho + y % rho) * rho + x % rho
    return index(x // rho, y // rho, z // rho) * rho**dimensions + inside


addresses, elements = blocked(whole.x, whole.y, whole.z), len(Simplex(blocks).x) * rho**dimensions
