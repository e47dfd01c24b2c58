"""Tracks taken home as Python files (export): their NumPy code, the record that kernels are given, the kernels' source.

Needs an interpreter that has NumPy; no GPU. WARPLOOM_FULL=1: the records of more fractals and of every layout.
"""

import ast
import ctypes
import functools
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

from oracle import Settings
from own_maps_test import FULL, OwnTest
from warploom_test import main, sets

STEPS = 20
SCENES = Path(__file__).resolve().parents[2] / "gpu" / "scenes"
# Prints what an exported file says of the structure that kernels are given, and where it says that values lie.
RECORD = """
import json, sys, importlib.util
spec = importlib.util.spec_from_file_location("exported", sys.argv[1])
exported = importlib.util.module_from_spec(spec)
spec.loader.exec_module(exported)
np = exported.np
theirs = np.frombuffer(bytes.fromhex(sys.argv[2]), np.uint8)
ours = exported.arguments()
size = ours.itemsize
def differ(a, b, path):
    if a.dtype.names:
        return [where for name in a.dtype.names for where in differ(a[name], b[name], path + "." + name)]
    return [] if np.array_equal(a, b) else [f"{path}: {a} {b}"]
differs = differ(ours, theirs.view(ours.dtype), "with") if len(theirs) == size else ["size"]
print(json.dumps({"size": size, "differs": differs, "elements": exported.elements, "addresses": exported.addresses.tolist(),
                  "launches": exported.launches_type.itemsize, "launch": exported.launch_type.itemsize}))
"""
# The same by the headers.
RECORD_END = """
namespace warploom::own {
%(launch)s
}
int main() {
  using namespace warploom;
  using namespace warploom::exported;
  static %(arguments)s with;
  with.domain = %(domain)s;
  %(more)s
  with.rule = rule;
  for (std::size_t i = 0; i < sizeof with; ++i) std::printf("%%02x", reinterpret_cast<const unsigned char*>(&with)[i]);
  std::printf("\\n%%zu %%zu\\n", sizeof(own::Launches), sizeof(own::DeviceLaunch));
  const auto at = %(layout)s;
  for (std::uint32_t z = 0; z < %(depth)s; ++z)
    for (std::uint32_t y = 0; y < %(side_y)s; ++y)
      for (std::uint32_t x = 0; x < %(side_x)s; ++x)
        if (%(is_cell)s) std::printf("%%llu ", static_cast<unsigned long long>(at.address(Cell{x, y, z})));
}
"""
FRACTAL = dict(arguments="own::FractalArguments", domain="FractalDomain(mask, level)", more="with.block_digits = block_digits;",
               layout="%s::of(with.domain, block_digits, nullptr)", depth=1, side_x="with.domain.extent.x",
               side_y="with.domain.extent.y", is_cell="is_cell(x, y)")
SIMPLEX = dict(arguments="own::SimplexRun<dimensions>", domain="SimplexDomain<dimensions>(n, rho, corner)",
               more="with.value_bytes = 1;", layout="%s<dimensions>(with.domain)", depth="(dimensions == 3 ? n : 1)", side_x="n",
               side_y="n", is_cell="is_cell(x, y, z, n)")
