CREATE TABLE reservation (
  id          INTEGER PRIMARY KEY,
  title_id    INTEGER NOT NULL,
  member_id   INTEGER NOT NULL REFERENCES member (id),
  asked_at    TEXT NOT NULL,
  state       TEXT NOT NULL CHECK (state IN ('waiting', 'on_shelf', 'collected', 'lapsed', 'withdrawn')),
  item_id     INTEGER REFERENCES item (id),
  shelf_until TEXT
);

CREATE INDEX reservation_queue ON reservation (title_id, asked_at) WHERE state = 'waiting';

CREATE TABLE closed_day (
  day    TEXT PRIMARY KEY,
  reason TEXT NOT NULL
);
