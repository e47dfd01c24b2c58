"""Task trees and the five schedules of the system `tasks`, written from the definitions alone:
docs/scenes/irregular-tasks.md. Import it; it tests nothing by itself.
"""

import heapq

WORD = (1 << 64) - 1


def key_hash(seed, key):
    z = (seed + 0x9E3779B97F4A7C15 * (1 + key)) & WORD
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & WORD
    z = (z ^ z >> 27) * 0x94D049BB133111EB & WORD
    return z ^ z >> 31


# ---------------------------------------------------------------- trees: tasks generation by generation


class Tree:
    def __init__(self):
        self.words, self.parent, self.work, self.depth, self.children = [], [], [], [], []

    def grow(self, first, run):
        """run(word) tells the work of a task and its children."""
        level = [(word, -1) for word in first]
        depth = 0
        while level:
            after = []
            for word, parent in level:
                row = len(self.words)
                work, children = run(word)
                self.words.append(word)
                self.parent.append(parent)
                self.work.append(work)
                self.depth.append(depth)
                self.children.append([])
                if parent >= 0:
                    self.children[parent].append(row)
                after += [(child, row) for child in children]
            level = after
            depth += 1
        self.first = len(first)
        return self

    def total(self):
        return sum(self.work)

    def critical(self):
        most = [0] * len(self.work)
        for i, parent in enumerate(self.parent):
            most[i] = self.work[i] + (most[parent] if parent >= 0 else 0)
        return max(most, default=0)


def escape(re, im, iterations):
    x = y = 0
    for n in range(iterations):
        x2, y2 = x * x >> 28, y * y >> 28
        if x2 + y2 > 1 << 30:
            return n
        x, y = x2 - y2 + re, (x * y >> 27) + im
    return iterations


class Mandelbrot:
    def __init__(self, size, iterations, step=0):
        j = step % 512
        if j > 256:
            j = 512 - j
        self.size, self.iterations = size, iterations
        self.s = ((3 << 28) - (j << 21)) // size
        e = self.s * size // 2
        self.re, self.im = -e - (3 << 26), -e + (j << 17)
        self.known, self.image, self.asked = {}, {}, 0

    def at(self, x, y):
        if (x, y) not in self.known:
            self.known[x, y] = escape(self.s * x + self.re, self.s * y + self.im, self.iterations)
        return self.known[x, y]

    def first(self):
        return [(x, y, 64) for y in range(0, self.size, 64) for x in range(0, self.size, 64)]

    def run(self, task):
        x, y, side = task
        border = [(x + i, y) for i in range(side)] + [(x + i, y + side - 1) for i in range(side)]
        border += [(x, y + i) for i in range(1, side - 1)] + [(x + side - 1, y + i) for i in range(1, side - 1)]
        inside = [(x + i, y + j) for j in range(1, side - 1) for i in range(1, side - 1)]
        work, values = 0, []

        def see(places):
            nonlocal work
            for i in range(0, len(places), 64):
                found = [self.at(*p) for p in places[i:i + 64]]
                self.image.update(zip(places[i:i + 64], found))
                work += 50 * (1 + max(found))
                values.extend(found)
        see(border)
        if len(set(values)) == 1:
            self.image.update((p, values[0]) for p in inside)
            return work, []
        if side <= 8:
            see(inside)
            return work, []
        h = side // 2
        return work, [(x, y, h), (x + h, y, h), (x, y + h, h), (x + h, y + h, h)]


class RandomTree:
    def __init__(self, seed, probability, grain):
        self.seed, self.probability, self.grain = seed, probability, grain

    def first(self):
        return [key_hash(self.seed, r) for r in range(2000)]

    def run(self, z):
        more = (z >> 11) * 2.0 ** -53 < self.probability
        return 200 + 40 * self.grain, [key_hash(z, i) for i in range(8)] if more else []


def clusters(seed, count, step):
    """Points in space, 10 bits an axis."""
    streams = {j: key_hash(seed, j) for j in (0, 7)}

    def h(j, i):
        return key_hash(streams[j], i)
    points = []
    for i in range(count):
        e = (h(0, i + (3 << 32)) & 0xffffffff) * 24 >> 32
        p = []
        for a in range(3):
            g, q = h(0, i + (a << 32)), h(7, e + (a << 32))
            o = sum(g >> 8 * b & 255 for b in range(4)) - 510
            start = (q >> 54) + (o * (1 + e % 8) >> 5)
            p.append((start + step * (q % 7 - 3)) % 1024)
        points.append(p)
    return points


