"""Rules and kernels that users write (run --map), against plain Python loops. WARPLOOM_FULL=1: more grounds, tracks, layouts."""

import itertools
import unittest
from collections import Counter
from types import SimpleNamespace

import own_maps_test
import simplex_oracle
from files import read_array, write_mask
from oracle import FRACTALS, Fractal, Life, Settings
from own_maps_test import FULL, MASKS, OwnTest
from own_simplices_test import NUMBERED, places
from warploom_test import main, sets

STEPS = 3
GASKET, TALL, TRIANGLE = ("sierpinski_gasket", 4, 4), ("tall.toml", 3, 4), ("triangle", 21, 4)
STACKED, CORNER = ("tetrahedron", 9, 4), ("tetrahedron_corner", 9, 4)
GROUNDS = [TALL, TRIANGLE, STACKED, CORNER] + FULL * [
    ("vicsek", 3, 9), ("cantor_set", 4, 3), ("candy", 2, 4), ("chandelier", 3, 3), ("wide.toml", 3, 16), ("apart.toml", 3, 3),
    ("triangle", 40, 8), ("triangle", 1, 2), ("tetrahedron", 8, 2), ("tetrahedron_corner", 10, 2)]


class Ground:
    """The cells of a fractal or a simplex, all (x, y, z), in row-major order, and those that live at the start."""

    def __init__(self, kind, side, block):
        if kind in simplex_oracle.DOMAINS:
            self.scene, self.settings, self.state = "simplex", dict(domain=kind, n=side, block=block), "values"
            self.automaton = simplex_oracle.Automaton(simplex_oracle.Domain(kind, side))
            self.size, self.rho = (side, side, 1 if kind == "triangle" else side), (block, block, 1)
        else:
            self.scene, self.settings, self.state = "fractal", dict(fractal=kind, level=side, block=block), "state"
            fractal = Fractal({**FRACTALS, **MASKS}[kind.removesuffix(".toml")], side)
            self.automaton = Life(fractal).randomise()
            self.size, self.rho = (fractal.width, fractal.height, 1), (block, fractal.block_height(block), 1)
        self.axes = 3 if "tetrahedron" in kind else 2
        self.cells, self.start = ([(*c, 0)[:3] for c in cells] for cells in (self.automaton.members, self.automaton.cells()))
        self.held = set(self.cells)
        self.near = [o for o in itertools.product((-1, 0, 1), repeat=3) if sum(map(abs, o)) == 1 or self.axes == 2 and any(o)]

    def seal(self, alive):
        self.automaton.alive = self.automaton.gather(cell[:self.axes] for cell in alive)
        return self.automaton.seal()


class Around:
    def __init__(self, ground, alive, at):
        self.ground, self.alive, self.at = ground, alive, at

    def __call__(self, dx=0, dy=0, dz=0):
        return (self.at[0] + dx, self.at[1] + dy, self.at[2] + dz) in self.alive

    def near(self):
        return sum(self(*offset) for offset in self.ground.near)


COUNT = """  int n = 0, flat = DOMAIN.dimensions == 2;
  for (int z = flat ? 0 : -1; z <= !flat; ++z)
    for (int y = -1; y <= 1; ++y)
      for (int x = -1; x <= 1; ++x) n += (flat ? x || y : abs(x) + abs(y) + abs(z) == 1) && READ;
  return %s;
}
"""
COUNT_RULE = "bool rule(Around a) {\n" + COUNT.replace("DOMAIN", "a.domain").replace("READ", "a(x, y, z)")
RULES = {  # A text, and the same in Python. `life` is B3/S23, of tetrahedra B1/S12: what each scene has when nothing is said.
    "life": (COUNT_RULE % "n == (flat ? 3 : 1) || (n == 2 && a())",
             lambda a: a.near() == (3 if a.ground.axes == 2 else 1) or a.near() == 2 and a()),
    "b2s": (COUNT_RULE % "n == 2 && !a()", lambda a: a.near() == 2 and not a()),
    "far": ("""bool rule(Around a) {
  const unsigned n = a(2, 0) + 2 * a(0, -2) + a(-2, 1, a.domain.dimensions - 2) + a(0, 0, -1) + a(-1000000, 0);
  return (n + a.domain.holds({a.at.x + 1, a.at.y, a.at.z}) + a.at.x + 3 * a.at.y + 2 * a.at.z) % 3 == 1;
}
""", lambda a: (a(2, 0) + 2 * a(0, -2) + a(-2, 1, a.ground.axes - 2) + a(0, 0, -1) + a(-1000000, 0)
                + ((a.at[0] + 1, *a.at[1:]) in a.ground.held) + a.at[0] + 3 * a.at[1] + 2 * a.at[2]) % 3 == 1)}
