#!/usr/bin/env python3
"""Runs the acceptance of own maps on a machine with an NVIDIA GPU and prints a table. Builds nothing.

    scripts/gpu_own.py PROGRAM OUTPUT_FOLDER [PART...]

Parts: seals, falls, times, exports, sanitizer. All without any. Standard library only.
"""
import json
import pathlib
import shutil
import subprocess
import sys
import time

from gpu_tools import check, finish, out, program, run, stats_of

parts = sys.argv[3:] or ["seals", "falls", "times", "exports", "sanitizer"]
examples = pathlib.Path(__file__).resolve().parent.parent / "assets/own"


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
    s = stats_of("run", "simplex", "--backend", "cuda", "--frames", 4, "--map", examples / "rectangle_broken.h",
                 *settings(domain="triangle", n=64, block=16), code=3)
    judged = own_of(s)["own"]["judge"]
    check("rectangle_broken, n = 64", (judged["missed"], judged["first_missed"]) == (392, [32, 32]), str(judged))
    s = stats_of("run", "fractal", "--backend", "cuda", "--frames", 3, "--steps-per-frame", 100, "--map", examples / "lambda.h",
                 *settings(level=8))
    check("100 steps a frame", own_of(s) and all(track["agrees"] for track in s["tracks"]))


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


def part_times():
    pairs = [("fractal", "lambda", "lambda_serial", dict(fractal="sierpinski_gasket", level=level)) for level in (10, 14, 16)]
    pairs += [("fractal", "lambda", "lambda_serial", dict(fractal="sierpinski_carpet", level=8)),
              ("fractal", "lambda", "lambda_serial", dict(fractal="vicsek", level=9))]
    pairs += [("simplex", "rectangle", "rectangle", dict(domain="triangle", n=n, work="single_write")) for n in (4096, 32768)]
    pairs += [("fractal", "cells", "bounding_box", dict(fractal="sierpinski_gasket", level=level)) for level in (14, 16)]
    for scene, example, builtin, wanted in pairs:
        s = stats_of("run", scene, "--backend", "cuda", "--frames", 60, "--warmup", 10, "--map", examples / f"{example}.h",
                     *settings(**wanted, tracks=f"{builtin},own:{example}"))
        own = own_of(s)
        name = " ".join(map(str, wanted.values()))
        if not own:
            check(f"{example}, {name}", False)
            continue
        times = [track["kernels"][0]["median_ms"] if track.get("kernels") else None for track in s["tracks"]]
        ratio = own.get("ratio_to_baseline")
        over = None if not ratio else 1 / ratio["median"]
        check(f"{example} over {builtin}, {name}", over is not None and over <= 1.03,
              f"{over and round(over, 3)} {ratio} judged in {own['own']['judge']['ms']:.2f} ms, compiled in "
              f"{own['own']['compile_ms']:.0f} ms {times}")


def part_exports():
    for scene, wanted in (("fractal", dict(tracks="bounding_box,lambda_serial,lambda_table/lookup/compact,lambda_shuffle", level=7)),
                          ("simplex", dict(domain="triangle", n=200, tracks="bounding_box,rectangle,root_exact,h_map")),
                          ("simplex", dict(domain="tetrahedron", n=40, tracks="bounding_box,root_exact,table,stride_walk"))):
        folder = out / "export"
        shutil.rmtree(folder, ignore_errors=True)
        run("export", scene, "--backend", "cuda", "--frames", 20, "--out", folder, *settings(**wanted))
        s = stats_of("run", scene, "--backend", "cuda", "--frames", 20, *settings(**wanted))
        building = []
        for entry in json.loads((folder / "manifest.json").read_text())["files"]:
            if entry["file"].endswith(".cu"):
                words = ["nvcc", "-O3", "-std=c++20", "-arch=native", entry["file"], "-o", entry["file"][:-3]]
                building.append((entry, subprocess.Popen(words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)))
        for entry, process in building:
            said = process.communicate()[0]
            made = process.returncode == 0
            last = subprocess.run([folder / entry["file"][:-3]], cwd=folder, capture_output=True, text=True).stdout.strip() if made else said
            last = last.splitlines()[-1] if last else ""
            seal = s["tracks"][entry["track"]]["seal"]
            check(f"export {entry['file']}", made and not said and f"seal={seal}" in last and "agrees=yes" in last, last + said[:200])


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
