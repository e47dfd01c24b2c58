#!/usr/bin/env python3
"""Runs the acceptance of the simplex scene on a machine with an NVIDIA GPU and prints a table. Builds nothing.

    scripts/gpu_simplex.py PROGRAM OUTPUT_FOLDER [PART...]

Parts: seals, floats, inexact, pictures, times, sanitizer, bench. All without any. Standard library only.
"""
import json
import shutil
import struct
import subprocess
import sys

from gpu_tools import check, finish, out, program, run, stats_of

parts = sys.argv[3:] or ["seals", "floats", "inexact", "pictures", "times", "sanitizer", "bench"]
DOMAINS = {"triangle": 2, "tetrahedron": 3, "tetrahedron_corner": 3}
EXACT = {2: ["root_exact", "rectangle", "recursive", "h_map", "table", "stride_walk"],
         3: ["root_exact", "h_map", "table", "stride_walk"]}
INEXACT = {2: ["root_fp32", "root_rsqrt"], 3: ["root_fp32", "root_fp64"]}
WORKS = {2: ["automaton", "single_write", "distance_matrix", "stencil", "map_only"],
         3: ["automaton", "single_write", "triplet_energy", "stencil", "map_only"]}
LAYOUTS = ["linear", "blocked", "box"]


def settings(**values):
    words = []
    for key, value in values.items():
        words += ["--set", f"{key}={value}"]
    return words


def groups(dimensions):
    """Up to four tracks, the bounding box first, that together cover every exact map and layout."""
    tracks = ["bounding_box/blocked", "bounding_box/box"]
    tracks += [f"{name}/{layout}" for name in EXACT[dimensions] for layout in LAYOUTS]
    return [",".join(["bounding_box", *tracks[i:i + 3]]) for i in range(0, len(tracks), 3)]


def part_seals():
    for domain, dimensions in DOMAINS.items():
        for work in WORKS[dimensions]:
            good, runs, seals = True, 0, {}
            for n, block in ((1, 8), (3, 2), (65, 5), (200, 8)):
                for group in groups(dimensions):
                    for backend in ("cuda", "cpu"):
                        if backend == "cpu" and group != groups(dimensions)[-1]:
                            continue  # one group stands for the CPU: its own tests have the rest
                        s = stats_of("run", "simplex", "--backend", backend, "--frames", 3,
                                     *settings(domain=domain, n=n, block=block, work=work, tracks=group))
                        runs += 1
                        cells = n * (n + 1) // 2 if dimensions == 2 else n * (n + 1) * (n + 2) // 6
                        good = good and s is not None and all(
                            track["agrees"] and track["threads"]["useful"] == cells for track in s["tracks"])
                        if s:
                            seals.setdefault((n, block), {}).setdefault(backend, set()).update(
                                track["seal"] for track in s["tracks"])
            one = all(len(found) == 1 for both in seals.values() for found in both.values())
            check(f"{domain} {work}: seals agree, useful right", good and one, f"{runs} runs")
            if work in ("automaton", "single_write", "map_only"):
                check(f"{domain} {work}: CPU and CUDA equal", all(b["cuda"] == b["cpu"] for b in seals.values()))


def floats_of(folder):
    data = (folder / "track0_values.npy").read_bytes()
    start = 10 + struct.unpack("<H", data[8:10])[0]
    return struct.unpack(f"<{(len(data) - start) // 4}f", data[start:])


def part_floats():
    for domain, dimensions in DOMAINS.items():
        for work in WORKS[dimensions]:
            if work not in ("distance_matrix", "triplet_energy", "stencil"):
                continue
            values = []
            for backend in ("cuda", "cpu"):
                run("run", "simplex", "--backend", backend, "--frames", 3, "--dump", out / f"dump_{backend}",
                    *settings(domain=domain, n=90, block=5, work=work, tracks="root_exact"))
                values.append(floats_of(out / f"dump_{backend}"))
                shutil.rmtree(out / f"dump_{backend}", ignore_errors=True)
            apart, scale = 0.0, 0.0
            for a, b in zip(*values):
                if a == a or b == b:  # not outside
                    # A block's energy is a sum of both signs: relative to the larger of it and the mean magnitude.
                    scale = max(scale, abs(b)) if work == "triplet_energy" else abs(b)
                    apart = max(apart, abs(a - b) / max(abs(b), 1e-30)) if work != "triplet_energy" else max(apart, abs(a - b))
            if work == "triplet_energy":
                apart /= scale
            check(f"{domain} {work}: CPU and CUDA within 1e-6", apart <= 1e-6, f"{apart:.2e}")


