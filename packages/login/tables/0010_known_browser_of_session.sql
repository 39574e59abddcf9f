ALTER TABLE browser_session ADD COLUMN known_browser_hash BYTEA;
