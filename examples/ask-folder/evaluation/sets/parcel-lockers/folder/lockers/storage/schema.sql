CREATE TABLE IF NOT EXISTS compartment (
  number INTEGER PRIMARY KEY,
  size TEXT NOT NULL CHECK (size IN ('SMALL', 'MEDIUM', 'LARGE', 'BULKY')),
  state TEXT NOT NULL DEFAULT 'free',
  accessible INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE IF NOT EXISTS resident (
  id INTEGER PRIMARY KEY,
  -- As on the bell, for example 3B. Upper case.
  flat TEXT NOT NULL UNIQUE,
  phone TEXT NOT NULL,
  needs_accessible INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE IF NOT EXISTS parcel (
  id INTEGER PRIMARY KEY,
  resident INTEGER NOT NULL REFERENCES resident (id),
  compartment INTEGER NOT NULL REFERENCES compartment (number),
  code TEXT NOT NULL,
  stored_at TEXT NOT NULL,
  reminded INTEGER NOT NULL DEFAULT 0,
  returning INTEGER NOT NULL DEFAULT 0,
  collected_at TEXT
);

CREATE INDEX IF NOT EXISTS parcel_by_code ON parcel (code) WHERE collected_at IS NULL;
