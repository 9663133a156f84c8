"""Texts and bytes that are nearly right."""

from __future__ import annotations

import random
from collections.abc import Sequence

ODD = (
    *(
        "",
        " ",
        "\n",
        "\0",
        "\t",
        "-",
        "--",
        "/",
        "//",
        "0",
        "-1",
        "00",
        "9" * 30,
        "1e308",
        "nan",
        "inf",
        "2147483648",
    ),
    *(
        "18446744073709551616",
        "\ud800",
        "\U0001f600",
        "\u2028",
        "\u0661",
        "é",
        "%s",
        "{",
        "}",
        "(",
        ")",
        "[",
        "]",
    ),
    *(
        "'",
        '"',
        "\\",
        ";",
        ",",
        ":",
        "=",
        "+",
        "@",
        "#",
        "null",
        "true",
        "\x1b[31m",
        "A" * 300,
        "../..",
        "/dev/null",
    ),
)


def text(samples: Sequence[str], rng: random.Random) -> str:
    """One of them with one to four changes."""
    made = rng.choice(samples)
    for _ in range(rng.choice((1, 1, 1, 2, 2, 3, 4))):
        at = rng.randrange(len(made) + 1)
        to = min(len(made), at + rng.choice((1, 1, 1, 2, 3, 8, 20)))
        kind = rng.randrange(8)
        if kind == 0:
            made = made[:at] + made[to:]
        elif kind == 1:
            made = made[:at] + rng.choice(ODD) + made[at:]
        elif kind == 2:
            made = made[:at] + rng.choice(ODD) + made[to:]
        elif kind == 3:
            made = made[:to] + made[at:to] * rng.choice((1, 1, 2, 40)) + made[to:]
        elif kind == 4:
            other = rng.choice(samples)
            made = made[:at] + other[rng.randrange(len(other) + 1) :]
        elif kind == 5 and made:
            made = made[:at] + chr(rng.choice((rng.randrange(128), rng.randrange(0x500)))) + made[at + 1 :]
        elif kind == 6:
            words = made.split(" ")
            one, two = rng.randrange(len(words)), rng.randrange(len(words))
            words[one], words[two] = words[two], words[one]
            made = " ".join(words)
        else:
            made = made[:at] if rng.random() < 0.5 else made[at:]
    return made


def data(samples: Sequence[bytes], rng: random.Random) -> bytes:
    """The same of bytes: bits turned, cuts, blocks doubled and moved."""
    made = bytearray(rng.choice(samples))
    for _ in range(rng.choice((1, 1, 2, 3))):
        at = rng.randrange(len(made) + 1)
        to = min(len(made), at + rng.choice((1, 2, 4, 8, 64)))
        kind = rng.randrange(6)
        if kind == 0 and at < len(made):
            made[at] ^= 1 << rng.randrange(8)
        elif kind == 1:
            del made[at:to]
        elif kind == 2:
            made[at:at] = rng.randbytes(rng.choice((1, 2, 8)))
        elif kind == 3:
            made[at:to] = rng.choice((b"\xff", b"\0", b"\x7f\xc0", b"\x7f\x80")) * (to - at)
        elif kind == 4:
            del made[at:]
        else:
            head = rng.randrange(min(len(made), 200) + 1)  # where formats keep what they are
            made[head:head] = rng.choice((b"{", b"}", b"-", b"9", b'"', b"[", b",", b"\\u0000", b"e99"))
    return bytes(made)
