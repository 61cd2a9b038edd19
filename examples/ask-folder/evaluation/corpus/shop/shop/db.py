"""The pool of database connections, and the migrations."""

import sys
from contextlib import contextmanager
from pathlib import Path

from psycopg_pool import ConnectionPool

_pool: ConnectionPool | None = None


def open_pool(settings: dict) -> None:
    global _pool
    _pool = ConnectionPool(
        settings["url"],
        min_size=settings["pool_min"],
        max_size=settings["pool_max"],
        kwargs={"options": f"-c statement_timeout={settings['statement_timeout_ms']}"},
    )


@contextmanager
def connection():
    assert _pool is not None, "open_pool comes first"
    with _pool.connection() as one:
        yield one


@contextmanager
def transaction():
    with connection() as one, one.transaction():
        yield one


def migrate() -> None:
    with transaction() as one:
        one.execute("create table if not exists migrations (name text primary key)")
        done = {row[0] for row in one.execute("select name from migrations")}
        for file in sorted(Path("migrations").glob("*.sql")):
            if file.name in done:
                continue
            one.execute(file.read_text())
            one.execute("insert into migrations values (%s)", [file.name])


if __name__ == "__main__" and sys.argv[1:] == ["migrate"]:
    migrate()