KERNEL = "template <class Group>\nvoid kernel(Group& g, From from, To to, Domain d) {\n%s}\n"
EACH = KERNEL % "  g.each([&](Thread t) {\n    Place c{t.x, t.y, t.z};\n    %s\n  });\n"
NEXT = "unsigned next(From from, Place c, Domain d) {\n" + COUNT.replace("DOMAIN", "d").replace("READ", "from(c, x, y, z)")
NEXT %= "n == (flat ? 3 : 1) || (n == 2 && from(c))"
HELD = "if (d.holds(c)) to(c, next(from, c, d));"


def own(name, body, where=lambda t: t.held, what=lambda t, a: RULES["life"][1](a), head="", text=EACH, threads=lambda ground: ground.rho,
        grid=None, launches=1, turns=1):
    """A kernel: a text; and in Python, which cells a thread writes, and what, by what is around such a cell before the step."""
    return SimpleNamespace(**{**locals(), "text": head + NEXT + text % body})


RIGHT = [own("usual", HELD),
         own("rows", HELD, head="Place threads(Domain d) { return {8, 2, d.dimensions == 2 ? 1u : 2u}; }\n",
             threads=lambda ground: (8, 2, ground.axes - 1)),
         own("launches", "if (c.x % 2 == t.block.launch) " + HELD, lambda t: t.held * (t.cell[0] % 2 == t.launch), launches=2,
             head="int launches(Domain) { return 2; }\n")]
TURNS = own("turns", "if (c.x % 2 == t.block.turn) " + HELD, lambda t: t.held * (t.cell[0] % 2 == t.turn), turns=2,
            head="int turns(Domain) { return 2; }\n")
FEW = own("few", "for (; c.y < d.n_y; ++c.y)\n      for (c.x = t.x; c.x < d.n; c.x += 4) " + HELD, threads=lambda ground: (4, 1, 1),
          grid=(1, 1, 1), where=lambda t: [cell for cell in t.ground.cells if cell[0] % 4 == t.index],
          head="Place threads(Domain) { return {4, 1, 1}; }\nPlace grid(Domain) { return {1, 1, 1}; }\n")
SUMS = own("sums", """  typename Group::template PerThread<unsigned> alive, before;
  g.each([&](Thread t) { alive[t] = before[t] = from({t.x, t.y, t.z}); });
  const unsigned all = g.sum(alive);
  g.barrier(), g.exclusive_sum(before);
  const Place first{g.block().x * g.threads().x, g.block().y * g.threads().y, g.block().z};
  g.once([&] { if (d.holds(first)) to(first, all % 3 == 1); });
  g.each([&](Thread t) { if (t.index && d.holds({t.x, t.y, t.z})) to({t.x, t.y, t.z}, (all + before[t]) % 3 == 1); });
""", text=KERNEL, what=lambda t, a: (len(a.alive.intersection(t.mates)) + len(a.alive.intersection(t.mates[:t.index]))) % 3 == 1)
SHARED = own("shared", """  const int left = 8 * g.block().x - 1, top = 4 * g.block().y - 1;
  g.each([&](Thread t) {
    for (unsigned i = t.index; i < 60; i += g.size()) s.near[i] = from({}, left + i % 10, top + i / 10);
  });
  g.barrier();
  g.each([&](Thread t) {
    unsigned n = 0, here = t.at.x + 1 + 10 * (t.at.y + 1);
    for (int i = 0; i < 9; ++i) n += i != 4 && s.near[here + 10 * (i / 3) - 10 + i % 3 - 1];
    if (d.holds({t.x, t.y}) && t.at.x % 2 == g.block().turn) to({t.x, t.y}, n == 3 || (n == 2 && s.near[here]));
  });
""", where=lambda t: t.held * (t.cell[0] % 2 == t.turn), text=KERNEL.replace("Group& g,", "Group& g, Shared<Group>& s,"), turns=2,
             threads=lambda ground: (8, 4, 1), head="template <class Group>\nstruct Shared {\n  typename Group::template Tile<unsigned, 60> near;\n};\n"
             "Place threads(Domain) { return {8, 4, 1}; }\nint turns(Domain) { return 2; }\n")
