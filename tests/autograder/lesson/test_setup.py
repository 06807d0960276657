"""The first cell's address, from which a notebook gets its modules: only what nobody else could take over."""

import pytest

from autograder.common.errors import LessonError
from autograder.lesson.setup import stamped

CELL = 'VERSION = "1"\nADDRESS = ""\n'


@pytest.mark.parametrize("address", ["https://a.b/course/c.whl?x=1", "attention-workbook==1.2.3"])
def test_an_address_is_written_into_the_cell(address):
    assert stamped(CELL, address) == f'VERSION = "1"\nADDRESS = "{address}"\n'


def test_without_an_address_the_cell_stays_as_it_is():
    assert stamped(CELL, "") == CELL


@pytest.mark.parametrize("address", ["attention-workbook", "http://a.b/c.whl", 'https://a/"; import os', "name>=1"])
def test_addresses_that_anybody_could_take_over(address):
    with pytest.raises(LessonError, match="cannot be used"):
        stamped(CELL, address)
