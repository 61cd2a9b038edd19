CREATE TABLE member (
  id          INTEGER PRIMARY KEY,
  card        TEXT NOT NULL UNIQUE,
  name        TEXT NOT NULL,
  kind        TEXT NOT NULL CHECK (kind IN ('adult', 'child', 'institution')),
  email       TEXT,
  joined_on   TEXT NOT NULL
);

CREATE TABLE item (
  id          INTEGER PRIMARY KEY,
  barcode     TEXT NOT NULL UNIQUE,
  title_id    INTEGER NOT NULL,
  kind        TEXT NOT NULL,
  shelf_mark  TEXT NOT NULL,
  price_pence INTEGER
);

CREATE TABLE loan (
  id          INTEGER PRIMARY KEY,
  item_id     INTEGER NOT NULL REFERENCES item (id),
  member_id   INTEGER NOT NULL REFERENCES member (id),
  lent_on     TEXT NOT NULL,
  due_on      TEXT NOT NULL,
  returned_on TEXT,
  renewals    INTEGER NOT NULL DEFAULT 0
);

-- An item can be out only once.
CREATE UNIQUE INDEX loan_open ON loan (item_id) WHERE returned_on IS NULL;
