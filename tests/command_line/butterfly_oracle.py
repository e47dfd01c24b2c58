"""What butterflies should give, by definition, in Python's own double."""

import cmath
import math

WORD = 1 << 32


def dft(x, sign):
    n = len(x)
    turns = [cmath.exp(sign * 2j * math.pi * k / n) for k in range(n)]
    return [sum(v * turns[i * k % n] for i, v in enumerate(x)) for k in range(n)]


def pairs(flat):
    return [complex(flat[i], flat[i + 1]) for i in range(0, len(flat), 2)]


def flat(values):
    return [part for z in values for part in (z.real, z.imag)]


def transformed(algorithm, inverse, row):
    """By definition: the numbers of an output row."""
    if algorithm == "fft":
        x = pairs(row)
        y = dft(x, 1 if inverse else -1)
        return flat([v / len(x) for v in y] if inverse else y)
    if algorithm == "real_fft" and not inverse:
        return flat(dft(list(row), -1)[: len(row) // 2 + 1])
    if algorithm == "real_fft":
        half = pairs(row)
        half[0], half[-1] = half[0].real, half[-1].real
        whole = half + [z.conjugate() for z in half[-2:0:-1]]
        return [v.real / len(whole) for v in dft(whole, 1)]
    n = len(row)
    if not inverse:
        return [2 * sum(x * math.cos(math.pi * k * (2 * j + 1) / (2 * n)) for j, x in enumerate(row)) for k in range(n)]
    return [(row[0] + 2 * sum(row[k] * math.cos(math.pi * k * (2 * j + 1) / (2 * n)) for k in range(1, n))) / (2 * n) for j in range(n)]


def relative(got, right):
    apart, whole = sum((a - b) ** 2 for a, b in zip(got, right)), sum(b * b for b in right)
    return 0 if apart == 0 else math.sqrt(apart / whole)


def combine(operator, left, right):
    if operator == "affine":
        return right[0] * left[0] % WORD, (right[0] * left[1] + right[1]) % WORD
    if operator == "max":
        return max(left, right)
    return left * right % WORD if operator == "multiply" else left + right if operator == "add_float" else (left + right) % WORD


def signed(x):
    return (x + WORD // 2) % WORD - WORD // 2


def omega(rows, x):
    worst, most = 0, max(abs(v) for v in x)
    for i in range(len(x)):
        a, b, c, d = rows[4 * i : 4 * i + 4]
        a, c = (a if i else 0), (c if i + 1 < len(x) else 0)
        left = (a * x[i - 1] if i else 0) + b * x[i] + (c * x[i + 1] if i + 1 < len(x) else 0)
        scale = (abs(a) + abs(b) + abs(c)) * most + abs(d)
        worst = max(worst, abs(d - left) / scale if scale else 0)
    return worst