class Octree:
    def __init__(self, points):
        self.points = points

    def first(self):
        return [(0, 0, tuple(range(len(self.points))))]

    def run(self, task):
        first, level, members = task
        if len(members) <= 20 or level == 10:
            return 800, []
        parts = [[] for _ in range(8)]
        for i in members:
            x, y, z = (c >> 9 - level & 1 for c in self.points[i])
            parts[x + 2 * y + 4 * z].append(i)
        children = []
        for part in parts:
            if part:
                children.append((first, level + 1, tuple(part)))
            first += len(part)
        return 800 * (1 + 2 * -(-len(members) // 64)), children


# ---------------------------------------------------------------- schedules: who does which task when


class Schedule:
    def __init__(self, tree, blocks):
        n = len(tree.work)
        self.tree, self.blocks = tree, blocks
        self.block, self.start, self.end = [-1] * n, [0] * n, [0] * n
        self.over = 0

    def does(self, task, block, at):
        assert self.block[task] == -1
        self.block[task], self.start[task], self.end[task] = block, at, at + self.tree.work[task]
        return self.end[task]


def static_list(tree, blocks):
    made, level = Schedule(tree, blocks), list(range(tree.first))
    now = 0
    while level:
        now += 4000
        times = [now] * blocks
        for i, task in enumerate(level):
            times[i % blocks] = made.does(task, i % blocks, times[i % blocks] + 150) + 150
        now = max(times)
        level = [child for task in level for child in tree.children[task]]
    made.over = now
    return made


def rebalance(tree, blocks, capacity=1 << 18):
    made, room = Schedule(tree, blocks), max(16, capacity // blocks)
    waiting, now = list(range(tree.first)), 0
    while waiting:
        stacks = [waiting[b::blocks] for b in range(blocks)]
        assert max(map(len, stacks)) <= room - 8

        def rests(b):
            return not stacks[b] or room - len(stacks[b]) < 8
        now += 8000
        acts = [(now, b) for b in range(blocks) if not rests(b)]
        idle, last, did = blocks - len(acts), now, set()
        while acts:
            at, b = heapq.heappop(acts)
            if b in did and 2 * idle >= blocks:
                continue
            did.add(b)
            task = stacks[b].pop()
            stacks[b] += tree.children[task]
            at = made.does(task, b, at + 150) + 150
            last = max(last, at)
            if rests(b):  # known at once, like all that the block does
                idle += 1
            else:
                heapq.heappush(acts, (at, b))
        now = last
        waiting = [task for stack in stacks for task in stack]
    made.over = now
    return made


def persistent(tree, blocks, hand_on, take):
    """A block hands on what its task made, and takes another, in one act; it ends when it sees that no task is open."""
    made, world = Schedule(tree, blocks), World(tree, blocks)
    acts, doing = [(0, b) for b in range(blocks)], [None] * blocks
    while acts:
        at, b = heapq.heappop(acts)
        finished, doing[b] = doing[b], None
        if finished is None and world.open == 0:
            made.over = max(made.over, at)
            continue
        children = None
        if finished is not None:
            children = tree.children[finished]
            world.open += len(children) - 1
            at = hand_on(world, b, at, children)
        at, doing[b] = take(world, b, at, children)
        if doing[b] is not None:
            at = made.does(doing[b], b, at)
        heapq.heappush(acts, (at, b))
    return made


class World:
    def __init__(self, tree, blocks):
        self.open, self.words = tree.first, {}
        self.queue = list(range(tree.first))
        self.head = 0
        self.deques = [list(range(b, tree.first, blocks)) for b in range(blocks)]
        self.tops = [0] * blocks
        self.looks = [0] * blocks
        self.blocks = blocks

    def word(self, name, at):
        at = max(at, self.words.get(name, 0))
        self.words[name] = at + 1
        return at + 150

    def oldest(self):
        self.head += 1
        return self.queue[self.head - 1]


def locked_queue(tree, blocks):
    def take(world, b, at, children):
        if children is None and world.head == len(world.queue):
            return at + 150, None
        at = max(at, world.words.get("lock", 0)) + 900
        world.words["lock"] = at
        world.queue += children or []
        return at, world.oldest() if world.head < len(world.queue) else None
    return persistent(tree, blocks, lambda world, b, at, children: at, take)


def lock_free_queue(tree, blocks):
    def hand_on(world, b, at, children):
        if children:
            at = world.word("tail", at) + 150
            world.queue += children
        return world.word("open", at) if len(children) != 1 else at

    def take(world, b, at, children):
        at += 150
        if world.head == len(world.queue):
            return at, None
        return world.word("head", at) + 150, world.oldest()
    return persistent(tree, blocks, hand_on, take)


def stealing(tree, blocks):
    def hand_on(world, b, at, children):
        if children:
            at += 150
            world.deques[b] += children
        return world.word("open", at) if len(children) != 1 else at

    def take(world, b, at, children):
        if len(world.deques[b]) > world.tops[b]:
            return at + 150, world.deques[b].pop()
        if world.open == 0:
            return at, None
        if blocks == 1:
            return at + 150, None
        victim = (b + 1 + world.looks[b]) % blocks
        world.looks[b] = (world.looks[b] + 1) % (blocks - 1)
        at += 150
        if len(world.deques[victim]) == world.tops[victim]:
            return at, None
        world.tops[victim] += 1
        return world.word(victim, at) + 150, world.deques[victim][world.tops[victim] - 1]
    return persistent(tree, blocks, hand_on, take)


STRATEGIES = {f.__name__: f for f in (static_list, locked_queue, lock_free_queue, stealing, rebalance)}