# In place of CuPy: memory is NumPy's, and a step is the file's own NumPy code. What stands around the kernels is tested.
CUPY = """
import ctypes, sys, types
import numpy as np
class ndarray(np.ndarray):
    @property
    def data(self):
        return types.SimpleNamespace(ptr=self.ctypes.data)
def asarray(values):
    return np.array(values).view(ndarray)
def zeros(shape, dtype):
    return asarray(np.zeros(shape, dtype))
def asnumpy(values):
    return np.array(values)
class RawModule:
    def __init__(self, code, options, backend):
        assert "own_step" in code and "-default-device" in options
    def get_function(self, name):
        return lambda grid, block, given: getattr(self, name)(sys.modules["__main__"], *given)
    def own_sizes(self, file, to):
        to.view(np.uint64)[:] = file.arguments().itemsize, 40, 24
    def own_launches(self, file, given, to):
        shape = to.view(file.launches_type)
        shape["count"], shape["turns"], shape["threads"], shape["grids"][0][0] = 1, 1, (4, 4, 1), (3, 70000, 1)
    def own_step_program(self, file, given, launch, to):
        to.view(np.uint64)[:3] = [given["memory"][name][0] for name in ("in", "out", "sums")]
    own_visits_program = own_step_program
    def here(self, address, size, kind):
        bytes_there = (ctypes.c_uint8 * (size * np.dtype(kind).itemsize)).from_address(int(address))
        return np.frombuffer(bytes_there, kind)
    def own_visits(self, file, *given):
        assert given[-1]["folded"][0] and given[-1]["blocks"]["y"][0] == 70000
        self.here(given[-2].view(np.uint64)[1], file.counts, np.uint32)[file.counted] = 1
    def own_step(self, file, *given):
        read, written, sums = given[-2].view(np.uint64)[:3]
        before = np.zeros(file.cells.shape, file.value)
        if file.elements:
            before[file.cells] = self.here(read, file.elements, file.value)[file.addresses]
        after, _ = file.serial(before)
        if file.folds:
            self.here(sums, file.sum_words, np.uint64)[7] = after
        else:
            self.here(written, file.elements, file.value)[file.addresses] = after[file.cells] * (1 + WRONG) + WRONG
class Event:
    def record(self): pass
    def synchronize(self): pass
cuda = types.SimpleNamespace(Event=Event, get_elapsed_time=lambda begin, end: .5, get_cuda_path=lambda: None)
"""


@functools.cache
def interpreter():
    """A Python that has NumPy; none: None."""
    for one in (sys.executable, "/usr/bin/python3"):
        if shutil.which(one) and subprocess.run([one, "-c", "import numpy"], capture_output=True).returncode == 0:
            return one
    return None


def nvrtc_says(source, toolkit):
    """What NVRTC finds wrong with a source; None: there is no NVRTC."""
    try:
        library = ctypes.CDLL("libnvrtc.so.13")
    except OSError:
        return None
    program, size = ctypes.c_void_p(), ctypes.c_size_t()
    library.nvrtcCreateProgram(ctypes.byref(program), source.encode(), b"kernels.cu", 0, None, None)
    words = [b"-default-device", b"-std=c++20", b"-diag-suppress=2282", b"-arch=sm_90", b"--fdevice-syntax-only"] + toolkit
    result = library.nvrtcCompileProgram(program, len(words), (ctypes.c_char_p * len(words))(*words))
    library.nvrtcGetProgramLogSize(program, ctypes.byref(size))
    log = ctypes.create_string_buffer(size.value)
    library.nvrtcGetProgramLog(program, log)
    library.nvrtcDestroyProgram(ctypes.byref(program))
    return log.value.decode() if result else ""


