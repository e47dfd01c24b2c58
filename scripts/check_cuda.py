#!/usr/bin/env python3
"""Compiles everything as CUDA to be checked, not to be run.

    scripts/check_cuda.py [--build build/check-cuda] [SOURCE...]

The build need only be configured. Device code becomes intermediate code, as for optimisation at link time: by then all
that the language forbids there has been found. Of C++ what says something else in a build with CUDA is parsed: all, if a
header does. Machine code and linking are left to machines that have a device: they take four fifths of a build's time.
SOURCE picks the sources whose paths contain it. Prints what the compilers say; exit code 1 if a source fails.
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

import compile_commands


ASKS = "WARPLOOM_WITH_CUDA"


def asks(file):
    """Whether a source says something else in a build with CUDA; of several compiled as one, whether one of them does."""
    text = file.read_text()
    return ASKS in text or any(ASKS in pathlib.Path(name).read_text()
                               for name in re.findall(r'^#include "(/.*)"$', text, re.MULTILINE))


def complaint(entry):
    source, words, directory = entry
    device = pathlib.Path(words[0]).name == "nvcc"
    words = compile_commands.without_output(words, source, precompiled=True)
    with tempfile.TemporaryDirectory() as folder:
        if device:
            words = [word for word in words if not word.startswith("--generate-code")]
            words += ["-arch=lto_90", "-dlto", "-ltoir", "-o", f"{folder}/code"]
        else:
            words += ["-fsyntax-only"]
        run = subprocess.run([*words, str(source)], cwd=directory, capture_output=True, text=True)
    return None if run.returncode == 0 else f"{source}:\n{run.stdout}{run.stderr}"


def main():
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("--build", type=pathlib.Path, default=compile_commands.ROOT / "build/check-cuda")
    words.add_argument("sources", nargs="*", metavar="SOURCE")
    given = words.parse_args()
    entries = [entry for entry in compile_commands.read(given.build.resolve()) if entry[0].suffix != ".c"
               and (not given.sources or any(name in str(entry[0]) for name in [*given.sources, "cmake_pch"]))]
    if not any(pathlib.Path(entry[1][0]).name == "nvcc" for entry in entries):
        sys.exit("check_cuda: no source of this build, or of those named, is CUDA")
    # Precompiled headers come first, as the build makes them.
    for source, words, directory in entries:
        if source.name == "cmake_pch.hxx.cxx":
            subprocess.run(words, cwd=directory, check=True)
    entries = [entry for entry in entries if entry[0].name != "cmake_pch.hxx.cxx"]
    headers = [path for room in ("gpu", "viewer") for path in (compile_commands.ROOT / room).rglob("*.h")]
    if not any(ASKS in path.read_text() for path in headers):
        entries = [entry for entry in entries if pathlib.Path(entry[1][0]).name == "nvcc" or asks(entry[0])]
    failed = 0
    for done, found in enumerate(compile_commands.in_parallel(complaint, entries), 1):
        if found:
            failed += 1
            print(found, flush=True)
        if done % max(len(entries) // 10, 1) == 0:
            print(f"  {100 * done // len(entries):3} %", flush=True)
    print(f"check_cuda: {len(entries)} sources, {failed} do not compile")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
