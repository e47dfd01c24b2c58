"""Hash tables as the design has them: keys and queries, two_level word for word, and walks through every table's dump.

Import it; it tests nothing by itself. Standard library only.
"""

import math

from oracle import key_hash

LOW, WORD = 0xFFFFFFFF, (1 << 64) - 1
EMPTY, ABSENT, PRIME = WORD, 1 << 32, 1900813


def fmix32(k):
    k ^= k >> 16
    k = k * 0x85EBCA6B & LOW
    k ^= k >> 13
    k = k * 0xC2B2AE35 & LOW
    return k ^ k >> 16


def ceil_over(keys, load):
    return math.ceil(keys / load)


def prime_from(n):
    n = max(n, 2)
    while any(n % d == 0 for d in range(2, math.isqrt(n) + 1)):
        n += 1
    return n


class Design:
    """Streams, functions, keys and queries of a seed."""

    def __init__(self, seed, published=False):
        self.streams = [key_hash(seed, j) for j in range(8)]
        self.published = published

    def h(self, stream, i):
        return key_hash(self.streams[stream], i)

    def function(self, f, attempt=0):
        v = self.h(6, f + 16 * attempt)
        if self.published:
            c0, c1 = (v >> 32) % PRIME, 1 + (v & LOW) % (PRIME - 1)
            return lambda k, r: (c0 + c1 * k) % PRIME % r
        a, b = v & LOW | 1, v >> 32
        return lambda k, r: fmix32(k * a + b & LOW) * r >> 32

    def value(self, key):
        return self.h(5, key) >> 33

    def pair(self, key):
        return key | self.value(key) << 32

    def keys_and_queries(self, recipe, count, hits, side, step, file):
        if recipe == "voxels":
            return sheet(side, step), [k for k in mirror(side)]
        start = self.h(0, 0) & LOW
        if file is not None:
            keys, strangers = file, lambda i: self.h(4, i) >> 32
        elif recipe == "sequential":
            keys, strangers = list(range(count)), lambda i: count + i
        else:
            by = 16 if recipe == "duplicates" else 1
            keys, strangers = [fmix32(i // by + start & LOW) for i in range(count)], lambda i: fmix32(count + i + start & LOW)
        queries = []
        for i in range(len(keys)):
            v = self.h(3, i)
            asked = (v >> 11) * 2.0**-53 < hits
            queries.append(keys[(v & LOW) * len(keys) >> 32] if asked else strangers(i))
        return keys, queries


def wave(t):
    u = t % 128
    return (u if t % 256 < 128 else -u) * (128 - u)


def in_sheet(side, x, y, z, step):
    x, y, z = 512 * (x + step) // side, 512 * y // side, 512 * z // side
    return abs(wave(x) * wave(y + 64) + wave(y) * wave(z + 64) + wave(z) * wave(x + 64)) < 2**28 // side


def voxels(side, has):
    return [x + (y << 10) + (z << 20) for z in range(side) for y in range(side) for x in range(side) if has(x, y, z)]


def sheet(side, step):
    return voxels(side, lambda x, y, z: in_sheet(side, x, y, z, step))


def mirror(side):
    return voxels(side, lambda x, y, z: in_sheet(side, x, z, y, 0))


class Refused(Exception):
    pass


class TwoLevel:
    """Level 1 and level 2 as the design has them."""

    def __init__(self, design, keys):
        self.buckets = -(-len(keys) // 409)
        for self.restarts in range(8):
            home = design.function(0, self.restarts)
            inside = [[] for _ in range(self.buckets)]
            for key in keys:
                inside[home(key, self.buckets)].append(key)
            self.counts = [len(one) for one in inside]
            if max(self.counts) <= 512:
                break
        else:
            raise Refused
        triples = [[design.function(f, t) for f in (1, 2, 3)] for t in range(8)]
        self.table, self.rounds, self.reseeds, self.writes = [], [], [], 0
        for bucket in inside:
            for attempt in range(8):
                built = self.build(bucket, triples[attempt])
                if built:
                    break
            else:
                raise Refused
            words, rounds, writes = built
            self.table += [EMPTY if word == 0 else design.pair(word & LOW) for word in words]
            self.rounds.append(rounds)
            self.reseeds.append(attempt)
            self.writes += writes

    @staticmethod
    def build(keys, functions):
        copies = {}
        for key in keys:
            copies[key] = copies.get(key, 0) + 1
        words, place, writes = [0] * 576, dict.fromkeys(copies), 0
        holds = lambda key: place[key] is not None and words[place[key]] & LOW == key
        for round_number in range(1, 26):
            for j in range(3):
                phase = 3 * (round_number - 1) + j + 1
                for key in [key for key in copies if not holds(key)]:
                    place[key] = 192 * j + functions[j](key, 192)
                    words[place[key]] = max(words[place[key]], phase << 32 | key)
                    writes += copies[key]
            if all(holds(key) for key in copies):
                return words, round_number, writes
        return None


class Walks:
    """(answer, probes) of a key, from what a track dumps."""

    def __init__(self, track, design, arrays, load, bucket, restarts):
        self.design, self.arrays, self.bucket = design, arrays, bucket
        self.functions = [design.function(f, restarts if track in ("two_level", "bucketed") else 0) for f in range(3)]
        if track == "two_level":
            self.triples = [[design.function(f, t) for f in (1, 2, 3)] for t in range(8)]
        self.find = getattr(self, track)

    def two_level(self, key):
        table, reseeds = self.arrays["table"], self.arrays["reseeds"]
        bucket = self.functions[0](key, len(reseeds))
        for j in range(3):
            word = table[576 * bucket + 192 * j + self.triples[reseeds[bucket]][j](key, 192)]
            if word == EMPTY:
                return ABSENT, j + 1
            if word & LOW == key:
                return word >> 32, j + 1
        return ABSENT, 3

    def open(self, key, step):
        table = self.arrays["table"]
        slot, probes = self.functions[0](key, len(table)), 1
        while table[slot] != EMPTY:
            if table[slot] & LOW == key:
                return table[slot] >> 32, probes
            slot, probes = (slot + step) % len(table), probes + 1
        return ABSENT, probes

    def linear(self, key):
        return self.open(key, 1)

    def double(self, key):
        return self.open(key, 1 + self.functions[1](key, len(self.arrays["table"]) - 1))

    def chaining(self, key):
        keys, heads, following = self.arrays["keys"], self.arrays["heads"], self.arrays["next"]
        node, probes = heads[self.functions[0](key, len(heads))], 0
        while node != -1:
            probes += 1
            if keys[node] == key:
                return self.design.value(key), probes
            node = following[node]
        return ABSENT, probes

    def bucketed(self, key):
        table, b = self.arrays["table"], self.bucket
        for f in range(3):
            bucket = self.functions[f](key, len(table) // b)
            for word in table[b * bucket : b * bucket + b]:
                if word == EMPTY:
                    return ABSENT, f + 1
                if word & LOW == key:
                    return word >> 32, f + 1
        return ABSENT, 3

    def sort(self, key):
        table = self.arrays["table"]
        first, n, probes = 0, len(table), 1
        while n > 1:
            half = n // 2
            if table[first + half] & LOW <= key:
                first += half
            n -= half
            probes += 1
        return (table[first] >> 32 if table[first] & LOW == key else ABSENT), probes
