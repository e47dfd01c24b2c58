"""The system `tasks` of irregular algorithms: trees, images and charts, against programs of its own."""

import shutil

from files import read_array, write_array
from irregular_tasks_oracle import STRATEGIES, WORD, Mandelbrot, Octree, RandomTree, Tree, clusters, key_hash
from warploom_test import OUTPUTS, ProgramTest, main


class TasksTest(ProgramTest):
    scene, outputs, given = "irregular", OUTPUTS, {"system": "tasks"}
    all_tracks = (["static_list", "locked_queue", "lock_free_queue"], ["stealing", "rebalance"])

    def tasks(self, tracks, frames=0, **settings):
        shutil.rmtree(self.folder / "d", ignore_errors=True)
        return self.run_scene("--dump", "d", frames=frames, system="tasks", tracks=tracks, **settings)

    def rows(self, track, name):
        _, (count, wide), values = read_array(self.folder / "d" / f"track{track}_{name}.npy")
        return [tuple(values[i * wide:(i + 1) * wide]) for i in range(count)]

    def check_run(self, stats, tree, results, blocks):
        expected = {"tasks": len(tree.work), "generations": tree.depth[-1] + 1, "work_ns": tree.total(),
                    "critical_path_ns": tree.critical(), **results}
        self.assertEqual({key: stats["results"][key] for key in expected}, expected)
        for i, track in enumerate(stats["tracks"]):
            with self.subTest(track=track["name"]):
                self.assertTrue(track["agrees"], track)
                self.assertEqual((track["check"]["against"], track["check"]["kind"], track["check"]["error"]),
                                 ("oracle", "bitwise", 0))
                self.assertIsNone(track["threads"])
                self.assertEqual(track["numbers"]["made"], len(tree.work))
                self.check_chart(i, track, tree, blocks)

    def check_chart(self, i, track, tree, blocks):
        made = STRATEGIES[track["name"]](tree, blocks)
        tasks, turns = self.rows(i, "tasks"), self.rows(i, "turns")
        self.assertEqual([(t[0], t[1], t[5]) for t in tasks], list(zip(tree.parent, tree.work, tree.depth)))
        self.assertEqual([t[2:5] for t in tasks], list(zip(made.block, made.start, made.end)))
        self.assertEqual(track["numbers"]["makespan_ns"], made.over)
        self.assertAlmostEqual(track["numbers"]["busy_share"], tree.total() / (blocks * made.over), places=5)
        for parent, _, _, start, _, _ in tasks:
            self.assertTrue(parent < 0 or tasks[parent][4] <= start, "a child before its parent ends")
        # The turns of a block follow each other; those of work are the tasks.
        self.assertEqual(sorted((b, start, end) for b, kind, start, end in turns if kind == 0 and end > start),
                         sorted(t[2:5] for t in tasks if t[4] > t[3]))
        last = {}
        for block, kind, start, end in turns:
            self.assertTrue(0 <= kind <= 4 and last.get(block, 0) <= start < end <= made.over, (block, kind, start, end))
            last[block] = end
        self.assertEqual(max(last.values()), made.over)

    def check_everywhere(self, tree, seal, blocks, results=None, frames=0, **settings):
        seals = set()
        for tracks in self.all_tracks:
            stats = self.tasks(tracks, frames, timeline="on", clock="modelled", blocks=blocks, **settings)
            self.check_run(stats, tree, results or {}, blocks)
            seals |= {int(str(track["seal"]), 16) for track in stats["tracks"]}
        self.assertEqual(seals, {seal & WORD})
        return stats


