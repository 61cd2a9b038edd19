"""One SQLite file."""

from __future__ import annotations

import sqlite3
from datetime import datetime, timedelta

from .models import Run

SCHEMA = """
create table if not exists runs (
  id integer primary key,
  bed text not null,
  outcome text not null,
  started text not null,
  seconds integer not null,
  litres real not null
);
create index if not exists runs_by_bed on runs (bed, started);
"""


class Store:
    def __init__(self, path: str) -> None:
        self._db = sqlite3.connect(path)
        self._db.execute("pragma journal_mode = wal")
        self._db.executescript(SCHEMA)

    def add(self, run: Run) -> None:
        with self._db:
            self._db.execute(
                "insert into runs (bed, outcome, started, seconds, litres) values (?, ?, ?, ?, ?)",
                (run.bed, run.outcome.value, run.started.isoformat(), run.seconds, run.litres),
            )

    def days_since_watered(self, bed: str) -> int:
        row = self._db.execute(
            "select max(started) from runs where bed = ? and outcome = 'watered'", (bed,)
        ).fetchone()
        if row[0] is None:
            return 10_000
        return (datetime.now() - datetime.fromisoformat(row[0])).days

    def last_minutes(self, bed: str) -> float:
        row = self._db.execute(
            "select seconds from runs where bed = ? and seconds > 0 order by started desc limit 1", (bed,)
        ).fetchone()
        return row[0] / 60 if row else 5.0

    def prune(self, keep_days: int) -> int:
        """Deletes what is too old. Called on the first of the month."""
        before = (datetime.now() - timedelta(days=keep_days)).isoformat()
        with self._db:
            return self._db.execute("delete from runs where started < ?", (before,)).rowcount
