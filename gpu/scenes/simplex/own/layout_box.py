# ---- The layout: the whole box, row by row

addresses, elements = (whole.z * n + whole.y) * n + whole.x, n**dimensions
