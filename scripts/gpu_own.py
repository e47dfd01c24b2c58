#!/usr/bin/env python3
"""Runs the acceptance of own maps on a machine with an NVIDIA GPU and prints a table. Builds nothing.

    scripts/gpu_own.py PROGRAM OUTPUT_FOLDER [PART...]

Parts: seals, rules, falls, window, saved, times, exports, sanitizer, wild. All without any. Standard library only; exported Python
files are run where Python has NumPy, by a stand-in for CuPy. `saved` needs a display. `wild` comes last: with some drivers no
program that draws and computes works after it (docs/gpu-and-interop.md).
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import threading
import time

from gpu_tools import check, finish, out, program, run, stats_of

parts = sys.argv[3:] or ["seals", "rules", "falls", "window", "saved", "times", "exports", "sanitizer", "wild"]
root = pathlib.Path(__file__).resolve().parent.parent
examples, documented = root / "assets/own", root / "docs/own-maps.md"


def settings(**values):
    return [word for key, value in values.items() for word in ("--set", f"{key}={value}")]


def written(name, text):
    path = out / name
    path.write_text(text)
    return path


def own_of(stats):
    return next((track for track in stats["tracks"] if track["own"]), None) if stats else None


def part_seals():
    runs = [("fractal", "lambda", dict(work=work, tracks=f"lambda_serial,own:lambda{way}"), f"{work} {way}")
            for work in ("life", "single_write", "reduction", "map_only") for way in ("", "/unroll", "/lookup/compact")]
    runs += [("simplex", "rectangle", dict(domain="triangle", n=n, work=work, tracks=f"bounding_box,own:rectangle/{layout}"),
              f"n {n} {work} {layout}")
             for n in (1, 65, 200) for work in ("automaton", "single_write", "distance_matrix", "stencil")
             for layout in ("linear", "blocked", "box")]
    runs += [("simplex", "tetrahedron", dict(domain=domain, n=40, work=work), f"{domain} {work}")
             for domain in ("tetrahedron", "tetrahedron_corner") for work in ("automaton", "triplet_energy")]
    runs += [("fractal", "cells", {}, "by cells"), ("fractal", "life_step", {}, "a kernel")]
    good = 0
    for scene, example, wanted, name in runs:
        s = stats_of("run", scene, "--backend", "cuda", "--frames", 4, "--map", examples / f"{example}.h", *settings(**wanted))
        own = own_of(s)
        fine = own is not None and own["own"]["trusted"] and all(track["agrees"] for track in s["tracks"])
        good += fine
        if not fine:
            check(f"{example} {name}", False, json.dumps(own and own["own"])[:300])
    check("seals and judges", good == len(runs), f"{good} of {len(runs)}")
    shared = re.findall(r"```cpp\n(template <class Group>\nstruct Shared.*?)```", documented.read_text(), re.S)[0]
    s = stats_of("run", "fractal", "--backend", "cuda", "--frames", 12, "--map", written("shared.h", shared),
                 *settings(level=9, tracks="bounding_box,own:shared"))
    check("a kernel with shared memory", own_of(s) and own_of(s)["own"]["trusted"] and all(track["agrees"] for track in s["tracks"]))
    s = stats_of("run", "simplex", "--backend", "cuda", "--frames", 4, "--map", examples / "rectangle_broken.h",
                 *settings(domain="triangle", n=64, block=16), code=3)
    judged = own_of(s)["own"]["judge"]
    check("rectangle_broken, n = 64", (judged["missed"], judged["first_missed"]) == (392, [32, 32]), str(judged))
    s = stats_of("run", "fractal", "--backend", "cuda", "--frames", 3, "--steps-per-frame", 100, "--map", examples / "lambda.h",
                 *settings(level=8))
    check("100 steps a frame", own_of(s) and all(track["agrees"] for track in s["tracks"]))
    for level in (8, 10, 12):
        s = stats_of("run", "fractal", "--backend", "cuda", "--frames", 40, "--warmup", 5, "--steps-per-frame", 100, "--map",
                     examples / "lambda.h", *settings(level=level, tracks="lambda_serial,own:lambda"))
        times = [track["kernels"][0]["median_ms"] for track in s["tracks"]] if s else []
        check(f"100 steps a frame, level {level}", s and all(track["agrees"] for track in s["tracks"]), f"{times} ms a step")


def part_rules():
    """Rules under built-in maps and own ones: the states of the CPU engine, and what they cost beside the built-in life."""
    rows = [("fractal", dict(level=6, tracks=tracks), more) for tracks, more in (
        ("bounding_box,lambda_serial,lambda_serial/lookup,lambda_table", ()),
        ("lambda_table/lookup/compact,lambda_shuffle,lambda_serial/unroll/compact,own:lambda", ("lambda",)),
        ("lambda_tensor_1,lambda_tensor_2,lambda_tensor_3,lambda_tensor_8bit", ()))]
    rows += [("fractal", dict(fractal="sierpinski_carpet", level=4, tracks="bounding_box,lambda_table,lambda_shuffle/lookup"), ())]
    rows += [("simplex", dict(domain=domain, n=n, tracks=tracks), ()) for domain, n, tracks in (
        ("triangle", 65, "bounding_box,root_exact,rectangle/box,recursive/blocked"),
        ("triangle", 200, "h_map,table,stride_walk,root_fp32"),
        ("tetrahedron", 40, "bounding_box,root_exact/blocked,h_map,table/box"),
        ("tetrahedron_corner", 40, "bounding_box,stride_walk,root_fp64"))]
    for scene, wanted, more in rows:
        words = ["run", scene, "--frames", 6, "--map", examples / "seeds.h", *settings(**wanted, work="own:seeds")]
        for example in more:
            words += ["--map", examples / f"{example}.h"]
        here, there = (stats_of(*words, "--backend", backend) for backend in ("cpu", "cuda"))
        seals = [[track["seal"] for track in s["tracks"]] if s else None for s in (here, there)]
        check(f"rule, {scene} {wanted['tracks']}", bool(here) and seals[0] == seals[1] and len(set(seals[0])) == 1
              and all(track["agrees"] for track in there["tracks"]), f"{seals}")
    life = written("life.h", "bool rule(Around a) {\n  unsigned n = 0;\n  for (int dy = -1; dy <= 1; ++dy)\n    for (int dx = -1; dx <= 1; ++dx)\n"
                   "      if (dx != 0 || dy != 0) n += a(dx, dy);\n  return n == 3 || (n == 2 && a() == 1);\n}\n")
    tracks = "bounding_box,lambda_serial,lambda_table/lookup"
    times = {}
    for work in ("life", "own:life"):
        s = stats_of("run", "fractal", "--backend", "cuda", "--frames", 60, "--warmup", 10, "--map", life,
                     *settings(level=14, tracks=tracks, work=work))
        times[work] = [(track["kernels"][0]["median_ms"], track["seal"]) for track in s["tracks"]] if s else []
    for name, builtin, own in zip(tracks.split(","), times["life"], times["own:life"]):
        check(f"life as a rule, {name}", builtin[1] == own[1], f"{own[0]:.4f} ms, built in {builtin[0]:.4f}: {own[0] / builtin[0]:.2f}")


FALLS = {
    "wild_write": ("Place place(Block b, Domain) {\n  *(int*)(0x123456789000 + 4096 * b.x) = 1;\n  return {b.x, b.y};\n}\n", "address"),
    "trap": ("Place place(Block b, Domain) {\n  asm volatile(\"trap;\");\n  return {b.x, b.y};\n}\n", "undefined"),
    "recursion": ("unsigned f(unsigned x) {\n  return x == 99999999 ? x : f(x + 1) + f(x + 2) % 3;\n}\n"
                  "Place place(Block b, Domain) { return {f(b.x), b.y}; }\n", None),
    "endless": ("Place place(Block b, Domain) {\n  for (volatile unsigned i = 0; i < 10; i += b.x > 99) {\n  }\n  return {b.x, b.y};\n}\n", "time"),
    "no_blocks": ("Place grid(Domain) { return {0, 1, 1}; }\nPlace place(Block b, Domain) { return {b.x, b.y}; }\n", "launch"),
    "too_many_blocks": ("Place grid(Domain) { return {70000, 70000, 20}; }\nPlace place(Block b, Domain) { return {b.x, b.y}; }\n", "launch"),
}


def part_falls():
    for name, (text, kind) in FALLS.items():
        file = written("fall.h", text)
        began = time.time()
        s = stats_of("run", "fractal", "--backend", "cuda", "--frames", 4, "--map", file, *settings(level=6), code=3)
        took = time.time() - began
        own = own_of(s)
        fault = own and own["own"]["fault"]
        others = [track for track in s["tracks"] if not track["own"]] if s else []
        check(f"falls: {name}", bool(fault) and (kind is None or fault["kind"] == kind) and bool(others)
              and all(track["agrees"] for track in others) and own["seal"] is None, f"{took:.1f} s {fault}")
    text = "Place place(Block b, Domain) { return {b.x, b.y} }\n"
    result = run("run", "fractal", "--backend", "cuda", "--frames", 1, "--map", written("wrong.h", text), code=1)
    check("an error is told at its line", "wrong.h:1:" in result.stderr, result.stderr.strip()[:200])


def falls_in_a_window(falling, count, name):
    """Falls in one window that draws: typed into its editor, each mended again, other tracks right all along. What it came to, and the
    device's memory meanwhile."""
    good = "Place place(Block b, Domain) { return {b.x, b.y}; }"
    lines = ["scene simplex", "set domain=triangle n=64 tracks=bounding_box,root_exact", "wait built", "play on", "press Ctrl+E",
             "wait 30 frames", "click editor/box", "wait 30 frames", "press Ctrl+Enter", "wait built"]
    for i in range(count):
        for text, agrees in ((falling, "false"), (good, "true")):
            lines += [f'type editor/box.h/code "{text} // {i}"', "press Ctrl+Enter", "wait 3 frames", "wait built", "wait 5 frames",
                      f"check tracks.C.agrees = {agrees}", "check tracks.A.agrees = true", "check tracks.B.agrees = true"]
    script = written(f"{name}.txt", "\n".join(lines) + "\n")
    held = []

    def look():
        while process.poll() is None:
            used = subprocess.run(["nvidia-smi", "--query-gpu=memory.used", "--format=csv,noheader,nounits"], capture_output=True, text=True)
            held.append(int(used.stdout.split()[0]))
            time.sleep(.5)

    began = time.time()
    process = subprocess.Popen([program, "run", "--script", script, "--backend", "cuda", "--capture", out / f"{name}.png", "--size", "900x600"],
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    watching = threading.Thread(target=look)
    watching.start()
    said = process.communicate(timeout=300)[0]
    watching.join()
    return process.returncode, said, held, time.time() - began


def part_window():
    code, said, held, took = falls_in_a_window("Place place(Block b, Domain) { __trap(); return {b.x, b.y}; }", 50, "falls")
    # With the map's process and without it; the last look may be of a program that has ended.
    half = len(held) // 2
    first, last = held[:half], held[half:-1]
    check("50 falls in a window that draws", code == 0 and first and last and max(last) <= max(first) + 64,
          f"{took:.1f} s, exit code {code}; most of the device's memory {max(first, default=0)} then {max(last, default=0)} MiB {said[-300:]}")


def part_wild():
    """A wild address, after which a driver may reset contexts of other processes: it goes on, or says so; it is not ended."""
    wild = "Place place(Block b, Domain) { return {*(unsigned*)(0x123456789000 + 4096 * b.x), b.y}; }"
    code, said, _, took = falls_in_a_window(wild, 1, "wild")
    reset = "the graphics driver reset the drawing context" in said
    check("a wild address in a window that draws", code == 0 or (code == 1 and reset),
          f"{took:.1f} s, exit code {code}, {'the context is lost, and it is said' if reset else 'nothing is lost'} {said[-200:]}")


def part_saved():
    """From the write of a file to the first step of its text, in a window that plays: the median of twenty. Needs a display."""
    text = "// {seed}\nPlace grid(Domain) {{ return {{{wide}, 16, 1}}; }}\nPlace place(Block b, Domain) {{ return {{b.x, b.y}}; }}\n"
    seed, stats = f"{os.getpid()} {time.time()}", out / "saved.json"
    stats.unlink(missing_ok=True)
    file = written("box.h", text.format(seed=seed, wide=20))
    looks = [f"stats {stats}", "wait 1 frames"] * 4000
    script = written("saved.txt", "\n".join(["wait built", "play on", "wait 30 frames", *looks]) + "\n")
    process = subprocess.Popen([program, "view", "fractal", "--map", file, "--script", script, "--size", "900x600",
                                *settings(level=8, block=16, tracks="lambda_serial,own:box")])

    def shown():
        own = own_of(json.loads(stats.read_text())) if stats.exists() else None
        return own and own["blocks"] and own["agrees"] and own["blocks"]["launched"]

    def wait(wide):
        began = time.time()
        while shown() != 16 * wide:
            if process.poll() is not None or time.time() - began > 30:
                raise RuntimeError(f"the text of {wide} columns never ran")
            time.sleep(.002)
        return time.time() - began

    try:
        wait(20)
        took = []
        for wide in [*range(21, 41), 30, 31]:
            time.sleep(.4)
            file.write_text(text.format(seed=seed, wide=wide))
            took.append(wait(wide))
    finally:
        process.kill()
    new, known = sorted(took[:20]), took[20:]
    check("a new text to its first step", new[10] <= .7, f"median {new[10]:.3f} s [{new[0]:.3f}, {new[-1]:.3f}]")
    check("a kept text to its first step", min(known) <= .1, f"{known[0]:.3f}, {known[1]:.3f} s")


def part_times():
    pairs = [("fractal", "lambda", "lambda_serial", dict(fractal="sierpinski_gasket", level=level)) for level in (10, 14, 16)]
    pairs += [("fractal", "lambda", "lambda_serial", dict(fractal="sierpinski_carpet", level=8)),
              ("fractal", "lambda", "lambda_serial", dict(fractal="vicsek", level=9))]
    pairs += [("simplex", "rectangle", "rectangle", dict(domain="triangle", n=n, work="single_write")) for n in (4096, 32768)]
    box = written("box_by_cells.h", "Place cell(Thread t, Domain) { return {t.x, t.y}; }\n")
    pairs += [("fractal", "box_by_cells", "bounding_box", dict(fractal="sierpinski_gasket", level=level)) for level in (14, 16)]
    for scene, example, builtin, wanted in pairs:
        file = box if example == "box_by_cells" else examples / f"{example}.h"
        s = stats_of("run", scene, "--backend", "cuda", "--frames", 60, "--warmup", 10, "--map", file,
                     *settings(**wanted, tracks=f"{builtin},own:{example}"))
        own = own_of(s)
        name = " ".join(map(str, wanted.values()))
        known = own_of(stats_of("run", scene, "--backend", "cuda", "--frames", 60, "--warmup", 10, "--map", file,
                                *settings(**wanted, tracks=f"{builtin},own:{example}", constants="on")))
        if not own:
            check(f"{example}, {name}", False)
            continue
        times = [track["kernels"][0]["median_ms"] if track.get("kernels") else None for track in s["tracks"]]
        ratio = own.get("ratio_to_baseline")
        over = None if not ratio else 1 / ratio["median"]
        told = known and known.get("ratio_to_baseline")
        check(f"{example} over {builtin}, {name}", over is not None and over <= 1.03,
              f"{over and round(over, 3)} {ratio} judged in {own['own']['judge']['ms']:.2f} ms, compiled in "
              f"{own['own']['compile_ms']:.0f} ms {times}; with constants {told and round(1 / told['median'], 3)}")


def part_exports():
    own = {example: ("--map", examples / f"{example}.h") for example in ("lambda", "cells", "rectangle", "tetrahedron")}
    for scene, more, wanted in (
            ("fractal", (), dict(tracks="bounding_box,lambda_serial,lambda_table/lookup/compact,lambda_shuffle", level=7)),
            ("fractal", (), dict(tracks="lambda_tensor_1,lambda_serial", level=12)),
            ("fractal", own["lambda"], dict(tracks="lambda_serial,own:lambda,own:lambda/lookup/compact", level=12)),
            ("fractal", own["cells"], dict(tracks="own:cells", level=7, work="reduction")),
            ("simplex", (), dict(domain="triangle", n=200, tracks="bounding_box,rectangle,root_exact,h_map")),
            ("simplex", own["rectangle"], dict(domain="triangle", n=3000, tracks="rectangle,own:rectangle", work="distance_matrix")),
            ("simplex", own["tetrahedron"], dict(domain="tetrahedron", n=300, tracks="bounding_box,root_exact,own:tetrahedron")),
            ("simplex", (), dict(domain="tetrahedron", n=40, tracks="bounding_box,root_exact,table,stride_walk"))):
        folder = out / "export"
        shutil.rmtree(folder, ignore_errors=True)
        words = [scene, "--backend", "cuda", "--frames", 6, *more, *settings(**wanted)]
        run("export", *words, "--out", folder)
        s = stats_of("run", *words)
        building = []
        for entry in json.loads((folder / "manifest.json").read_text())["files"]:
            process = None
            if entry["file"].endswith(".cu"):
                command = ["nvcc", "-O3", "-std=c++20", "-arch=native", entry["file"], "-o", entry["file"][:-3]]
                process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            if process or entry["file"].endswith(".py"):
                building.append((entry, process))
        for entry, process in building:
            said = process.communicate()[0] if process else ""
            stand_in = pathlib.Path(__file__).resolve().parent.parent / "tests/command_line/cupy_by_driver"
            if process and process.returncode != 0:
                check(f"export {entry['file']}", False, said[:300])
                continue
            command = [folder / entry["file"][:-3]] if process else [sys.executable, entry["file"]]
            ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(stand_in)})
            last = (ended.stdout.strip() or ended.stderr.strip() or said).splitlines()
            last = last[-1] if last else ""
            track = s["tracks"][entry["track"]]
            here = track["kernels"][0]["median_ms"] if track.get("kernels") else None
            check(f"export {entry['file']}", not said and ended.returncode == 0 and f"seal={track['seal']}" in last and "agrees=yes" in last,
                  f"{last} {said[:200]} in the program {here}")


def part_sanitizer():
    for name, words in (("lambda", ("fractal", "--map", examples / "lambda.h", *settings(level=5, tracks="lambda_serial,own:lambda"))),
                        ("life_step", ("fractal", "--map", examples / "life_step.h", *settings(level=5))),
                        ("rectangle", ("simplex", "--map", examples / "rectangle.h", *settings(domain="triangle", n=65)))):
        for tool in ("memcheck", "racecheck"):
            result = subprocess.run(["compute-sanitizer", "--target-processes", "all", "--tool", tool, program, "run", *map(str, words),
                                     "--backend", "cuda", "--frames", "2"], capture_output=True, text=True, timeout=300)
            said = [line for line in (result.stdout + result.stderr).splitlines() if "SUMMARY" in line]
            # Its exit code is that of a host that was ended, too.
            check(f"{tool}, {name}", said and all(": 0 " in line for line in said), " ".join(said))


finish({name[5:]: body for name, body in globals().items() if name.startswith("part_")}, parts)