class Runs(TasksTest):
    def test_the_image(self):
        for size, iterations, frames, blocks in ((128, 40, 2, 5), (64, 16, 0, 32)):
            own = Mandelbrot(size, iterations, frames)
            tree = Tree().grow(own.first(), own.run)
            seal = sum(key_hash(n, y * size + x) for (x, y), n in own.image.items())
            unlike = sum(own.at(x, y) != n for (x, y), n in own.image.items())
            self.check_everywhere(tree, seal, blocks, {"unlike": unlike}, frames, application="mandelbrot", size=size,
                                  iterations=iterations)
            _, shape, image = read_array(self.folder / "d" / "track1_image.npy")
            self.assertEqual(shape, (size, size))
            self.assertEqual(list(image), [own.image[x, y] for y in range(size) for x in range(size)])

    def test_the_random_tree(self):
        for seed, probability, grain, blocks in ((3, .1, 2, 7), (5, .11, 0, 132), (5, 0, 64, 1)):
            own = RandomTree(seed, probability, grain)
            tree = Tree().grow(own.first(), own.run)
            self.check_everywhere(tree, sum(key_hash(0, z) for z in tree.words), blocks, application="random_tree", seed=seed,
                                  probability=probability, grain=grain)

    def test_the_octree(self):
        for count, frames, blocks in ((3000, 1, 9), (1, 0, 3), (20, 0, 2), (21, 3, 4)):
            tree = Tree().grow(*(lambda own: (own.first(), own.run))(Octree(clusters(7, count, frames))))
            seal = sum(key_hash(first + (len(members) << 32), level) for first, level, members in tree.words)
            leaves = sum(not children for children in tree.children)
            self.check_everywhere(tree, seal, blocks, {"leaves": leaves}, frames, application="octree", count=count)

    def test_the_usual_sizes(self):
        stats = self.tasks(["locked_queue", "stealing"], timeline="on", clock="modelled", application="mandelbrot")
        expected = {"tasks": 2984, "generations": 4, "work_ns": 13360400, "critical_path_ns": 115650, "unlike": 0}
        self.assertEqual({key: stats["results"][key] for key in expected}, expected)
        bound = 13360400 / 32
        self.assertEqual([round(t["numbers"]["makespan_ns"] / bound, 2) for t in stats["tracks"]], [6.50, 1.14])
        first = {name: (self.folder / "d" / name).read_bytes() for name in ("track0_tasks.npy", "track1_turns.npy")}
        self.tasks(["locked_queue", "stealing"], timeline="on", clock="modelled", application="mandelbrot")
        self.assertEqual(first, {name: (self.folder / "d" / name).read_bytes() for name in first})
        stats = self.tasks("stealing", application="random_tree", grain=0)
        self.assertEqual((stats["results"]["tasks"], stats["results"]["generations"]), (41312, 60))
        stats = self.tasks("rebalance", application="octree", count=20000)
        self.assertEqual((stats["results"]["tasks"], stats["results"]["leaves"]), (4093, 3466))

    def test_more_blocks_than_threads(self):
        for tracks in self.all_tracks:
            stats = self.tasks(tracks, 1, application="random_tree", probability=0, grain=1, blocks=1000)
            self.assertEqual([t["numbers"]["made"] for t in stats["tracks"]], [2000] * len(tracks))

    def test_points_of_a_file(self):
        write_array(self.folder / "p.npy", "<f4", (30, 3), [float(i * 7 % 31) for i in range(90)])
        stats = self.tasks(["stealing", "static_list"], 1, application="octree", points="p.npy")
        self.assertTrue(all(track["agrees"] for track in stats["tracks"]))


class Errors(TasksTest):
    def test_values(self):
        self.all_refused("size", [63, 8192, 500])
        self.all_refused("iterations", [15, 65537])
        self.all_refused("probability", [-1, .125, "nan"], application="random_tree")
        self.all_refused("grain", [-1, 65537], application="random_tree")
        self.all_refused("blocks", [-1, 4097])
        self.all_refused("capacity", [15, 1 << 25])
        self.refused(application="octre", says=["octree"])
        self.refused(tracks="steeling", says=["stealing"])
        self.refused(tracks="", says=["tracks"])
        self.refused(application="octree", points="none.npy", says=["none.npy"], code=1)

    def test_clocks(self):
        self.refused(clock="measured", says=["clock=measured", "modelled"])

    def test_queues_that_are_full(self):
        for track in ("static_list", "locked_queue", "lock_free_queue"):
            self.refused(application="random_tree", capacity=1999, tracks=track,
                         says=[f"{track}: queue full: 2000 waiting, capacity 1999", "capacity"])
        self.refused(application="random_tree", capacity=64, blocks=4, tracks="stealing", says=["500 waiting, capacity 16"])
        self.refused(application="random_tree", capacity=64, blocks=4, tracks="rebalance", says=["500 waiting, capacity 8"])


if __name__ == "__main__":
    main()