def part_inexact():
    for domain, dimensions in DOMAINS.items():
        for name in INEXACT[dimensions]:
            found = stats_of("run", "simplex", "--backend", "cuda", "--frames", 1,
                             *settings(domain=domain, n=4, block=1, work="single_write", tracks=f"bounding_box,{name}"))
            first = found["results"].get("track1_first_wrong")
            side = 1
            while (side * (side + 1) // 2 if dimensions == 2 else side * (side + 1) * (side + 2) // 6) <= first:
                side += 1
            for n, broken in ((side - 1, False), (side, True)):
                if n < 1:
                    continue
                s = stats_of("run", "simplex", "--backend", "cuda", "--frames", 2,
                             *settings(domain=domain, n=n, block=1, work="single_write", tracks=f"bounding_box,{name}"))
                track = s["tracks"][1]
                check(f"{domain} {name} n = {n}: {'broken' if broken else 'right'}",
                      track["agrees"] != broken and track["ratio_to_baseline"] is None,
                      f"first wrong w = {first}, {track['badge']}, {track['diverged_at']}")


def kernel_of(track, name):
    return next((k for k in track["kernels"] if k["name"] == name), None)


def part_pictures():
    for blocks, n in (("1e4", 38), ("1e6", 181), ("1e7", 391)):
        for view in ("launch_order", "state"):
            scene = out / "solid.toml"
            scene.write_text(f'schema = 1\nscene = "simplex"\n[parameters]\nn = {n}\nblock = 1\nwork = "single_write"\n'
                             f'tracks = ["root_exact"]\n[run]\nsteps = 1\n[view]\npanels = "off"\ncolour_by = "{view}"\n')
            s = stats_of("run", "--scene-file", scene, "--backend", "cuda", "--frames", 40, "--warmup", 10, "--capture",
                         out / f"solid_{blocks}_{view}.png", "--size", "1920x1080")
            colour = kernel_of(s["tracks"][0], "simplex.colour")
            print(f"  {blocks} blocks, {view}: colour {colour['median_ms']:.3f} ms, frame {s['frame']}", flush=True)
        for file in out.glob("solid_1e[46]*.png"):
            file.unlink()


def part_times():
    """One line a track: median ms of the work's kernel, and the ratio to the first track with its interval."""
    cases = [("tetrahedron", 1024, 8, "single_write", ["bounding_box,root_exact,h_map,table", "bounding_box,stride_walk,stride_walk/blocked,table/blocked"]),
             ("tetrahedron", 512, 8, "stencil", ["bounding_box,root_exact,root_exact/blocked,stride_walk/blocked"]),
             ("tetrahedron", 1024, 8, "automaton", ["bounding_box,root_exact,root_exact/blocked,stride_walk"]),
             ("tetrahedron", 2046, 8, "triplet_energy", ["bounding_box,root_exact,table,stride_walk"]),
             ("tetrahedron_corner", 1024, 8, "single_write", ["bounding_box,root_exact,h_map,stride_walk"]),
             ("triangle", 32768, 16, "single_write", ["bounding_box,root_exact,rectangle,h_map", "bounding_box,recursive,table,stride_walk"]),
             ("triangle", 32768, 16, "distance_matrix", ["bounding_box,root_exact,rectangle,stride_walk"]),
             ("tetrahedron", 1024, 8, "map_only", ["bounding_box,root_exact,h_map,table", "bounding_box,stride_walk"])]
    for domain, n, block, work, tracks in cases:
        for group in tracks:
            s = stats_of("run", "simplex", "--backend", "cuda", "--frames", 40, "--warmup", 10,
                         *settings(domain=domain, n=n, block=block, work=work, tracks=group))
            if not s:
                continue
            for track in s["tracks"]:
                kernel, ratio = kernel_of(track, f"simplex.{work}"), track["ratio_to_baseline"]
                said = f"{ratio['median']:6.2f} [{ratio['low']:.2f}, {ratio['high']:.2f}]" if ratio else "no ratio"
                print(f"  {domain} n {n} block {block} {work:15s} {track['name']:22s} {kernel['median_ms']:9.4f} ms "
                      f"{kernel['gb_per_s']:8.1f} GB/s  {said}  agrees {track['agrees']}", flush=True)


def part_sanitizer():
    tool = shutil.which("compute-sanitizer") or "/usr/local/cuda/bin/compute-sanitizer"
    for name in ("memcheck", "racecheck"):
        clean, total = True, 0
        for domain, dimensions in DOMAINS.items():
            everything = groups(dimensions) + [",".join(["bounding_box", *INEXACT[dimensions]])]
            # Every map and every layout with one work each; every work with one group.
            pairs = [(WORKS[dimensions][i % 5], group) for i, group in enumerate(everything)]
            pairs += [(work, everything[1]) for work in WORKS[dimensions]]
            for work, group in pairs:
                result = subprocess.run([tool, "--tool", name, "--error-exitcode", "9", program, "run", "simplex", "--backend", "cuda", "--frames", "2",
                                         "--dump", str(out / "dump"), *settings(domain=domain, n=21, block=5, work=work, tracks=group)],
                                        capture_output=True, text=True, timeout=280)
                total += 1
                if result.returncode:
                    clean = False
                    print(domain, work, group, result.stdout[-1200:], result.stderr[-400:])
        check(f"compute-sanitizer {name}", clean, f"{total} runs")
        for more in ("domain = \"triangle\"", "domain = \"tetrahedron\""):
            for view in ("morph = 1.0", "morph = 0.5"):
                scene = out / "sanitized.toml"
                scene.write_text(f'schema = 1\nscene = "simplex"\n[parameters]\nn = 40\n{more}\n[view]\n{view}\ncolour_by = "state"\n')
                result = subprocess.run([tool, "--tool", name, "--error-exitcode", "9", program, "run", "--scene-file", str(scene), "--backend", "cuda",
                                         "--frames", "2", "--interop", "staged", "--size", "640x480", "--capture", str(out / "sanitized.png")],
                                        capture_output=True, text=True, timeout=280)
                check(f"compute-sanitizer {name}, pictures, {more}, {view}", result.returncode == 0, result.stdout[-600:] if result.returncode else "")
    shutil.rmtree(out / "dump", ignore_errors=True)


def part_bench():
    result = run("bench", "simplex", "--backend", "cuda", "--stats", out / "bench_simplex.json", timeout=560)
    (out / "bench_simplex.txt").write_text(result.stdout)
    print(result.stdout[-9000:])


finish({name[5:]: body for name, body in globals().items() if name.startswith("part_")}, parts)
