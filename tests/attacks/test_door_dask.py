"""The doors of a Dask cluster: its ports, a worker of somebody else's, and what crosses."""

import json
import math
import os
import socket

import nbformat
import psutil
import pytest

from autograder.common.course import Course
from autograder.common.paths import ROOT
from autograder.examine.work import Work
from autograder.gradebook import grade
from autograder.gradebook.task import Task, examine_one
from autograder.lesson.compose import compose, hand_in
from autograder.sandbox.limits import Limits
from tests.helpers.dask_cluster import WITHOUT

from .corpus import ATTENTION, LESSON

# Student code beside a scheduler and a worker: each sets `found` where it reaches something; an error means that it
# does not.
TRIES = {
    "the scheduler's port": "import socket; socket.create_connection(('127.0.0.1', {scheduler}), 1); found = True",
    "the worker's port": "import socket; socket.create_connection(('127.0.0.1', {worker}), 1); found = True",
    "the scheduler from outside": (
        "import socket\nfor address in {addresses}:\n"
        "    try: socket.create_connection((address, {scheduler}), timeout=0.3); found = True\n"
        "    except OSError: pass"
    ),
    "the port by UDP": (
        "import socket\nwith socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as knock:\n"
        "    knock.connect(('{address}', {scheduler})); knock.send(b'x'); found = True"
    ),
    "Dask's own client": (
        "try:\n    from dask.distributed import Client\n"
        "    Client('tcp://127.0.0.1:{scheduler}', timeout=1); found = True\n"
        "except Exception: pass"
    ),
    "the list of connections": "found = bool(open('/proc/net/tcp').read())",
    "connections that are open": (
        "import os, socket, stat\nfor number in range(3, 1024):\n    try: mode = os.fstat(number).st_mode\n"
        "    except OSError: continue\n    if stat.S_ISSOCK(mode):\n"
        "        with socket.socket(fileno=os.dup(number)) as one: found |= one.family != socket.AF_UNIX"
    ),
    "the environment": "import os; found = any('DASK' in name or 'WORKER' in name for name in os.environ)",
    "modules of the worker": "import sys; found = 'distributed' in sys.modules or 'dask' in sys.modules",
    "objects of the worker": (
        "import gc; found = any(str(type(one).__module__).startswith('distributed') for one in gc.get_objects())"
    ),
    "the worker's folder": (
        # The environment may itself lie below /tmp; its packages are no worker's.
        "import os, sys\nfound = any('dask' in name for top in ('/tmp', '/scratch', '/dev', '/run', '/var')\n"
        "    for place, folders, files in os.walk(top) if not place.startswith(sys.prefix) for name in folders + files)"
    ),
    "the worker's process": "import os; found = any(os.path.exists(f'/proc/{{pid}}') for pid in range(1, 9999))",
}


@pytest.fixture(scope="module")
def beside_a_cluster(sandbox):
    """A session in a process that is a scheduler and a worker, and their addresses."""
    distributed = pytest.importorskip("dask.distributed", reason=WITHOUT)
    with distributed.LocalCluster(
        1, processes=False, protocol="tcp://", dashboard_address=None, host="0.0.0.0"
    ) as cluster:
        port_of = {
            "scheduler": cluster.scheduler_address.rpartition(":")[2],
            "worker": next(iter(cluster.workers.values())).address.rpartition(":")[2],
        }
        cards = [one for cards in psutil.net_if_addrs().values() for one in cards]
        addresses = [card.address for card in cards if card.family == socket.AF_INET]
        outside = next((one for one in addresses if not one.startswith("127.")), "127.0.0.1")
        with sandbox.session() as session:
            yield session, port_of | {"addresses": addresses, "address": outside}


@pytest.mark.filterwarnings("ignore::Warning")
@pytest.mark.parametrize("door", TRIES)
def test_student_code_does_not_reach_the_cluster(door, beside_a_cluster):
    session, places = beside_a_cluster
    tried = TRIES[door].format(**places).splitlines(True)
    source = f"found = False\ntry:\n    {'    '.join(tried)}\nexcept OSError:\n    pass\nprint(found)"
    [shown] = session.run_cell(source, "knock")["outputs"]
    assert shown.get("text") == "False\n", shown


# ---- what crosses --------------------------------------------------------------------------------------------


def test_neither_the_courses_secret_nor_a_name_crosses(tmp_path, monkeypatch):
    crossed, secret = [], "5" * 64

    class Recorder(grade.InProcessJob):
        def __init__(self, *given):
            crossed.append(given)
            super().__init__(dict)

    monkeypatch.setattr(grade, "InProcessJob", Recorder)
    monkeypatch.setenv("ATTENTION_WORKBOOK_STORE", str(tmp_path / "store"))
    path = hand_in(compose(ATTENTION), Course(tmp_path), "lovelace", LESSON)
    left = grade._fill(ATTENTION, {"lovelace": path}, secret, 1, "", lambda *_: None, force=False)
    assert left == {"lovelace"}
    [(function, *given)] = crossed
    assert function is examine_one and secret not in repr(given) and "lovelace" not in json.dumps(given, default=str)
    notebook = nbformat.from_dict(json.loads(given[0]))
    assert given[4] == Work(notebook, ATTENTION, Limits(), secret).seed != Work(notebook, ATTENTION, Limits()).seed


RAN = {"outputs": {}, "stopped": [], "cpu_seconds": 0.1}
VERDICT = {"name": "x", "ask": "x", "outcome": "passed", "share": 0.5, "reason": None, "mistake": None, "also": None}
LIES = {
    "another's mark": {"theirs": [VERDICT]},
    "another's mark beside the own": {"mine": [], "theirs": [VERDICT]},
    "a path": {"../../../gradebook": RAN},
    "an absolute path": {"/etc/passwd": RAN},
    "no keys": [VERDICT],
    "a text": "mine",
    "nothing": None,
    "a key that is no text": {7: RAN},
    "an entry that is a number": {"mine": 1.0},
    "no entry": {"mine": None},
    "verdicts that are texts": {"mine": ["passed"]},
    "verdicts without fields": {"mine": [{"outcome": "passed"}]},
    "a verdict with more fields": {"mine": [VERDICT | {"points": 99}]},
    "a share of five": {"mine": [VERDICT | {"share": 5.0}]},
    "a share below nothing": {"mine": [VERDICT | {"share": -1.0}]},
    "a share that is no number": {"mine": [VERDICT | {"share": math.nan}]},
    "outputs that are a list": {"mine": RAN | {"outputs": []}},
    "a run without its cost": {"mine": {"outputs": {}, "stopped": []}},
}


@pytest.mark.parametrize("lie", LIES)
def test_a_worker_of_somebody_elses_gives_nothing_but_what_it_was_asked_for(lie):
    with pytest.raises(ValueError, match="not asked for"):
        Task("", {"mine"}, {"mine"}, 0).accept(LIES[lie])


def test_what_was_asked_for_is_taken():
    for entries in ({}, {"mine": RAN}, {"mine": [VERDICT]}):
        assert Task("", {"mine"}, {"mine", "cells"}, 0).accept(entries) == entries


def test_a_worker_examines_in_a_sandbox():
    notebook = compose(ATTENTION, blank=True)
    notebook.cells.insert(0, nbformat.v4.new_code_cell("import os\nprint(os.getcwd())", id="where"))
    work = Work(notebook, ATTENTION, Limits(), seed=0)
    found = examine_one(json.dumps(notebook), LESSON, ROOT, {work.cells_key}, 0)[work.cells_key]
    assert [output["text"] for output in found["outputs"]["where"]] == ["/scratch\n"] != [f"{os.getcwd()}\n"]
