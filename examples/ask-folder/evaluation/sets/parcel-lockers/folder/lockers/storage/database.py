"""All SQL is here."""

import sqlite3
import threading
from datetime import datetime
from pathlib import Path

from lockers.models import Compartment, Parcel, Resident, Size, State

SCHEMA = Path(__file__).with_name("schema.sql")

STORED = """
SELECT p.id, p.code, p.stored_at, p.reminded, r.id, r.flat, r.phone, r.needs_accessible,
       c.number, c.size, c.state, c.accessible
FROM parcel p JOIN resident r ON r.id = p.resident JOIN compartment c ON c.number = p.compartment
WHERE p.collected_at IS NULL
"""


class Database:
    def __init__(self, path: str) -> None:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        self._lock = threading.RLock()
        self._db = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
        # The hall loses power when somebody trips over the cable: prefer safe over fast.
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = FULL")
        self._db.executescript(SCHEMA.read_text("utf-8"))

    def resident(self, flat: str) -> Resident | None:
        row = self._one("SELECT id, flat, phone, needs_accessible FROM resident WHERE flat = ?", flat.upper())
        return None if row is None else Resident(row[0], row[1], row[2], bool(row[3]))

    def compartments(self) -> list[Compartment]:
        rows = self._all("SELECT number, size, state, accessible FROM compartment ORDER BY number")
        return [Compartment(n, Size[size], State(state), bool(acc)) for n, size, state, acc in rows]

    def codes(self) -> set[str]:
        return {row[0] for row in self._all("SELECT code FROM parcel WHERE collected_at IS NULL")}

    def stored(self) -> list[Parcel]:
        return [self._parcel(row) for row in self._all(STORED)]

    def by_code(self, code: str) -> Parcel | None:
        row = self._one(STORED + " AND p.code = ?", code)
        return None if row is None else self._parcel(row)

    def store(self, resident: Resident, compartment: Compartment, code: str) -> Parcel:
        now = datetime.now()
        with self._lock:
            self._db.execute("BEGIN IMMEDIATE")
            self._db.execute("UPDATE compartment SET state = 'occupied' WHERE number = ?", (compartment.number,))
            cursor = self._db.execute(
                "INSERT INTO parcel (resident, compartment, code, stored_at) VALUES (?, ?, ?, ?)",
                (resident.id, compartment.number, code, now.isoformat()),
            )
            self._db.execute("COMMIT")
        return Parcel(cursor.lastrowid, resident, compartment, code, now)

    def collected(self, parcel: Parcel) -> None:
        with self._lock:
            self._run("UPDATE parcel SET collected_at = ? WHERE id = ?", datetime.now().isoformat(), parcel.id)
            self._run("UPDATE compartment SET state = 'free' WHERE number = ?", parcel.compartment.number)

    def reminded(self, parcel: Parcel) -> None:
        self._run("UPDATE parcel SET reminded = reminded + 1 WHERE id = ?", parcel.id)

    def mark_for_return(self, parcel: Parcel) -> None:
        self._run("UPDATE parcel SET returning = 1 WHERE id = ?", parcel.id)

    def forget(self, before: datetime) -> None:
        self._run("DELETE FROM parcel WHERE collected_at < ?", before.isoformat())

    def _parcel(self, row) -> Parcel:
        pid, code, stored_at, reminded, rid, flat, phone, needs, number, size, state, acc = row
        resident = Resident(rid, flat, phone, bool(needs))
        compartment = Compartment(number, Size[size], State(state), bool(acc))
        return Parcel(pid, resident, compartment, code, datetime.fromisoformat(stored_at), reminded)

    def _run(self, sql: str, *values) -> None:
        with self._lock:
            self._db.execute(sql, values)

    def _one(self, sql: str, *values):
        with self._lock:
            return self._db.execute(sql, values).fetchone()

    def _all(self, sql: str, *values):
        with self._lock:
            return self._db.execute(sql, values).fetchall()
