"""A little of `make soak`: spoilt archives and stores are read or refused in one line, and kill nothing."""

import pytest

from soak.texts import in_process, work_parser


@pytest.mark.parametrize("reader", ["archives", "stores"])
def test_spoilt_files_kill_nothing(reader):
    reached, counts, failures = in_process(work_parser, reader, 7, range(150))
    assert not failures and reached == 150
    assert counts["taken"] and (counts["refused"] or reader == "archives")
