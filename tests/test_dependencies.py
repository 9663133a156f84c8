"""What is installed: exact versions, and licences that GPL-3.0-or-later allows."""

import re
import sys
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tools"))

import constraints  # noqa: E402
import licences  # noqa: E402

PACKAGES = licences.packages()
ALLOWED = re.compile(
    r"\b(MIT|MIT-CMU|BSD|0BSD|BSD-[23]-Clause|BSL-1\.0|Apache|Apache-2\.0|ISC|ISCL|PSF-2\.0|Zlib|CC0-1\.0"
    r"|MPL-2\.0|MPL 2\.0|GPL-3\.0\+|GPLv3\+)(?![\w.-])"
)
UNSTATED = {
    "axe-playwright-python": "MIT by its repository; drives the accessibility tests and is not shipped"
}


@pytest.fixture(scope="module")
def pinned() -> dict[str, str]:
    asked = [
        Requirement(line)
        for line in constraints.FILE.read_text().splitlines()
        if line and not line.startswith("#")
    ]
    return {canonicalize_name(one.name): str(one.specifier).removeprefix("==") for one in asked}


def test_everything_is_pinned_to_one_version(pinned: dict[str, str]) -> None:
    missing = set(PACKAGES) - set(pinned)
    assert not missing, f"make constraints: no version of {sorted(missing)}"


def test_what_is_installed_is_what_is_pinned(pinned: dict[str, str]) -> None:
    found = {name: package.version.partition("+")[0] for name, (package, _) in PACKAGES.items()}
    other = {
        name: (version, pinned.get(name)) for name, version in found.items() if version != pinned.get(name)
    }
    assert not other, f"installed and pinned differ: {other}"


def test_bounds_above_everywhere() -> None:
    for text in constraints.requirements():
        name = Requirement(text).name
        if name not in (*constraints.BUILD_TOOLS, "packaging"):
            assert "<" in text, f"{text} has no upper bound"


@pytest.mark.parametrize("name", PACKAGES)
def test_licence_is_compatible(name: str) -> None:
    said = licences.licence(PACKAGES[name][0])
    if said == licences.NONE:
        assert name in UNSTATED, f"{name} states no licence; find it out, and say so in UNSTATED"
    else:
        parts = [part for part in re.split(r" AND | OR |, ", said) if part != "DFSG approved"]
        assert parts and all(ALLOWED.search(part) for part in parts), f"{name}: {said}"


def test_the_page_lists_them() -> None:
    assert licences.PAGE.read_text() == licences.page(), "run `make licences`"
