"""Reads the compile_commands.json of a configured build, and runs its commands in a changed form."""
import concurrent.futures
import json
import os
import pathlib
import shlex
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TAKES_VALUE = {"-I", "-isystem", "-include", "-D", "-x", "-Xcompiler"}


def read(build):
    """(source, its words, the folder to run them in) of each source of a configured build."""
    path = build / "compile_commands.json"
    if not path.is_file():
        sys.exit(f"{pathlib.Path(sys.argv[0]).stem}: {build} is not configured: cmake --preset {build.name}")
    for entry in json.loads(path.read_text()):
        words = shlex.split(entry["command"])
        while "ccache" in pathlib.Path(words[0]).name:
            words = words[1:]
        yield pathlib.Path(entry["file"]), words, entry["directory"]


def without_output(words, source, precompiled):
    """A command without its source, output and dependency files, and with or without its precompiled headers."""
    kept, at = [], 0
    while at < len(words):
        if words[at] in ("-o", "-MF", "-MT"):
            at += 2
        elif words[at] == "-include" and "cmake_pch" in words[at + 1] and not precompiled:
            at += 2
        elif words[at] == "-Xclang" and ("-include" in words[at + 1] or "cmake_pch" in words[at + 1]) and not precompiled:
            at += 2  # the same, as Clang has it
        elif words[at] in ("-c", "-MD", "-Winvalid-pch", str(source)):
            at += 1
        else:
            taken = 2 if words[at] in TAKES_VALUE else 1
            kept += words[at:at + taken]
            at += taken
    return kept


def in_parallel(function, items):
    """function of each item, in order, on all cores."""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        yield from pool.map(function, items)
