# ---- The storage: a byte a place of the box

addresses, elements = cell_y * width + cell_x, width * height
