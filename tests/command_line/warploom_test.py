"""Runs the program, and an oracle written another way: by recursive copying and plain loops, through no map.

Import it; it tests nothing by itself. Standard library only.
"""

import argparse
import ast
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib
from pathlib import Path

from oracle import ALL_TRACKS, FRACTALS, MASK, MAX_THREADS, Fractal, Life, Settings, cell_hash, finalise, membership, seal  # noqa: F401  the tests take them from here


def write_npy(path, rows, dtype="|u1", fortran=False, version=1):
    """uint8 or bool rows; fortran stores columns first."""
    height, width = len(rows), len(rows[0])
    header = f"{{'descr': '{dtype}', 'fortran_order': {fortran}, 'shape': ({height}, {width}), }}"
    prefix = 10 if version == 1 else 12
    header = header.ljust((prefix + len(header) + 64) // 64 * 64 - prefix - 1) + "\n"
    length = struct.pack("<H" if version == 1 else "<I", len(header))
    data = bytes(rows[y][x] for x in range(width) for y in range(height)) if fortran else b"".join(bytes(r) for r in rows)
    Path(path).write_bytes(b"\x93NUMPY" + bytes([version, 0]) + length + header.encode("latin1") + data)


def read_npy(path):
    """(dtype, shape, rows) of a two-dimensional file in C order."""
    data = Path(path).read_bytes()
    assert data[:6] == b"\x93NUMPY", path
    prefix, code = (10, "<H") if data[6] == 1 else (12, "<I")
    (length,) = struct.unpack(code, data[8:prefix])
    assert (prefix + length) % 64 == 0, f"{path}: header is not padded to 64 bytes"
    header = ast.literal_eval(data[prefix : prefix + length].decode("latin1"))
    body = data[prefix + length :]
    shape, dtype = tuple(header["shape"]), header["descr"]
    assert not header["fortran_order"] and len(shape) == 2, header
    size = {"|u1": 1, "<i4": 4}[dtype]
    assert len(body) == shape[0] * shape[1] * size, f"{path}: {len(body)} bytes for {header}"
    line = shape[1] * size
    rows = [body[i * line : (i + 1) * line] for i in range(shape[0])]
    if size == 4:
        rows = [struct.unpack(f"<{shape[1]}i", row) for row in rows]
    return dtype, shape, rows


def png_chunks(path):
    data = Path(path).read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n", path
    at, chunks = 8, []
    while at < len(data):
        (length,) = struct.unpack(">I", data[at : at + 4])
        kind, body = data[at + 4 : at + 8], data[at + 8 : at + 8 + length]
        (check,) = struct.unpack(">I", data[at + 8 + length : at + 12 + length])
        assert check == zlib.crc32(kind + body), f"{path}: checksum of {kind}"
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


def write_png(path, width=4, height=4):
    """A plain grey picture that no Warploom made."""

    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    data = zlib.compress((b"\0" + b"\x80" * width) * height)
    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    Path(path).write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", data) + chunk(b"IEND", b""))


def write_mask(path, rows, name="User's mask", **more):
    lines = [f'name = "{name}"', "rows = [" + ", ".join(f'"{r}"' for r in rows) + "]"]
    Path(path).write_text("\n".join(lines + [f'{k} = "{v}"' for k, v in more.items()]) + "\n")


# ---------------------------------------------------------------- the program


class Result:
    def __init__(self, words, code, out, err):
        self.words, self.code, self.out, self.err = words, code, out, err

    def __str__(self):
        return f"$ warploom {' '.join(self.words)}\nexit code {self.code}\nstdout: {self.out[:1500]}\nstderr: {self.err[:3000]}"


class ProgramTest(unittest.TestCase):
    """Every test has a fresh working folder, and configuration and session folders beside it."""

    maxDiff = 2000

    def setUp(self):
        self.base = Path(tempfile.mkdtemp(prefix="warploom-"))
        self.folder = self.base / "work"
        self.folder.mkdir()
        self.addCleanup(shutil.rmtree, self.base, ignore_errors=True)

    def environment(self, **more):
        drop = ("DISPLAY", "WAYLAND_DISPLAY", "NO_COLOR", "CLICOLOR_FORCE")
        env = {k: v for k, v in os.environ.items() if k not in drop}
        env.update(XDG_STATE_HOME=str(self.base / "state"), XDG_CONFIG_HOME=str(self.base / "config"), HOME=str(self.base))
        env.update({k: v for k, v in more.items() if v is not None})
        return env

    def warploom(self, *words, env=None):
        words = [str(w) for w in words]
        try:
            done = subprocess.run(
                [Settings.program, *words], cwd=self.folder, env=env or self.environment(), stdin=subprocess.DEVNULL,
                capture_output=True, timeout=Settings.timeout * (8 if Settings.quick else 1),
            )
        except subprocess.TimeoutExpired:
            raise AssertionError(f"$ warploom {' '.join(words)}\nno end in {Settings.timeout} s") from None
        return Result(words, done.returncode, done.stdout.decode(), done.stderr.decode(errors="replace"))

    def tree(self):
        return {str(p.relative_to(self.folder)): p.stat().st_mtime_ns for p in self.folder.rglob("*")}

    def succeeds(self, *words, silent=True, env=None):
        result = self.warploom(*words, env=env)
        self.assertEqual(result.code, 0, str(result))
        if silent:
            self.assertEqual(result.out, "", f"stdout is for data\n{result}")
        return result

    def fails(self, code, *words, says=(), env=None, says_any=()):
        """The exit code, a message on stderr that holds every one of `says`, nothing on stdout, nothing written."""
        before = self.tree()
        result = self.warploom(*words, env=env)
        self.assertEqual(result.code, code, str(result))
        self.assertEqual(result.out, "", f"stdout is for data\n{result}")
        self.assertTrue(result.err.strip(), f"no message\n{result}")
        for word in says:
            self.assertIn(word.lower(), result.err.lower(), f"the message does not say {word!r}\n{result}")
        if says_any:
            self.assertTrue(any(w.lower() in result.err.lower() for w in says_any), f"none of {says_any} in\n{result}")
        self.assertNotIn("terminate called", result.err, str(result))
        self.assertEqual(self.tree(), before, f"something was written\n{result}")
        return result

    def run_scene(self, *words, stats="s.json", **settings):
        """`run fractal` on the CPU without OpenGL; returns the stats."""
        more = []
        if not any(w == "--capture" or w == "--interop" for w in words):
            more += ["--interop", "none"]
        for key, value in settings.items():
            more += ["--set", f"{key}={','.join(value) if isinstance(value, list) else value}"]
        start = [] if "--scene-file" in words else ["fractal"]
        self.succeeds("run", *start, "--backend", "cpu", *more, *words, "--stats", stats)
        return self.json(stats)

    def json(self, name):
        return json.loads((self.folder / name).read_text(), parse_constant=lambda c: self.fail(f"{name}: {c} is no JSON"))

    def dumped(self, name, folder="d"):
        return read_npy(self.folder / folder / name)

    def dumped_state(self, track=0, folder="d"):
        dtype, _, rows = self.dumped(f"track{track}_state.npy", folder)
        self.assertEqual(dtype, "|u1")
        return rows

    def check_tracks(self, stats, fractal, block, rows=None):
        """Seals, agreement and the closed forms of every track; the seal of `rows` where they are given."""
        seals = {track["seal"] for track in stats["tracks"]}
        self.assertEqual(len(seals), 1, "the tracks' seals differ")
        if rows is not None:
            self.assertEqual(seals, {seal(fractal, rows)}, "the seal is not that of the state")
        for track in stats["tracks"]:
            with self.subTest(track=track["name"], block=block):
                self.assertIs(track["agrees"], True)
                self.assertIsNone(track["diverged_at"])
                launched, useful, wasted = fractal.threads(track["name"], block)
                self.assertEqual(track["threads"], {"launched": launched, "useful": useful, "wasted": wasted})
                launched, useful = fractal.block_counts(track["name"], block)
                self.assertEqual(track["blocks"], {"launched": launched, "useful": useful})
                size = track["grid"][0] * track["grid"][1] * track["grid"][2]
                self.assertEqual(size, launched)
                self.assertEqual(track["launches"], [{"grid": track["grid"], "block": track["block"]}])

    def check_map_blocks(self, fractal, track, name, block, folder="d"):
        dtype, shape, rows = self.dumped(f"track{track}_map_blocks.npy", folder)
        self.assertEqual((dtype, shape[1]), ("<i4", 4))
        launched, useful = fractal.block_counts(name, block)
        self.assertEqual(shape[0], launched)
        self.assertEqual(len({row[:2] for row in rows}), launched, "a block of the grid stands twice")
        origins = [row[2:] for row in rows if row[2:] != (-1, -1)]
        self.assertEqual(len(origins), useful)
        self.assertEqual(set(origins), fractal.useful_origins(block), f"{name}, block {block}")
        if name == "bounding_box":
            height = fractal.block_height(block)
            for w_x, w_y, x, y in rows:
                if (x, y) != (-1, -1):
                    self.assertEqual((x, y), (w_x * block, w_y * height))


FOUR = ["bounding_box", "lambda_serial", "lambda_table/unroll", "lambda_shuffle/lookup"]
OTHERS = [["bounding_box", "lambda_serial/unroll", "lambda_serial/lookup", "lambda_table"],
          ["lambda_table/lookup", "lambda_shuffle", "lambda_shuffle/unroll", "bounding_box"]]
FRAMES = 32


def kernel(track, name):
    return next(k for k in track["kernels"] if k["name"] == name)

OUTPUTS = ("--stats", "s.json", "--dump", "d")
OPTIONS = ("--set", "--scene-file", "--backend", "--interop", "--frames", "--steps-per-frame", "--warmup", "--size", "--theme",
           "--capture", "--overlay", "--stats", "--dump", "--seed")


class RefusalTest(ProgramTest):
    def refused(self, *words, code=2, says=(), says_any=(), frames=1, **settings):
        """`run fractal` with outputs asked for: none may appear."""
        more = [w for key, value in settings.items() for w in ("--set", f"{key}={value}")]
        return self.fails(code, "run", "fractal", "--backend", "cpu", "--interop", "none", "--frames", frames, *more, *words,
                          *OUTPUTS, says=says, says_any=says_any)


def main():
    """--program PATH (or WARPLOOM in the environment), --quick; the rest is unittest's."""
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--program", default=os.environ.get("WARPLOOM"))
    parser.add_argument("--quick", action="store_true", help="fewer sizes, longer time limits: for sanitizer builds")
    parser.add_argument("--timeout", type=float, default=60, help="seconds for one run of the program")
    known, rest = parser.parse_known_args()
    if not known.program:
        sys.exit("which program? --program PATH, or WARPLOOM in the environment")
    Settings.program, Settings.quick, Settings.timeout = os.path.abspath(known.program), known.quick, known.timeout
    unittest.main(module="__main__", argv=[sys.argv[0], *rest])
