ALTER TYPE login_event_kind ADD VALUE 'undone';

ALTER TABLE login_session ADD COLUMN user_agent TEXT, ADD COLUMN network BYTEA, ADD COLUMN known_browser_hash BYTEA,
  ADD COLUMN undo_hash BYTEA, ADD COLUMN undone_at TIMESTAMPTZ(3);
ALTER TABLE browser_session ADD COLUMN undo_hashes BYTEA[] DEFAULT '{}';

CREATE TABLE known_browser (
  user_id INTEGER NOT NULL REFERENCES user_account ON DELETE CASCADE,
  hash BYTEA NOT NULL,
  last_seen_at TIMESTAMPTZ(3) NOT NULL,
  PRIMARY KEY (user_id, hash)
);
CREATE INDEX known_browser_last_seen_at_idx ON known_browser USING brin (last_seen_at);
