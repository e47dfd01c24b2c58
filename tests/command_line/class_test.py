"""Classes: made, answered, and judged anew (docs/learning.md)."""

import csv
import io
import json
from pathlib import Path

from warploom_test import ProgramTest, main


class Classes(ProgramTest):
    def new(self, *more, code=0):
        done = self.warploom("class", "new", "course", "--title", "GPU maps", "--tour", "thread_map", "--puzzle", "full_house",
                             "--puzzle", "corner", *more)
        self.assertEqual(done.code, code, done)
        return done

    def answer(self, name, puzzle, *settings, out=None, code=0):
        out = out or f"{name}.warploom.json"
        words = [word for setting in settings for word in ("--set", setting)]
        done = self.warploom("class", "answer", "course", "--name", name, "--puzzle", puzzle, *words, "--out", out)
        self.assertEqual(done.code, code, done)
        return self.folder / out

    def collect(self, *files, code=0, more=()):
        done = self.warploom("class", "collect", "course", *files, "--out", "results.csv", *more)
        self.assertEqual(done.code, code, done)
        return list(csv.DictReader(io.StringIO((self.folder / "results.csv").read_text()))), done

    def test_a_class_from_the_first_to_the_table(self):
        (self.folder / "scene.toml").write_text('schema = 1\nscene = "fractal"\n[parameters]\nlevel = 3\n')
        self.new("--scene-file", "scene.toml")
        course = self.folder / "course"
        self.assertEqual(sorted(path.name for path in course.iterdir()), ["README.md", "class.toml", "puzzles", "scenes", "tours"])
        self.assertTrue((course / "puzzles" / "full_house.toml").is_file() and (course / "scenes" / "scene.toml").is_file())
        self.answer("Berta", "full_house", "block=32", "tracks=lambda_table/lookup")
        self.answer("Anna", "full_house", "block=16", "tracks=lambda_table/lookup", code=3)
        self.answer("Anna", "corner", "block=4", "tracks=stride_walk")
        self.answer("Anna", "full_house", "block=1", "tracks=compact")  # takes the place of the first
        rows, _ = self.collect("Berta.warploom.json", "Anna.warploom.json")
        self.assertEqual([(row["name"], row["puzzle"], row["solved"], row["score"], row["note"]) for row in rows],
                         [("Anna", "corner", "yes", "2600", ""), ("Anna", "full_house", "yes", "95", ""), ("Berta", "full_house", "yes", "351", "")])
        self.assertEqual(rows[1]["attempts"], "2")
        first = (self.folder / "results.csv").read_bytes()
        self.collect("Anna.warploom.json", "Berta.warploom.json")
        self.assertEqual(first, (self.folder / "results.csv").read_bytes())
        self.assertEqual(first.split(b"\n")[0], b"name,puzzle,solved,score,unit,claimed,hints,attempts,seconds,note,file")

    def test_scores_are_never_believed(self):
        self.new()
        file = self.answer("Carl", "full_house", "block=32", "tracks=lambda_table/lookup")
        hand_in = json.loads(file.read_text())
        hand_in["answers"][0]["claimed"] = 3
        file.write_text(json.dumps(hand_in))
        rows, _ = self.collect(file.name)
        self.assertEqual((rows[0]["score"], rows[0]["claimed"]), ("351", "3"))
        self.assertIn("claimed 3", rows[0]["note"])
        hand_in["answers"][0] |= {"puzzle_hash": "0" * 16}
        file.write_text(json.dumps(hand_in))
        rows, _ = self.collect(file.name)
        self.assertEqual(rows[0]["solved"], "")
        self.assertIn("another text", rows[0]["note"])
        hand_in["answers"][0] = {"puzzle": "../../secret", "puzzle_hash": "0", "settings": {}}
        file.write_text(json.dumps(hand_in))
        rows, _ = self.collect(file.name)
        self.assertIn("unknown puzzle", rows[0]["note"])

    def test_odd_files_have_rows_with_notes(self):
        self.new()
        good = self.answer("=1+1", "full_house", "block=32", "tracks=lambda_table/lookup", out="a.json")
        (self.folder / "b.json").write_text(good.read_text())
        (self.folder / "c.json").write_text(good.read_text()[:80])
        (self.folder / "d.json").write_text(good.read_text().replace(json.loads(good.read_text())["class"], "0" * 16))
        self.answer('Ed, "the map"', "corner", "block=4", "tracks=stride_walk", out="e.json")
        rows, done = self.collect("a.json", "b.json", "c.json", "d.json", "e.json", "gone.json", code=1)
        notes = {row["file"]: row["note"] for row in rows}
        self.assertEqual(notes["a.json"], "")
        self.assertIn("same name", notes["b.json"])
        self.assertIn("damaged", notes["c.json"])
        self.assertIn("another class", notes["d.json"])
        self.assertEqual(next(row["name"] for row in rows if row["file"] == "a.json"), "'=1+1")
        self.assertEqual(next(row["name"] for row in rows if row["file"] == "e.json"), 'Ed, "the map"')
        for name in ("c.json", "d.json", "gone.json"):
            self.assertIn(name, done.err)

    def test_a_table_takes_the_place_of_a_table_alone(self):
        """Of `--out *.json` a shell makes the name of a hand-in."""
        self.new()
        names = []
        for name in ("Anna", "Berta"):
            self.answer(name, "corner", "block=4", "tracks=stride_walk")
            names.append(f"{name}.warploom.json")
        before = [(self.folder / name).read_bytes() for name in names]
        for words in ([*names[1:], "--out", names[0]], [names[0], "--out", "t.csv", "--out-predictions", names[1]]):
            done = self.warploom("class", "collect", "course", *words)
            self.assertEqual(done.code, 1, done)
            self.assertIn("no such table", done.err)
        (self.folder / "blank.txt").write_text("\nmine\n")
        self.assertEqual(self.warploom("class", "collect", "course", *names, "--out", "blank.txt").code, 1)
        self.assertEqual((self.folder / "blank.txt").read_text(), "\nmine\n")
        self.assertEqual([(self.folder / name).read_bytes() for name in names], before)
        self.assertFalse((self.folder / "t.csv").exists())
        for _ in range(2):
            self.assertEqual(self.warploom("class", "collect", "course", *names, "--out", "t.csv").code, 0)

    def test_what_is_refused(self):
        self.new()
        self.new(code=1)  # it is there
        for words, code in ((["--name", "x" * 81], 2), (["--name", "a\tb"], 2), ([], 2)):
            done = self.warploom("class", "answer", "course", *words, "--puzzle", "corner", "--set", "block=4", "--out", "x.json")
            self.assertEqual(done.code, code, done)
        self.assertEqual(self.warploom("class", "answer", "course", "--name", "A", "--puzzle", "sectors", "--out", "x.json").code, 2)
        self.assertEqual(self.warploom("class", "answer", "course", "--name", "A", "--puzzle", "corner", "--set", "n=3", "--out", "x.json").code, 2)
        self.assertEqual(self.warploom("class", "answer", "gone", "--name", "A", "--puzzle", "corner", "--out", "x.json").code, 1)
        self.assertFalse((self.folder / "x.json").exists())
        self.assertEqual(self.warploom("class", "new", "other", "--title", "T", "--puzzle", "cornr").code, 2)
        self.assertFalse((self.folder / "other").exists())
        self.assertEqual(self.warploom("class", "mew").code, 2)

    def test_a_tour_of_ones_own_must_hold(self):
        tour = ('schema = 1\ntour = "Mine"\nidea = "A box."\nminutes = 1\nscene = "fractal"\n[[steps]]\ntitle = "One"\ntext = "81 cells."\n'
                'do = "set level=4 block=4"\ncheck = "results.cells = 81"\n')
        (self.folder / "mine.toml").write_text(tour)
        (self.folder / "wrong.toml").write_text(tour.replace("= 81", "= 82"))
        done = self.warploom("class", "new", "course", "--title", "Mine", "--tour", "wrong.toml")
        self.assertEqual(done.code, 1, done)
        self.assertRegex(done.err, r"wrong.toml:\d+: .*82")
        # Nor does one of the user's own that is named by its key.
        own = self.base / "config" / "warploom" / "tours"
        own.mkdir(parents=True)
        (own / "kept.toml").write_text(tour.replace("= 81", "= 82"))
        self.assertEqual(self.warploom("class", "new", "course", "--title", "Mine", "--tour", "kept").code, 1)
        self.assertFalse((self.folder / "course").exists())
        self.assertEqual(self.warploom("class", "new", "course", "--title", "Mine", "--tour", "mine.toml").code, 0)
        self.assertTrue((self.folder / "course" / "tours" / "mine.toml").is_file())

    def test_files_beside_a_tour_are_missed_at_once(self):
        self.assertEqual(self.warploom("run", "fractal", "--backend", "cpu", "--frames", 1, "--set", "level=4", "--dump", "d").code, 0)
        (self.folder / "x.npy").write_bytes(next((self.folder / "d").glob("track0_state.npy")).read_bytes())
        (self.folder / "mine.toml").write_text('schema = 1\ntour = "Mine"\nidea = "A box."\nminutes = 1\nscene = "fractal"\n[[steps]]\n'
                                               'title = "One"\ntext = "A state."\ndo = "set level=4 state=x.npy"\n')
        done = self.warploom("run", "--tour", "mine.toml", "--check", "--backend", "cpu")
        self.assertEqual(done.code, 0, done)
        done = self.warploom("class", "new", "course", "--title", "Mine", "--tour", "mine.toml")
        self.assertEqual(done.code, 1, done)
        self.assertIn("x.npy", done.err)
        self.assertIn("taken along", done.err)
        self.assertFalse((self.folder / "course").exists())

    def test_no_file_is_followed_out_of_the_folder(self):
        self.new()
        puzzle = self.folder / "course" / "puzzles" / "corner.toml"
        outside = self.folder / "outside.toml"
        puzzle.rename(outside)
        puzzle.symlink_to(outside)
        done = self.warploom("class", "answer", "course", "--name", "A", "--puzzle", "corner", "--set", "block=4", "--out", "x.json")
        self.assertEqual(done.code, 1, done)
        self.assertIn("leads out", done.err)

    def test_a_puzzle_of_ones_own_must_not_solve_itself(self):
        text = next(path for path in (Path(__file__).resolve().parents[2] / "assets" / "puzzles").glob("corner.toml")).read_text()
        (self.folder / "easy.toml").write_text(text.replace("score <= 3000", "score <= 1e9").replace("tracks.B.warps.lanes_lost = 0", "score >= 0"))
        done = self.warploom("class", "new", "course", "--title", "Mine", "--puzzle", "easy.toml")
        self.assertEqual(done.code, 1, done)
        self.assertIn("its start solves it", done.err)
        self.assertFalse((self.folder / "course").exists())

    def test_scenes_are_not_followed_out_of_the_folder(self):
        (self.folder / "small.toml").write_text('schema = 1\nscene = "fractal"\n')
        self.assertEqual(self.warploom("class", "new", "course", "--title", "T", "--scene-file", "small.toml").code, 0)
        scene = self.folder / "course" / "scenes" / "small.toml"
        scene.unlink()
        scene.symlink_to(self.folder / "small.toml")
        done = self.warploom("class", "collect", "course", "a.json", "--out", "t.csv")
        self.assertEqual(done.code, 1, done)
        self.assertIn("it leads out of the class's folder", done.err)
        scene.unlink()
        for value in ("../outside.npy", "/outside.npy"):
            scene.write_text(f'schema = 1\nscene = "fractal"\n[parameters]\nstate = "{value}"\n')
            done = self.warploom("class", "collect", "course", "a.json", "--out", "t.csv")
            self.assertEqual(done.code, 1, done)
            self.assertIn(value, done.err)
            self.assertEqual(self.warploom("class", "new", "other", "--title", "T", "--scene-file", scene).code, 1)

    def test_own_maps_are_code(self):
        self.new()
        (self.folder / "box.h").write_text("Place place(Block b, Domain) { return {b.x, b.y}; }\n")
        done = self.warploom("class", "answer", "course", "--name", "Dora", "--puzzle", "full_house", "--map", "box.h", "--set", "block=32",
                             "--out", "d.json")
        self.assertEqual(done.code, 3, done)
        rows, _ = self.collect("d.json")
        self.assertEqual(rows[0]["solved"], "")
        self.assertIn("--trust", rows[0]["note"])
        rows, _ = self.collect("d.json", more=["--trust"])
        self.assertEqual(rows[0]["solved"], "no")
        # Another student's map of that name is another map.
        (self.folder / "box.h").write_text("Place grid(Domain d) { return {d.blocks, d.blocks + 1, 1}; }\n"
                                           "Place place(Block b, Domain) { return {b.x, b.y}; }\n")
        done = self.warploom("class", "answer", "course", "--name", "Eve", "--puzzle", "full_house", "--map", "box.h", "--set", "block=32",
                             "--out", "e.json")
        self.assertEqual(done.code, 3, done)
        both, _ = self.collect("d.json", "e.json", more=["--trust"])
        alone, _ = self.collect("e.json", more=["--trust"])
        self.assertEqual([row["score"] for row in both], [rows[0]["score"], alone[0]["score"]])
        self.assertNotEqual(both[0]["score"], both[1]["score"])
        self.assertEqual([row["note"] for row in both], ["", ""])


if __name__ == "__main__":
    main()
