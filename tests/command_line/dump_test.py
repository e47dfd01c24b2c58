"""What --dump writes over, and what it leaves."""

import subprocess

from oracle import Settings
from warploom_test import ProgramTest, main


class Dumps(ProgramTest):
    def test_a_dump_leaves_what_it_did_not_make(self):
        (self.folder / "x.part").mkdir()
        (self.folder / "x.part" / "keep").write_text("precious")
        (self.folder / "x").mkdir()
        (self.folder / "x" / "track0_state.npy").write_text("of an earlier dump")
        (self.folder / "x" / "track0_state.npy.part").write_text("precious")
        base = ("run", "fractal", "--backend", "cpu", "--interop", "none", "--frames", 1, "--set", "level=3", "--dump")
        self.fails(1, *base, "x", says=["x", "other files"])
        self.assertEqual((self.folder / "x" / "track0_state.npy.part").read_text(), "precious")
        (self.folder / "x" / "track0_state.npy.part").unlink()
        self.succeeds(*base, "x")
        self.assertEqual((self.folder / "x.part" / "keep").read_text(), "precious")
        self.assertEqual(self.json("x/manifest.json")["schema"], "warploom.dump/1")
        self.assertEqual({p.name for p in self.folder.iterdir()}, {"x", "x.part"}, "nothing half written stays")

    def test_two_programs_dump_to_one_name(self):
        """Whichever ends last: one whole dump, and nothing beside it."""
        words = [Settings.program, "run", "fractal", "--backend", "cpu", "--interop", "none", "--frames", "0", "--dump", "x", "--set"]
        for _ in range(3 if Settings.quick else 12):
            both = [subprocess.Popen([*words, f"level={level}"], cwd=self.folder, env=self.environment(), stderr=subprocess.PIPE)
                    for level in (5, 6)]
            for one in both:
                self.assertEqual(one.wait(), 0, one.stderr.read())
                one.stderr.close()
            self.assertEqual({p.name for p in self.folder.iterdir()}, {"x"})
            files = self.json("x/manifest.json")["files"]
            self.assertEqual({p.name for p in (self.folder / "x").iterdir()}, {f["file"] for f in files} | {"manifest.json"})
            self.assertEqual(len({tuple(f["shape"][:2]) for f in files if f["file"].endswith("_state.npy")}), 1, "of one program")


main()
