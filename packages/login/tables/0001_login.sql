CREATE TYPE credential_kind AS ENUM ('public_key', 'address');
CREATE TYPE flow AS ENUM ('login', 'hosted', 'fast');
CREATE TYPE login_status AS ENUM ('pending', 'unregistered', 'authenticated');
CREATE TYPE login_event_kind AS ENUM ('issued', 'delivered', 'refused', 'unregistered', 'session_created',
  'session_ended', 'credential_added', 'credential_removed', 'approved', 'signed_out_everywhere');

CREATE TABLE user_account (
  id SERIAL PRIMARY KEY,
  created_at TIMESTAMPTZ(3) NOT NULL
);

CREATE TABLE credential (
  id UUID PRIMARY KEY,
  user_id INTEGER NOT NULL REFERENCES user_account ON DELETE CASCADE,
  kind credential_kind NOT NULL,
  value TEXT NOT NULL UNIQUE,
  label TEXT,
  created_at TIMESTAMPTZ(3) NOT NULL,
  added_by_session UUID
);
CREATE INDEX credential_user_id_idx ON credential (user_id);

CREATE TABLE login_session (
  sid TEXT PRIMARY KEY,
  flow flow NOT NULL,
  browser_hash BYTEA,
  status login_status NOT NULL DEFAULT 'pending',
  created_at TIMESTAMPTZ(3) NOT NULL,
  challenged_at TIMESTAMPTZ(3) NOT NULL,
  authenticated_at TIMESTAMPTZ(3),
  redeemed_at TIMESTAMPTZ(3),
  user_id INTEGER REFERENCES user_account ON DELETE CASCADE,
  credential TEXT,
  adds_to_session UUID,
  approves_session UUID,
  signed_at BIGINT,
  device_info JSONB
);
CREATE INDEX login_session_browser_hash_challenged_at_idx ON login_session (browser_hash, challenged_at);
CREATE INDEX login_session_challenged_at_idx ON login_session (challenged_at);
CREATE INDEX login_session_user_id_idx ON login_session (user_id);
CREATE INDEX login_session_adds_idx ON login_session (adds_to_session) WHERE adds_to_session IS NOT NULL;
CREATE INDEX login_session_approves_idx ON login_session (approves_session) WHERE approves_session IS NOT NULL;

CREATE TABLE challenge (
  text TEXT PRIMARY KEY,
  sid TEXT NOT NULL REFERENCES login_session ON DELETE CASCADE,
  issued_at TIMESTAMPTZ(3) NOT NULL,
  spent_at TIMESTAMPTZ(3)
);
CREATE INDEX challenge_sid_idx ON challenge (sid);
CREATE INDEX challenge_issued_at_idx ON challenge (issued_at);

CREATE TABLE browser_session (
  id UUID PRIMARY KEY,
  user_id INTEGER NOT NULL REFERENCES user_account ON DELETE CASCADE,
  credential TEXT NOT NULL,
  device_info JSONB,
  user_agent TEXT,
  created_at TIMESTAMPTZ(3) NOT NULL,
  last_seen_at TIMESTAMPTZ(3) NOT NULL,
  expires_at TIMESTAMPTZ(3) NOT NULL,
  approved_at TIMESTAMPTZ(3)
);
CREATE INDEX browser_session_user_id_created_at_idx ON browser_session (user_id, created_at);
CREATE INDEX browser_session_expires_at_idx ON browser_session (expires_at);

CREATE TABLE login_event (
  id BIGSERIAL PRIMARY KEY,
  at TIMESTAMPTZ(3) NOT NULL,
  kind login_event_kind NOT NULL,
  sid TEXT,
  user_id INTEGER,
  reason TEXT,
  credential TEXT,
  device_info JSONB,
  user_agent TEXT,
  by_session UUID,
  dismissed_in UUID[] DEFAULT '{}',
  subject TEXT
);
CREATE INDEX login_event_user_id_at_idx ON login_event (user_id, at);
CREATE INDEX login_event_sid_idx ON login_event (sid);
CREATE INDEX login_event_at_idx ON login_event (at);

CREATE TABLE rate_limit (
  key VARCHAR(255) PRIMARY KEY,
  points INTEGER NOT NULL DEFAULT 0,
  expire BIGINT
);
