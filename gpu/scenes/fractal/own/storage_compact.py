# ---- The storage: the tiles that hold cells, one after the other by their numbers

tile_digits = 0
while tile_digits < block_digits and side_x**(tile_digits + 1) <= 32 and side_y**(tile_digits + 1) <= 32:
    tile_digits += 1
tile_width, tile_height = side_x**tile_digits, side_y**tile_digits
pitch = tile_width if tile_width < 8 else (tile_width + 7) // 8 * 8  # a row takes whole words of eight bytes
tile = number_of(cell_x // tile_width, cell_y // tile_height, level - tile_digits).astype(np.int64)
addresses = tile * (pitch * tile_height) + cell_y % tile_height * pitch + cell_x % tile_width
elements = len(copies)**(level - tile_digits) * pitch * tile_height
