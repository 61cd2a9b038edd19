"""Puts a jammed compartment back into service.

Usage: scripts/unjam.py NUMBER [DATABASE]
"""

import sqlite3
import sys


def main() -> None:
    number = int(sys.argv[1])
    path = sys.argv[2] if len(sys.argv) > 2 else "/var/lib/hatchway/hatchway.sqlite"
    db = sqlite3.connect(path)
    changed = db.execute(
        "UPDATE compartment SET state = 'free' WHERE number = ? AND state = 'jammed'", (number,)
    ).rowcount
    db.commit()
    print("done" if changed else f"compartment {number} was not jammed")


if __name__ == "__main__":
    main()