WARPS = own("warps", """  typename Group::template PerThread<unsigned> alive, before, lane, after;
  typename Group::template PerThread<bool> flag;
  g.each([&](Thread t) {
    flag[t] = alive[t] = from({t.x, t.y, t.z});
    lane[t] = (t.index + 1) % 32;
  });
  g.warp_ranks(flag, before);
  g.shuffle(alive, lane, after);
  const unsigned votes = g.ballot(flag);
  g.each([&](Thread t) { if (d.holds({t.x, t.y, t.z})) to({t.x, t.y, t.z}, (before[t] + after[t] + 2 * (votes & 1)) % 4 == 1); });
""", text=KERNEL, threads=lambda ground: (8, 4, 1), head="Place threads(Domain) { return {8, 4, 1}; }\n", what=lambda t, a: (
    len(a.alive.intersection(t.mates[:t.index])) + (t.mates[(t.index + 1) % 32] in a.alive) + 2 * (t.mates[0] in a.alive)) % 4 == 1)
WRONG = [own("missed", "if ((c.x + c.y) % 3) " + HELD, lambda t: t.held * (sum(t.cell[:2]) % 3 > 0)),
         own("doubled", f"{HELD}\n    c.y -= t.y % 2;\n    if (t.y % 4 < 2) {HELD}", lambda t: t.held + (t.cell[1] % 4 < 2) * [
             cell for cell in [(t.cell[0], t.cell[1] - t.cell[1] % 2, t.cell[2])] if cell in t.ground.held]),
         own("outside", "to(c, next(from, c, d));\n    if (c == Place{}) to(nowhere, 1), to({1u << 31, c.y, c.z}, 1);",
             lambda t: [t.cell, *[(-1, -1, -1), (1 << 31, 0, 0)] * (not any(t.cell))])]
# What the state says to leave out is 0, not what was there two steps ago. Whether it is told depends on the state that is judged.
LEAVES = own("leaves", "if (d.holds(c) && !from(c, 0, -1)) to(c, 1);", what=lambda t, a: not a(0, -1))


