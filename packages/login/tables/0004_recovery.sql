ALTER TYPE login_event_kind ADD VALUE 'recovery_codes_made';
ALTER TYPE login_event_kind ADD VALUE 'recovery_opened';
ALTER TYPE login_event_kind ADD VALUE 'recovery_pending';
ALTER TYPE login_event_kind ADD VALUE 'recovery_cancelled';
ALTER TYPE login_event_kind ADD VALUE 'recovered';

ALTER TABLE credential ADD COLUMN before_recovery_at TIMESTAMPTZ(3);

ALTER TABLE login_session ADD COLUMN recovers UUID;
CREATE INDEX login_session_recovers_idx ON login_session (recovers) WHERE recovers IS NOT NULL;

CREATE TABLE recovery_code (
  id UUID PRIMARY KEY,
  user_id INTEGER NOT NULL REFERENCES user_account ON DELETE CASCADE,
  slot SMALLINT NOT NULL,
  mac BYTEA NOT NULL UNIQUE,
  key_id BYTEA NOT NULL,
  created_at TIMESTAMPTZ(3) NOT NULL,
  confirmed_at TIMESTAMPTZ(3),
  UNIQUE (user_id, slot)
);

CREATE TABLE recovery (
  id UUID PRIMARY KEY,
  user_id INTEGER NOT NULL REFERENCES user_account ON DELETE CASCADE,
  code_id UUID NOT NULL,
  secret_hash BYTEA NOT NULL UNIQUE,
  opened_at TIMESTAMPTZ(3) NOT NULL,
  expires_at TIMESTAMPTZ(3) NOT NULL,
  kind credential_kind,
  credential TEXT,
  takes_effect_at TIMESTAMPTZ(3),
  finished_at TIMESTAMPTZ(3),
  cancelled_at TIMESTAMPTZ(3),
  user_agent TEXT
);
CREATE INDEX recovery_user_id_idx ON recovery (user_id);
CREATE INDEX recovery_expires_at_idx ON recovery (expires_at);
CREATE UNIQUE INDEX recovery_pending_key ON recovery (user_id)
  WHERE takes_effect_at IS NOT NULL AND finished_at IS NULL AND cancelled_at IS NULL;
CREATE INDEX recovery_due_idx ON recovery (takes_effect_at) WHERE finished_at IS NULL AND cancelled_at IS NULL;
