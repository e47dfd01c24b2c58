#!/usr/bin/env python3
"""Runs the acceptance on a machine with an NVIDIA GPU and prints a table. Builds nothing.

    scripts/gpu_acceptance.py PROGRAM OUTPUT_FOLDER [PART...]

Parts: doctor, seals, works, interop, window, sizes, sanitizer, bench. All without any. The window part needs a display
(an X server, real or virtual). Standard library only.
"""
import json
import shutil
import struct
import subprocess
import sys
import time
import zlib

from gpu_tools import check, failures, finish, out, program, run, stats_of

parts = sys.argv[3:] or ["doctor", "seals", "works", "interop", "window", "sizes", "sanitizer", "bench"]
def legal_sides(side_x, side_y, level):
    sides, threads, side = [], 1, 1
    for _ in range(level + 1):
        if threads > 1024:
            break
        sides.append(side)
        threads, side = threads * side_x * side_y, side * side_x
    return sides


def pixels(file):
    """Decodes a PNG of eight bits per channel: (width, height, rows)."""
    data = file.read_bytes()
    at, body = 8, b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        chunk = data[at + 8:at + 8 + length]
        if kind == b"IHDR":
            width, height, _, colour = struct.unpack(">IIBB", chunk[:10])
        if kind == b"IDAT":
            body += chunk
        at += 12 + length
    size = {2: 3, 6: 4}[colour]
    raw, rows, previous = zlib.decompress(body), [], bytearray(width * size)
    for y in range(height):
        line = raw[y * (width * size + 1):(y + 1) * (width * size + 1)]
        row = bytearray(line[1:])
        for i in range(len(row)):
            a = row[i - size] if i >= size else 0
            b = previous[i]
            c = previous[i - size] if i >= size else 0
            if line[0] == 1:
                row[i] = (row[i] + a) & 255
            elif line[0] == 2:
                row[i] = (row[i] + b) & 255
            elif line[0] == 3:
                row[i] = (row[i] + (a + b) // 2) & 255
            elif line[0] == 4:
                p = a + b - c
                pa, pb, pc = abs(p - a), abs(p - b), abs(p - c)
                row[i] = (row[i] + (a if pa <= pb and pa <= pc else b if pb <= pc else c)) & 255
        rows.append(bytes(row))
        previous = row
    return width, height, rows


fractals = json.loads(run("list", "fractals", "--json").stdout)
tracks = [row["key"] for row in json.loads(run("list", "maps", "--json").stdout) if row["scene"] == "fractal"]
masks = {}
for row in fractals:
    side = row["s"].split("x")
    masks[row["key"]] = (int(side[0]), int(side[-1]), int(row["k"]))


def part_doctor():
    print(run("doctor").stdout)
    doctor = json.loads(run("doctor", "--json").stdout)
    (out / "doctor.json").write_text(json.dumps(doctor, indent=1))
    check("interop probe headless", doctor["interop"] == "gl", doctor["interop_reason"])
    ratio = doctor["present_ms"] / doctor["bare_interop_ms"]
    check("present path at 1080p", ratio <= 1.2, f"{doctor['present_ms']:.3f} ms / {doctor['bare_interop_ms']:.3f} ms = {ratio:.2f}")


def part_seals():
    four = "tracks=bounding_box,lambda_serial,lambda_table/unroll,lambda_shuffle/lookup"
    runs = 0
    for key, (x, y, k) in masks.items():
        equal = True
        for side in legal_sides(x, y, 5):
            both = [stats_of("run", "fractal", "--backend", b, "--set", f"fractal={key}", "--set", "level=5", "--set", f"block={side}",
                             "--set", four, "--frames", 32) for b in ("cuda", "cpu")]
            seals = {track["seal"] for s in both for track in s["tracks"]}
            equal = equal and len(seals) == 1 and all(track["threads"]["useful"] == k**5 for s in both for track in s["tracks"])
            runs += 1
        check(f"seals equal, CUDA and CPU, {key}", equal)
    seals = [stats_of("run", "fractal", "--backend", b, "--set", "level=10", "--set", "seed=7", "--set", "density=0.5", "--set", "rule=B3/S23",
                      "--frames", 32)["tracks"][0]["seal"] for b in ("cuda", "cpu")]
    check("gasket level 10, 32 steps", seals[0] == seals[1], " ".join(seals))


def part_works():
    for work in ("life", "single_write", "reduction", "map_only"):
        results = set()
        for first in range(0, len(tracks), 3):
            group = ["bounding_box", *[track for track in tracks[first:first + 3] if track != "bounding_box"]]
            for b in ("cuda", "cpu"):
                s = stats_of("run", "fractal", "--backend", b, "--set", "level=9", "--set", f"work={work}", "--set", "tracks=" + ",".join(group), "--frames", 8)
                results |= {(track["seal"], track["agrees"]) for track in s["tracks"]}
        check(f"work {work}, all tracks, both backends", len(results) == 1, str(results))


def part_interop():
    scene = out / "scene.toml"
    scene.write_text('schema = 1\nscene = "fractal"\n[parameters]\nlevel = 10\n[run]\nsteps = 20\n[view]\npanels = "off"\n')
    pictures = {}
    for mode in ("gl", "staged"):
        file = out / f"{mode}.png"
        run("run", "--scene-file", scene, "--backend", "cuda", "--interop", mode, "--frames", 3, "--capture", file, "--size", "1280x720")
        pictures[mode] = pixels(file) if file.exists() else None
    check("gl and staged give identical pixels", pictures["gl"] is not None and pictures["gl"] == pictures["staged"])
    file = out / "cpu.png"
    run("run", "--scene-file", scene, "--backend", "cpu", "--frames", 3, "--capture", file, "--size", "1280x720")
    run("run", "fractal", "--backend", "cuda", "--set", "level=16", "--frames", 8, "--capture", out / "level16.png", "--overlay", "--stats", out / "level16.json", timeout=120)
    s = json.loads((out / "level16.json").read_text())
    print("frame at level 16, 1600x900:", s["frame"])


def part_window():
    began = time.time()
    run("view", "fractal", "--backend", "cuda", "--frames", 240, "--size", "1600x900", "--overlay", "--capture", out / "window.png", "--stats", out / "window.json", timeout=120)
    s = json.loads((out / "window.json").read_text())
    check("window under an X server, interop gl", s["environment"]["interop"] == "gl", f"{s['environment']['gl_renderer']}, {time.time() - began:.1f} s, frame {s['frame']}")
    doctor = json.loads(run("doctor", "--json").stdout)
    check("doctor sees the window", doctor["window"] is not None, str(doctor["window"]))


def part_sizes():
    print("gasket r = 16, median ms of 30 frames at each block side; ratio at best sides")
    table = {}
    for work in ("single_write", "reduction", "life"):
        best = {}
        for side in (4, 8, 16, 32):
            for group in (["bounding_box", "lambda_serial", "lambda_table", "lambda_shuffle"], ["bounding_box", "lambda_serial/unroll", "lambda_table/lookup", "lambda_shuffle/lookup"]):
                s = stats_of("run", "fractal", "--backend", "cuda", "--set", "level=16", "--set", f"work={work}", "--set", f"block={side}", "--set",
                             "tracks=" + ",".join(group), "--frames", 40, "--warmup", 10)
                if not s:
                    continue
                for track in s["tracks"]:
                    kernel = next(k for k in track["kernels"] if k["name"] == f"fractal.{work}")
                    table[f"{work} {track['name']} {side}"] = kernel["median_ms"]
                    if track["agrees"] and kernel["median_ms"] < best.get(track["name"], (1e9, 0))[0]:
                        best[track["name"]] = (kernel["median_ms"], side, kernel["p5_ms"], kernel["p95_ms"])
        base = best["bounding_box"]
        for name, (ms, side, low, high) in sorted(best.items(), key=lambda item: item[1]):
            print(f"  {work:13s} {name:22s} block {side:2d}  {ms:8.4f} ms  [{low:.4f}, {high:.4f}]  {base[0] / ms:6.2f}x", flush=True)
    (out / "sizes.json").write_text(json.dumps(table, indent=1))


def part_sanitizer():
    tool = shutil.which("compute-sanitizer") or "/usr/local/cuda/bin/compute-sanitizer"
    groups = [tracks[i:i + 4] for i in range(0, len(tracks), 4)]
    for check_name in ("memcheck", "racecheck"):
        clean, total = True, 0
        for work in ("life", "single_write", "reduction", "map_only"):
            for key, level in (("sierpinski_gasket", 4), ("sierpinski_carpet", 3)):
                for group in groups:
                    result = subprocess.run([tool, "--tool", check_name, "--error-exitcode", "9", program, "run", "fractal", "--backend", "cuda", "--set", f"fractal={key}", "--set", f"level={level}",
                                             "--set", f"work={work}", "--set", "tracks=" + ",".join(group), "--frames", "2", "--dump", str(out / "dump")], capture_output=True, text=True, timeout=280)
                    total += 1
                    if result.returncode:
                        clean = False
                        print(result.stdout[-1500:], result.stderr[-500:])
        check(f"compute-sanitizer {check_name}", clean, f"{total} runs")
        result = subprocess.run([tool, "--tool", check_name, "--error-exitcode", "9", program, "run", "fractal", "--backend", "cuda", "--set", "level=6", "--frames", "2", "--interop", "staged", "--size", "640x480", "--capture", str(out / "sanitized.png")], capture_output=True, text=True, timeout=280)
        check(f"compute-sanitizer {check_name}, pictures", result.returncode == 0, (result.stdout[-900:] + result.stderr[-300:]) if result.returncode else "")


def part_bench():
    result = run("bench", "ceilings", "fractal", "--backend", "cuda", "--stats", out / "bench.json", timeout=500)
    (out / "bench.txt").write_text(result.stdout)
    print(result.stdout[-7000:])


finish({name[5:]: body for name, body in globals().items() if name.startswith("part_")}, parts)