def run(kernel, ground):
    """Every write of every thread, in loops: the state after all steps, and what judging finds of each."""
    threads, every = kernel.threads(ground), []
    grid = kernel.grid or tuple(-(-n // size) for n, size in zip(ground.size, threads))
    for launch, block, turn in itertools.product(range(kernel.launches), places(grid), range(kernel.turns)):
        mates = [tuple(b * size + a for b, size, a in zip(block, threads, at)) for at in places(threads)]
        every += [SimpleNamespace(ground=ground, cell=c, held=[c] * (c in ground.held), index=i, mates=mates, launch=launch, turn=turn)
                  for i, c in enumerate(mates)]
    alive = set(ground.start)
    for _ in range(STEPS):
        writes = [(cell, kernel.what(thread, Around(ground, alive, cell))) for thread in every for cell in kernel.where(thread)]
        alive = ground.held & {cell for cell, value in writes if value}  # what nobody writes is 0
    times = Counter(cell for cell, _ in writes)
    missed, doubled = ([cell[:ground.axes] for cell in ground.cells if min(times[cell], 2) == many] for many in (0, 2))
    served = sum(times[cell] for cell in ground.cells)
    judge = dict(whole=True, visits=len(every), cells=len(ground.cells), served=served, missed=len(missed), doubled=len(doubled),
                 outside=len(writes) - served, first_missed=next(map(list, missed), None), first_doubled=next(map(list, doubled), None))
    said = [f"{len(of)} cells {what}, first {of[0]}" for of, what in ((missed, "missed"), (doubled, "served twice or more")) if of]
    said += [f"{judge['outside']} writes outside the domain"] * (judge["outside"] > 0)
    return SimpleNamespace(alive=alive, judge=judge, said=said, visits=[min(times[cell], 2) for cell in ground.cells])


class OwnSteps(OwnTest):
    hosts = own_maps_test.Falls.hosts

    def go(self, ground, *texts, codes=(0,), **settings):
        """Runs texts, (name, text) or a file each. Returns the stats and what was said."""
        for name, rows in MASKS.items():
            write_mask(self.folder / f"{name}.toml", rows, name, source="drawn", status="drawn")
        maps = [word for text in texts for word in ("--map", text if isinstance(text, str) else self.write(f"{text[0]}.h", text[1]))]
        done = self.warploom(*f"run {ground.scene} --backend {Settings.backend} --interop none --frames {STEPS} --stats s.json --dump d".split(),
                             *sets({**ground.settings, **settings}), *maps, env=self.environment(WARPLOOM_OWN_PATIENCE="1"))
        self.assertEqual((done.code in codes, done.out, self.hosts()), (True, "", []), str(done))
        return self.json("s.json"), done.err

    def cells(self, ground, name, outside):
        """The cells of a dump; what is no cell holds `outside`, or is no number."""
        found = dict(zip(places(ground.size), read_array(self.folder / "d" / f"{name}.npy")[2], strict=True))
        self.assertLessEqual({value for cell, value in found.items() if cell not in ground.held and value == value}, {outside})
        return [found[cell] for cell in ground.cells]

    def check_state(self, ground, track, alive):
        """Cell by cell, and the seal."""
        found = self.cells(ground, f"track{track['track']}_{ground.state}", 0)
        wrong = [(cell, value) for cell, value in zip(ground.cells, found) if value != (cell in alive)]
        self.assertEqual((wrong[:4], len(wrong), track["seal"]), ([], 0, ground.seal(alive)), track["name"])


class Rules(OwnSteps):
    def check(self, of, name, *tracks, beside=()):
        with self.subTest(rule=name, ground=of, tracks=tracks):
            ground, (text, twin) = Ground(*of), RULES[name]
            stats, said = self.go(ground, (name, text), *beside, tracks=list(tracks))
            rule, alive = stats["rule"], run(own("", "", what=lambda t, a: twin(a)), ground).alive
            self.assertEqual([rule[key] for key in ("file", "kind", "form", "judge", "fault")], [f"{name}.h", "rule", None, None, None])
            self.assertRegex(rule["hash"], "^[0-9a-f]{16}$")
            self.assertEqual((stats["parameters"]["work"], said, stats["steps"]), (f"own:{name}", "", STEPS))
            self.assertEqual(tuple(track["name"] for track in stats["tracks"]), tracks)
            for track in stats["tracks"]:
                self.check_state(ground, track, alive)
                found = track["own"] and (track["own"]["kind"], track["own"]["judge"]["missed"])
                self.assertEqual((track["agrees"], track["badge"], found), (True, None, ("map", 0) if "own:" in track["name"] else None))
            if name == "life":  # the scene's own, written out
                stats, _ = self.go(ground, tracks="bounding_box")
                self.assertEqual((stats["tracks"][0]["seal"], stats["rule"]), (ground.seal(alive), None))

    def test_under_maps(self):
        box, fractal = "bounding_box", ["bounding_box", "lambda_table/lookup/compact", "lambda_serial/unroll", "lambda_tensor_1"]
        simplex = [box, "h_map", "table/blocked", "stride_walk"]
        cases = [(TALL, "far", *fractal), (("sierpinski_gasket", 5, 8), "far", *fractal), (TRIANGLE, "b2s", *simplex),
                 (STACKED, "far", *simplex), (CORNER, "far", *simplex), (GASKET, "life", box), (TRIANGLE, "life", "h_map"),
                 (GASKET, "b2s", "lambda_shuffle/unroll", "bounding_box/compact", "lambda_serial", "lambda_table"),
                 (TRIANGLE, "far", "root_exact/box", "recursive", "rectangle/blocked", "root_exact")]
        for case in cases[:1] if Settings.quick else cases:
            self.check(*case)
        for of, name in itertools.product(GROUNDS if FULL else [], RULES):
            for tracks in simplex_oracle.track_sets(Ground(*of).axes) if of[0] in simplex_oracle.DOMAINS else [fractal[:3]]:
                self.check(of, name, *tracks)

    def test_beside_an_own_map(self):
        self.check(STACKED, "b2s", "h_map", "own:loops/blocked", beside=[(NUMBERED[0].name, NUMBERED[0].text)])
        if not Settings.quick:
            self.check(TALL, "far", "lambda_serial", "own:lambda/unroll", beside=[self.example("lambda.h")])


class Kernels(OwnSteps):
    def check(self, of, *kernels, first=("bounding_box",), way=""):
        ground = Ground(*of)
        with self.subTest(kernels=[kernel.name for kernel in kernels], ground=of, way=way):
            every = [run(kernel, ground) for kernel in kernels]
            states = [run(RIGHT[0], ground).alive] * len(first) + [one.alive for one in every]
            stats, said = self.go(ground, *((k.name, k.text) for k in kernels), codes=[3 if any(one.said for one in every) else 0],
                                  tracks=[*first, *(f"own:{kernel.name}{way}" for kernel in kernels)])
            for track, state in zip(stats["tracks"], states, strict=True):
                self.check_state(ground, track, state)
                self.assertEqual(track["agrees"], state == states[0])
            for track, kernel, one in zip(stats["tracks"][len(first):], kernels, every):
                about, threads, broken = track["own"], track["threads"], bool(one.said)
                self.assertEqual({key: value for key, value in about["judge"].items() if key != "ms"}, one.judge, kernel.name)
                self.assertEqual([about[key] for key in ("kind", "form", "fault", "trusted")], ["kernel", None, None, not broken])
                self.assertEqual((track["badge"], track["ratio_to_baseline"] is None), ("CONTRACT BROKEN" if broken else None, broken))
                self.assertEqual(self.cells(ground, f"track{track['track']}_visits", 255), one.visits, kernel.name)
                lines = [line for line in said.splitlines() if f" {track['name']}: " in line]
                self.assertEqual(lines, [f"warploom: {track['name']}: {what}" for what in one.said])
                self.assertEqual((threads["launched"], threads["useful"]), (one.judge["visits"], one.judge["served"]))
                self.assertTrue(0 <= threads["wasted"] <= threads["launched"] and track["warps"]["efficiency"] <= 1, threads)

    def test_right_and_wrong(self):
        for of in (TALL,) if Settings.quick else GROUNDS:
            self.check(of, *WRONG)
            for way in ["", "/blocked" if of[0] in simplex_oracle.DOMAINS else "/compact"][:1 + FULL]:
                self.check(of, *RIGHT[1 if Settings.quick else 0:], way=way)

    def test_more_of_groups(self):
        for of in GROUNDS if FULL else (TALL,) if Settings.quick else (TALL, TRIANGLE):
            self.check(of, SUMS, first=())
        self.check(TALL, SHARED)
        self.check(TALL, WARPS, first=())
        for kernel in () if Settings.quick else (FEW, TURNS):
            self.check(TALL, kernel)

    def test_what_the_state_leaves_out(self):
        ground = Ground(*TALL)
        stats, _ = self.go(ground, (LEAVES.name, LEAVES.text), tracks="own:leaves", codes=(0, 3))
        self.check_state(ground, stats["tracks"][0], run(LEAVES, ground).alive)


FALLS = {  # of the thread at (5, 7)
    "division": "n = 12 / (x + 100 * y - 705);", "time": "for (volatile unsigned i = 1; x == 5 && y == 7 && i;) n = i;",
    "address": "if (x == 5 && y == 7) *(volatile unsigned*)0x123456789000 = 1;",
    "bounds": "const unsigned u[3] = {1, 2, 3}; n = u[x == 5 && y == 7 ? x : 1];"}
FALL = "const unsigned x = %s.x, y = %s.y;\n  unsigned n = 1;\n  %s\n  "
BOX = "box", "Place place(Block b, Domain) { return {b.x, b.y}; }\n"


@unittest.skipIf(Settings.backend != "cpu", "a device tells other kinds: scripts/gpu_own.py")
class Falls(OwnSteps):
    def check(self, track, fault, kind, line, said):
        with self.subTest(kind, track=track["name"]):
            found = [*(fault[key] for key in ("kind", "line", "block")), *(track[key] for key in ("badge", "seal", "agrees", "threads"))]
            self.assertEqual(found, [kind, line, [1, 1, 0], "NO END" if kind == "time" else "FELL", None, False, None])
            self.assertIn(f"{kind}.h:{line}: own:{kind} {'has no end' if kind == 'time' else 'fell'}: ", said)

    def test_of_rules(self):
        for i, (kind, line) in enumerate(list(FALLS.items())[:2 if Settings.quick else 4]):
            rule = kind, "bool rule(Around a) {\n  " + FALL % ("a.at", "a.at", line) + "return n && a();\n}\n"
            of, maps, tracks = (TRIANGLE, [rule], "bounding_box") if i % 2 else (GASKET, [rule, BOX], "bounding_box,own:box")
            with self.subTest(kind):
                stats, said = self.go(Ground(*of), *maps, codes=[3], tracks=tracks)
                for track in stats["tracks"]:
                    self.check(track, stats["rule"]["fault"], kind, 4, said)
                self.assertNotIn("box.h:", said)  # that map is right
        rule = "division", "bool rule(Around a) {\n  " + FALL % ("a.at", "a.at", FALLS["division"]) + "return n && a();\n}\n"
        stats, _ = self.go(Ground(*GASKET), rule, BOX, codes=[3], tracks="own:box")
        self.assertEqual((stats["rule"]["file"], stats["rule"]["kind"], stats["rule"]["fault"]["line"]), ("division.h", "rule", 4))
        own = stats["tracks"][0]["own"]
        self.assertEqual((own["file"], own["fault"]["kind"], own["fault"]["line"]), ("box.h", "division", None))

    def test_of_kernels(self):
        for kinds in (["division"], ["time"]) if Settings.quick else (["division", "bounds", "address"], ["time"]):
            texts = [(kind, EACH % (FALL % ("t", "t", FALLS[kind]) + "if (n && d.holds(c)) to(c, from(c));")) for kind in kinds]
            stats, said = self.go(Ground(*GASKET), *texts, codes=[3], tracks="bounding_box," + ",".join(f"own:{kind}" for kind in kinds))
            self.check_state(Ground(*GASKET), stats["tracks"][0], run(RIGHT[0], Ground(*GASKET)).alive)
            for track, kind in zip(stats["tracks"][1:], kinds):
                self.check(track, track["own"]["fault"], kind, 7, said)


class Refused(OwnSteps):
    def test_what_is_not_cpp(self):
        rule = "\nbool rule(Around a) {\n  return a();\n}\n"
        for name, text, line in (
            ("both", rule + BOX[1], 5), ("given", "\nbool rule(int x) { return x; }\n", 2), ("word", rule.replace("a()", "b()"), 3),
            ("answer", "\nvoid rule(Around a) {\n  a();\n}\n", 2), ("kernel", KERNEL.replace(", Domain d", "") % "", 2),
        ):
            with self.subTest(name):
                result = self.refused("--map", self.write(f"{name}.h", text), code=1, level=3, tracks="bounding_box")
                self.assertRegex(result.err, rf"^warploom: {name}\.h:{line}:")

    def test_what_is_asked_in_vain(self):
        one, two = (self.write(name, "bool rule(Around a) { return a(); }\n") for name in ("one.h", "two.h"))
        kernel, given = self.write("step.h", RIGHT[0].text), ["own:step", "kernel"]
        for self.scene, maps, says, settings in (
            ("fractal", [one, two], ["two.h", "own:one"], {}), ("fractal", [kernel, one], given, {}), ("bins", [one], ["bins"], {}),
            *(("fractal", [one], ["own:one", *says], dict(tracks=track)) for track, says in (
                ("compact", ["'bounding_box/compact'"]), ("sliced", ["'bounding_box'"]), ("own:one", []))),
            *(("fractal", [kernel], [*given, "life"], dict(work=work)) for work in ("single_write", "reduction", "map_only")),
            *(("simplex", [kernel], [*given, "automaton"], dict(work=work)) for work in ("single_write", "stencil", "map_only")),
        ):
            with self.subTest(scene=self.scene, says=says, **settings):
                self.refused(*(word for path in maps for word in ("--map", path)), says=says, **settings)


if __name__ == "__main__":
    main()
