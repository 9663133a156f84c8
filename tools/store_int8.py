"""Store the weights of a network in int8, one scale an output channel: python tools/store_int8.py FROM TO

FROM is an ONNX file with float32 or float16 weights, as `rookery train` writes it; TO is what the zoo holds.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from rookery.nets import quantise


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("source", type=Path)
    parser.add_argument("to", type=Path)
    given = parser.parse_args()
    given.to.write_bytes(quantise.restored(given.source.read_bytes(), "int8"))
    print(f"{given.to}: {given.to.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
