-- From here on the login's tables change by packages/login/tables, as a site's do. Those of this database are at
-- version 11, except for one that only sites had.
CREATE TABLE site_user (
  user_id INTEGER PRIMARY KEY REFERENCES user_account ON DELETE CASCADE,
  site_id TEXT NOT NULL,
  created_at TIMESTAMPTZ(3) NOT NULL
);

CREATE TABLE schema_version (version INTEGER PRIMARY KEY);
INSERT INTO schema_version SELECT generate_series(1, 11);