class PythonFiles(OwnTest):
    def setUp(self):
        super().setUp()
        if not interpreter():
            self.skipTest("no Python with NumPy: install python3-numpy")

    def export(self, scene, tracks, *maps, **settings):
        words = ["--backend", "cpu", "--frames", STEPS, *[word for one in maps for word in ("--map", self.example(one))],
                 *sets({"tracks": tracks, **settings})]
        shutil.rmtree(self.folder / "e", ignore_errors=True)
        self.succeeds("export", scene, "--out", "e", *words)
        self.succeeds("run", scene, "--interop", "none", "--stats", "s.json", *words)
        files = json.loads((self.folder / "e" / "manifest.json").read_text())["files"]
        found = [entry for entry in files if entry["file"].endswith(".py")]
        self.assertEqual(len(found), len(tracks))
        return found, self.json("s.json")["tracks"]

    def python(self, entry, *words, **more):
        self.assertEqual(entry["compile"], "python3 " + entry["file"])
        done = subprocess.run([interpreter(), entry["file"], *words], cwd=self.folder / "e", capture_output=True, text=True,
                              env=self.environment(PYTHONDONTWRITEBYTECODE="1", **more))
        self.assertEqual(done.stderr, "", entry)
        return done.returncode, done.stdout.splitlines()[-1]

    def check(self, scene, tracks, *maps, bits=True, **settings):
        """`bits`: NumPy rounds as the kernels do."""
        entries, stats = self.export(scene, tracks, *maps, **settings)
        for entry, track in zip(entries, stats):
            with self.subTest(scene, track=entry["name"], **settings):
                code, last = self.python(entry, "--serial", str(STEPS))
                match = re.fullmatch(r"seal=([0-9a-f]{16})( live=\d+)?", last)
                self.assertEqual((code, bool(match)), (0, True), last)
                if bits:
                    self.assertEqual(match[1], track["seal"])
                if match[2]:
                    self.assertEqual(match[2], f" live={self.json('s.json')['results']['alive_cells']}")
        return entries, stats

    def test_fractals(self):
        tracks = ["bounding_box", "lambda_serial", "lambda_table/lookup/compact", "own:lambda"]
        self.check("fractal", tracks[2:] if Settings.quick else tracks, "lambda.h", level=6)
        for work in () if Settings.quick else ("single_write", "reduction", "map_only"):
            self.check("fractal", ["lambda_shuffle/unroll", "lambda_tensor_1/sub_boxes/compact"], level=3, work=work, fractal="vicsek")

    def test_simplices(self):
        works = ("automaton", "single_write", "distance_matrix", "stencil", "map_only")
        for work in works[:1] if Settings.quick else works:
            self.check("simplex", ["root_exact/blocked", "rectangle", "root_exact/box"], domain="triangle", n=65, work=work)
        for work in () if Settings.quick else ("automaton", "single_write", "triplet_energy", "stencil", "map_only"):
            corner = work in ("automaton", "triplet_energy")
            self.check("simplex", ["table", "h_map/blocked"], domain="tetrahedron_corner" if corner else "tetrahedron", n=21,
                       work=work, bits=work != "triplet_energy")

    def test_every_work_has_its_python(self):
        rows = [row for row in json.loads(self.warploom("list", "works", "--json").out) if row["scene"] in ("fractal", "simplex")]
        self.assertGreater(len(rows), 8)
        for row in rows:
            with self.subTest(row["key"]):
                self.assertTrue((SCENES / row["scene"] / "own" / f"work_{row['key']}.py").exists())

    def test_a_state_comes_along(self):
        (self.folder / "cell.rle").write_text("x = 1, y = 1\no!\n")
        entries, stats = self.check("fractal", ["lambda_serial"], level=5, state="cell.rle", rule="B12/S012")
        self.assertTrue((self.folder / "e" / "start.npy").exists())

    def test_texts_and_tables(self):
        text = 'Place place(Block b, Domain) { return {b.x, b.y}; }  // """ \\""" \'\'\' \\\\""""" \u00fc \\n"\n'
        entries, _ = self.export("fractal", ["own:odd"], self.write("odd.h", text), level=3)
        done = subprocess.run([interpreter(), "-c", "import runpy, sys; print(repr(runpy.run_path(sys.argv[1])['kernels']))",
                               self.folder / "e" / entries[0]["file"]], capture_output=True, text=True)
        self.assertIn(text, ast.literal_eval(done.stdout), done.stderr)
        said = self.succeeds("export", "simplex", "--backend", "cpu", "--frames", 1, "--out", "large",
                             *sets({"domain": "triangle", "n": 2048, "block": 2, "tracks": "table"}))
        self.assertIn("no A_table.py", said.err)
        self.assertEqual(sorted(path.name for path in (self.folder / "large").iterdir()), ["A_table.cpp", "A_table.cu", "manifest.json"])

    def test_around_the_kernels(self):
        cases = [("fractal", ["lambda_serial", "own:lambda/lookup/compact"], "lambda.h", dict(level=5)),
                 ("fractal", ["lambda_serial"], None, dict(level=4, work="reduction")),
                 ("simplex", ["root_exact/blocked"], None, dict(domain="triangle", n=33, work="stencil")),
                 ("simplex", ["own:tetrahedron"], "tetrahedron.h", dict(domain="tetrahedron_corner", n=13, work="triplet_energy"))]
        for wrong in (0, 1):
            (self.folder / f"wrong{wrong}").mkdir()
            (self.folder / f"wrong{wrong}" / "cupy.py").write_text(CUPY.replace("WRONG", str(wrong)))
        for scene, tracks, own, settings in cases[:1] if Settings.quick else cases:
            entries, stats = self.export(scene, tracks, *([own] if own else []), **settings)
            for entry, track in zip(entries, stats):
                with self.subTest(scene, track=entry["name"], **settings):
                    code, last = self.python(entry, PYTHONPATH=str(self.folder / "wrong0"))
                    self.assertEqual(code, 0, last)
                    self.assertRegex(last, r"^seal=[0-9a-f]{16} (live=\d+ )?agrees=yes median_ms=0\.500000$")
                    if settings.get("work") != "triplet_energy":
                        self.assertIn(track["seal"], last)
                    if settings.get("work") != "reduction":
                        code, last = self.python(entry, "3", PYTHONPATH=str(self.folder / "wrong1"))
                        self.assertEqual((code, "agrees=no" in last), (3, True), last)

    def record(self, entry, end, layout):
        """What Python and the headers say, of one track."""
        folder = self.folder / "e"
        source = (folder / entry["file"].replace(".py", ".cpp")).read_text()
        launch = re.search(r"^struct DeviceLaunch \{.*?^\};", (folder / entry["file"]).read_text(), re.M | re.S)[0]
        end = RECORD_END % {**end, "layout": end["layout"] % layout, "launch": launch}
        (folder / "record.cpp").write_text(source[:source.index("\nint main(")] + end)
        done = subprocess.run(["g++", "-O0", "-std=c++20", "-w", "-pthread", "record.cpp", "-o", "record"], cwd=folder,
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr[:2000])
        bytes_of, sizes, addresses = subprocess.run([folder / "record"], capture_output=True, text=True, check=True).stdout.split("\n")
        done = subprocess.run([interpreter(), "-c", RECORD, folder / entry["file"], bytes_of], capture_output=True, text=True)
        self.assertEqual(done.stderr, "")
        ours = json.loads(done.stdout)
        self.assertEqual(ours["differs"], [])
        self.assertEqual([ours["launches"], ours["launch"]], [int(size) for size in sizes.split()])
        self.assertEqual(ours["addresses"], [int(one) for one in addresses.split()])
        self.assertLess(max(ours["addresses"]), ours["elements"])

    def test_records_are_those_of_the_headers(self):
        if Settings.quick:
            self.skipTest("what is compiled here has no sanitizers")
        entries, _ = self.export("fractal", ["lambda_serial/sub_boxes/compact", "lambda_serial"], level=4)
        self.record(entries[0], FRACTAL, "Compact")
        entries, _ = self.export("simplex", ["root_exact/blocked"], domain="tetrahedron_corner", n=13)
        self.record(entries[0], SIMPLEX, "BlockedLayout")
        if FULL:
            for name in ("vicsek", "cantor_set", "sierpinski_carpet"):
                entries, _ = self.export("fractal", ["lambda_serial", "lambda_serial/sub_boxes/compact"], level=3, fractal=name)
                self.record(entries[0], FRACTAL, "Embedded")
                self.record(entries[1], FRACTAL, "Compact")
            for domain in ("triangle", "tetrahedron"):
                for layout in ("linear", "blocked", "box"):
                    entries, _ = self.export("simplex", [f"root_exact/{layout}"], domain=domain, n=13)
                    self.record(entries[0], SIMPLEX, layout.capitalize() + "Layout")

    def test_kernels_are_read_by_nvrtc(self):
        if nvrtc_says("", []) is None:
            self.skipTest("no NVRTC 13")
        cases = [("fractal", ["lambda_serial", "own:lambda/lookup/compact"], ["lambda.h"], dict(level=5)),
                 ("simplex", ["h_map/blocked", "own:tetrahedron"], ["tetrahedron.h"], dict(domain="tetrahedron", n=13, work="stencil"))]
        for scene, tracks, maps, settings in cases:
            for entry in self.export(scene, tracks, *maps, **settings)[0]:
                with self.subTest(scene, track=entry["name"]):
                    done = subprocess.run([interpreter(), "-c", "import runpy, sys; print(runpy.run_path(sys.argv[1])['kernels'])",
                                           self.folder / "e" / entry["file"]], capture_output=True, text=True)
                    self.assertEqual(done.stderr, "")
                    self.assertEqual(nvrtc_says(done.stdout, []), "")


if __name__ == "__main__":
    main()
