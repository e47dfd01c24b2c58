"""Scene texts are shared, so a pick in one may be any number: a pick that no track shows is dropped and told."""

from warploom_test import ProgramTest, main


class Picks(ProgramTest):
    def test_wires_past_the_network(self):
        for select in (f"wire:0,{2**31}", f"wire:0,{2**32 - 1}", f"wire:{2**32 - 1},0", f"wire:0,{2**31},6"):
            with self.subTest(select=select):
                (self.folder / "wire.toml").write_text(
                    f'schema = 1\nscene = "butterfly"\n[parameters]\nn = 6\nbatch = 8\n[view]\nselect = "{select}"\n')
                done = self.warploom("run", "--scene-file", "wire.toml", "--frames", 1, "--backend", "cpu",
                                     "--capture", "wire.png", "--size", "640x360")
                self.assertEqual(done.code, 0, done)
                self.assertIn(f"{select}: no track shows it", done.err)


main()
