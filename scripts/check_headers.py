#!/usr/bin/env python3
"""Compiles each header of gpu/ and viewer/ alone, so that none leans on what was included before it.

    scripts/check_headers.py [--build build/headers] [HEADER...]

A header that is the first line of another is compiled there, with nothing before it, and not once more.
The build need only be configured, with each source by itself. The flags are those of the first source beside the
header, or of the nearest folder above that has one. Headers that include CUDA's own are left out where the build has no
CUDA. Prints what the compiler says of each header that fails; exit code 1 if any does.
"""
import argparse
import pathlib
import re
import subprocess
import sys

import compile_commands
from compile_commands import ROOT


def flags_by_folder(build):
    """What a C++ source of each folder is compiled with, and where."""
    flags = {}
    for source, words, directory in compile_commands.read(build):
        if source.suffix == ".cpp" and source.is_relative_to(ROOT):
            flags.setdefault(source.parent.relative_to(ROOT),
                             (compile_commands.without_output(words, source, precompiled=False), directory))
    return flags


def flags_of(header, flags):
    for folder in header.parents:
        if folder in flags:
            return flags[folder]
        below = [known for known in flags if known.is_relative_to(folder)]
        if below and folder.parts:
            return flags[min(below)]
    sys.exit(f"check_headers: no source near {header} is built")


def begun_by_others(headers):
    """Those that are the first that another one includes."""
    first = re.compile(r'^\s*#\s*include\s+["<]([^">]+)', re.MULTILINE)
    begun = (first.search((ROOT / header).read_text()) for header in headers)
    return {pathlib.Path(match[1]) for match in begun if match}


def needs_cuda(header):
    return any(line.startswith("#include <cuda") for line in (ROOT / header).read_text().splitlines())


def complaint(header, flags):
    words, directory = flags_of(header, flags)
    run = subprocess.run([*words, "-fsyntax-only", "-x", "c++", "-"], input=f'#include "{header}"\n', cwd=directory,
                         capture_output=True, text=True)
    return None if run.returncode == 0 else f"{header}:\n{run.stderr}"


def main():
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("--build", type=pathlib.Path, default=ROOT / "build/headers")
    words.add_argument("headers", nargs="*", type=pathlib.Path, metavar="HEADER")
    given = words.parse_args()
    build = given.build.resolve()
    flags = flags_by_folder(build)
    headers, without, begun = given.headers, set(), set()
    if not headers:
        everything = {path.relative_to(ROOT) for room in ("gpu", "viewer") for path in (ROOT / room).rglob("*.h")}
        if "WARPLOOM_WITH_CUDA=1" not in (build / "compile_commands.json").read_text():
            without = {header for header in everything if needs_cuda(header)}
        headers = sorted(everything - without)
        begun = begun_by_others(headers) & set(headers)
        headers = [header for header in headers if header not in begun]
    complaints = [found for found in compile_commands.in_parallel(lambda header: complaint(header, flags), headers)
                  if found]
    print("".join(complaints), end="")
    print(f"check_headers: {len(headers)} headers, and {len(begun)} that begin one of them; {len(complaints)} do not "
          f"compile alone; {len(without)} need CUDA, which the build has not")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
