#!/usr/bin/env python3
"""Compiles each header of gpu/ and viewer/ alone, so that none leans on what was included before it.

    scripts/check_headers.py [--build build/headers] [--jobs 2] [HEADER...]

The build need only be configured, with each source by itself. The flags come from its compile_commands.json: of the
first source beside the header, or of the nearest folder above that has one.
Headers that include CUDA's own are left out where the build has no CUDA. Prints what the compiler says of each header
that fails; exit code 1 if any does.
"""
import argparse
import concurrent.futures
import json
import pathlib
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TAKES_VALUE = {"-I", "-isystem", "-include", "-D", "-x", "-Xcompiler"}


def flags_by_folder(build):
    """What a C++ source of each folder is compiled with, without its name, its output and its language."""
    flags = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        source = pathlib.Path(entry["file"])
        words = shlex.split(entry["command"])
        if source.suffix != ".cpp" or not source.is_relative_to(ROOT):
            continue
        while "ccache" in pathlib.Path(words[0]).name:
            words = words[1:]
        kept = [words[0]]
        at = 1
        while at < len(words):
            if words[at] in ("-o", "-MF", "-MT") or (words[at] == "-include" and "cmake_pch" in words[at + 1]):
                at += 2
                continue
            if words[at] not in ("-c", "-MD") and words[at] != str(source):
                kept.append(words[at])
                if words[at] in TAKES_VALUE:
                    at += 1
                    kept.append(words[at])
            at += 1
        flags.setdefault(source.parent.relative_to(ROOT), (kept, entry["directory"]))
    return flags


def without_cuda(build):
    """The build has no CUDA: what includes it cannot be compiled there."""
    return "WARPLOOM_WITH_CUDA=1" not in (build / "compile_commands.json").read_text()


def needs_cuda(header):
    return any(line.startswith("#include <cuda") for line in (ROOT / header).read_text().splitlines())


def flags_of(header, flags):
    for folder in header.parents:
        if folder in flags:
            return flags[folder]
        below = [known for known in flags if known.is_relative_to(folder)]
        if below and folder.parts:
            return flags[min(below)]
    raise SystemExit(f"check_headers: no source near {header} is built")


def complaint(header, flags):
    words, directory = flags_of(header, flags)
    run = subprocess.run([*words, "-fsyntax-only", "-x", "c++", "-"], input=f'#include "{header}"\n', cwd=directory,
                         capture_output=True, text=True)
    return None if run.returncode == 0 else f"{header}:\n{run.stderr}"


def main():
    words = argparse.ArgumentParser()
    words.add_argument("--build", default="build/headers")
    words.add_argument("--jobs", type=int, default=2)
    words.add_argument("headers", nargs="*")
    given = words.parse_args()
    build = (ROOT / given.build).resolve()
    if not (build / "compile_commands.json").is_file():
        raise SystemExit(f"check_headers: {build} is not configured: cmake --preset headers")
    flags = flags_by_folder(build)
    headers, without = [pathlib.Path(name) for name in given.headers], set()
    if not headers:
        everything = {path.relative_to(ROOT) for room in ("gpu", "viewer") for path in (ROOT / room).rglob("*.h")}
        without = {header for header in everything if without_cuda(build) and needs_cuda(header)}
        headers = sorted(everything - without)
    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        complaints = [one for one in pool.map(lambda header: complaint(header, flags), headers) if one]
    print("".join(complaints), end="")
    print(f"check_headers: {len(headers)} headers, {len(complaints)} do not compile alone; {len(without)} need CUDA, "
          f"which the build has not")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
