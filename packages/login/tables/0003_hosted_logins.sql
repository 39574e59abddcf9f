CREATE TABLE hosted_login (
  session_id TEXT PRIMARY KEY,
  browser_hash BYTEA,
  created_at TIMESTAMPTZ(3) NOT NULL,
  event_id TEXT UNIQUE,
  public_key TEXT,
  authenticated_at TIMESTAMPTZ(3),
  redeemed_at TIMESTAMPTZ(3)
);
CREATE INDEX hosted_login_browser_hash_idx ON hosted_login (browser_hash);
CREATE INDEX hosted_login_created_at_idx ON hosted_login (created_at);
