"""SQLite file with the raw readings and hourly means."""

import sqlite3
import threading
import time

SCHEMA = """
create table if not exists reading (
    at real not null,
    quantity text not null,
    value real not null,
    verdict text not null
);
create index if not exists reading_at on reading (quantity, at);
create table if not exists hourly (
    hour integer not null,
    quantity text not null,
    mean real, low real, high real, n integer,
    primary key (hour, quantity)
);
create table if not exists dead (sensor text primary key, since real);
"""


class Store:
    def __init__(self, config):
        self.raw_days = config.raw_days
        self.lock = threading.Lock()
        self.db = sqlite3.connect(config.path, check_same_thread=False)
        # The card in the Pi died twice from constant syncing. A power cut
        # may now cost the last few seconds, which nobody minds.
        self.db.execute("pragma journal_mode = wal")
        self.db.execute("pragma synchronous = normal")
        self.db.executescript(SCHEMA)

    def add(self, quantity, value, verdict, at=None):
        with self.lock, self.db:
            self.db.execute(
                "insert into reading values (?, ?, ?, ?)",
                (time.time() if at is None else at, quantity, value, verdict),
            )

    def latest(self, quantity):
        with self.lock:
            return self.db.execute(
                "select value, at from reading where quantity = ? and verdict = 'ok' order by at desc limit 1",
                (quantity,),
            ).fetchone()

    def total(self, quantity, since):
        with self.lock:
            row = self.db.execute(
                "select coalesce(sum(value), 0) from reading where quantity = ? and verdict = 'ok' and at >= ?",
                (quantity, since),
            ).fetchone()
        return row[0]

    def mark_dead(self, sensor):
        with self.lock, self.db:
            self.db.execute("insert or replace into dead values (?, ?)", (sensor, time.time()))

    def prune(self, now):
        """Folds old raw readings into hourly means and deletes them."""
        limit = now - self.raw_days * 86400
        with self.lock, self.db:
            self.db.execute(
                "insert or ignore into hourly"
                " select cast(at / 3600 as integer), quantity, avg(value), min(value), max(value), count(*)"
                " from reading where at < ? and verdict = 'ok' group by 1, 2",
                (limit,),
            )
            self.db.execute("delete from reading where at < ?", (limit,))

    def close(self):
        self.db.close()
