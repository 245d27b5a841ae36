"""The log: kept until it may be written, complete, bounded, and gone afterwards without a trace."""

import logging
import multiprocessing
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from sim.runner.logs import LOGGER, OUTPUT_LIMIT, OutputReader, PipeHandler, RecordReader, RunLog
from sim.runner.nursery import Nursery


def test_nothing_is_written_before_the_run_is_valid(tmp_path: Path) -> None:
    """What was logged before comes first, in order, once there is a file; and to others too."""
    seen: list[str] = []

    class Listener(logging.Handler):
        """Hears what goes to the file."""

        def emit(self, record: logging.LogRecord) -> None:
            """Note it."""
            seen.append(record.getMessage())

    log = RunLog()
    log.share()
    LOGGER.info("first")
    log.write_to(tmp_path / "run.log", Listener())
    LOGGER.info("second")
    log.close()

    lines = (tmp_path / "run.log").read_text().splitlines()
    assert [line.rpartition(" ")[2] for line in lines] == ["first", "second"] == seen


def test_the_logger_and_the_start_method_are_left_as_they_were() -> None:
    """A program that plays a run finds its own logging and multiprocessing unchanged."""
    before = (list(LOGGER.handlers), LOGGER.level, multiprocessing.get_start_method(True))

    nursery = Nursery.start()
    nursery.stop()

    assert before == (list(LOGGER.handlers), LOGGER.level, multiprocessing.get_start_method(True))


@pytest.fixture
def heard() -> Iterator[list[logging.LogRecord]]:
    """Give what the logger gets."""
    records: list[logging.LogRecord] = []

    class Listener(logging.Handler):
        """Keeps records."""

        def emit(self, record: logging.LogRecord) -> None:
            """Keep it."""
            records.append(record)

    listener = Listener()
    LOGGER.addHandler(listener)
    LOGGER.setLevel(logging.INFO)
    yield records
    LOGGER.removeHandler(listener)
    LOGGER.setLevel(logging.NOTSET)


def test_a_record_crosses_the_pipe_whole_or_not_at_all(heard: list[logging.LogRecord]) -> None:
    """Level, process and text arrive, tracebacks as text; half a record is dropped."""
    read, write = os.pipe()
    handler = PipeHandler(write)
    try:
        raise ValueError("oops")
    except ValueError:
        handler.emit(
            logging.getLogger("sim.x").makeRecord(
                "sim.x", logging.ERROR, "", 0, "it %s", ("broke",), sys.exc_info()
            )
        )
    os.write(write, b"\x50\x00\x00\x00half")
    os.close(write)
    reader = RecordReader(read)
    while reader.read():
        pass
    os.close(read)

    [record] = heard
    assert (record.levelname, record.name) == ("ERROR", "sim.x")
    assert record.getMessage().startswith("it broke\nTraceback")
    assert record.getMessage().endswith("ValueError: oops")


def test_output_is_logged_line_by_line_up_to_a_limit(heard: list[logging.LogRecord]) -> None:
    """Lines, also those that arrive in pieces or without an end; then one word that it was more."""
    read, write = os.pipe()
    reader = OutputReader(read, "worker 3")
    for piece in (b"one\ntw", b"o\nthree", b"\n"):
        os.write(write, piece)
        reader.read()
    for _ in range(2 * OUTPUT_LIMIT // 1000):
        os.write(write, b"x" * 999 + b"\n")
        reader.read()
    os.close(write)
    while reader.read():
        pass
    os.close(read)

    texts = [record.getMessage() for record in heard]
    assert texts[:3] == [f"worker 3 printed: {word}" for word in ("one", "two", "three")]
    assert texts[-1] == "worker 3 printed more, which is not kept"
    assert sum(map(len, texts)) < 2 * OUTPUT_LIMIT
    assert len([text for text in texts if "not kept" in text]) == 1
