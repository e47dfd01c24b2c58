"""NumPy files, pictures and masks, read and written without the program. Standard library only."""

import array
import ast
import math
import struct
import zlib
from pathlib import Path

KINDS = {"|u1": "B", "|b1": "B", "<i4": "i", "<u4": "I", "<i8": "q", "<u8": "Q", "<f4": "f", "<c8": "f", "<f8": "d"}


def write_array(path, dtype, shape, values, fortran=False, version=1):
    """`values` in the order of the file; their number need not fit the shape."""
    prefix, code = (10, "<H") if version == 1 else (12, "<I")
    header = f"{{'descr': '{dtype}', 'fortran_order': {fortran}, 'shape': {tuple(shape)}, }}"
    header = header.ljust((prefix + len(header) + 64) // 64 * 64 - prefix - 1) + "\n"
    start = b"\x93NUMPY" + bytes([version, 0]) + struct.pack(code, len(header)) + header.encode()
    Path(path).write_bytes(start + array.array(KINDS[dtype], values).tobytes())


def write_rows(path, rows, dtype="|u1", fortran=False, version=1):
    """Rows of equal length; fortran stores columns first."""
    order = zip(*rows) if fortran else rows
    write_array(path, dtype, (len(rows), len(rows[0])), [value for line in order for value in line], fortran, version)


def read_array(path):
    """(dtype, shape, values) of a file in C order; a complex number is two values."""
    data = Path(path).read_bytes()
    assert data[:6] == b"\x93NUMPY", path
    prefix, code = (10, "<H") if data[6] == 1 else (12, "<I")
    (length,) = struct.unpack(code, data[8:prefix])
    assert (prefix + length) % 64 == 0, f"{path}: header is not padded to 64 bytes"
    header = ast.literal_eval(data[prefix : prefix + length].decode("latin1"))
    dtype, shape = header["descr"], tuple(header["shape"])
    values = array.array(KINDS[dtype], data[prefix + length :])
    assert not header["fortran_order"] and len(values) == math.prod(shape) * (1 + (dtype == "<c8")), f"{path}: {header}"
    return dtype, shape, values


def read_rows(path):
    """(dtype, shape, rows) of a file of two axes; rows are bytes, or tuples of larger numbers."""
    dtype, shape, values = read_array(path)
    height, width = shape
    rows = [values[i * width : (i + 1) * width] for i in range(height)]
    return dtype, shape, [row.tobytes() if dtype == "|u1" else tuple(row) for row in rows]


def png_chunks(path):
    data = Path(path).read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n", path
    at, chunks = 8, []
    while at < len(data):
        (length,) = struct.unpack(">I", data[at : at + 4])
        kind, body = data[at + 4 : at + 8], data[at + 8 : at + 8 + length]
        assert data[at : at + 12 + length] == png_chunk(kind, body), f"{path}: checksum of {kind}"
        chunks.append((kind.decode(), body))
        at += 12 + length
    assert chunks[-1][0] == "IEND"
    return chunks


def png_texts(path):
    """iTXt chunks: keyword -> (compressed, text)."""
    texts = {}
    for kind, body in png_chunks(path):
        if kind == "iTXt":
            keyword, rest = body.split(b"\0", 1)
            compressed, rest = rest[0] == 1, rest[2:]
            _, _, text = rest.split(b"\0", 2)
            texts[keyword.decode()] = (compressed, (zlib.decompress(text) if compressed else text).decode())
    return texts


def png_size(path):
    return struct.unpack(">II", png_chunks(path)[0][1][:8])


def png_chunk(kind, body):
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def png_head(width, height):
    """The start of a grey picture."""
    return b"\x89PNG\r\n\x1a\n" + png_chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))


def write_grey_png(path, rows):
    data = zlib.compress(b"".join(b"\0" + bytes(row) for row in rows))
    Path(path).write_bytes(png_head(len(rows[0]), len(rows)) + png_chunk(b"IDAT", data) + png_chunk(b"IEND", b""))


def write_mask(path, rows, name="User's mask", **more):
    lines = [f'name = "{name}"', "rows = [" + ", ".join(f'"{r}"' for r in rows) + "]"]
    Path(path).write_text("\n".join(lines + [f'{k} = "{v}"' for k, v in more.items()]) + "\n")
