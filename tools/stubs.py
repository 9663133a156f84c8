"""Writes src/rookery/native/__init__.pyi, the typed face of the native module, from the module itself."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

from nanobind.stubgen import StubGen

from rookery import native

TARGET = Path(__file__).parent.parent / "src/rookery/native/__init__.pyi"


def stub() -> str:
    """The stub as it should be. It names the package, not the level that happens to be loaded."""
    name = f"rookery.native._{native.level.replace('-', '_')}"
    generator = StubGen(module=import_module(name))
    generator.put(generator.module)
    header = "# Written by `make stubs` from the compiled module; do not edit.\n"
    header += "LEVELS: tuple[str, ...]\nBUILT: tuple[str, ...]\n\ndef best() -> str: ...\n\n"
    text = re.sub(r"^(level|build): str = .*$", r"\1: str", generator.get(), flags=re.MULTILINE)
    return header + text.replace(name, "rookery.native")


if __name__ == "__main__":
    TARGET.write_text(stub())
