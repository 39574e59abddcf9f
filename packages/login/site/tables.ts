/**
 * The tables of the login in a schema of their own, alongside whatever the site keeps. Each entry brings them to the
 * next version. An entry never changes, because databases have run it: add another.
 */
export const VERSIONS: readonly string[] = [
  `
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
`,
  `
CREATE TABLE site_user (
  user_id INTEGER PRIMARY KEY REFERENCES user_account ON DELETE CASCADE,
  site_id TEXT NOT NULL,
  created_at TIMESTAMPTZ(3) NOT NULL
);
`,
  // The logins of a customer of the hosted API.
  `
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
`,
  `
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
`,
  `
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
`,
  `
ALTER TABLE hosted_login ADD COLUMN undone_at TIMESTAMPTZ(3);
`,
  // No foreign key: the same statement writes a browser session, and its foreign key keeps the user.
  `
ALTER TABLE known_browser DROP CONSTRAINT known_browser_user_id_fkey;
CREATE FUNCTION forget_known_browsers() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  DELETE FROM known_browser WHERE user_id = OLD.id;
  RETURN NULL;
END $$;
CREATE TRIGGER forget_known_browsers AFTER DELETE ON user_account
  FOR EACH ROW EXECUTE FUNCTION forget_known_browsers();
`,
  `
ALTER TABLE credential ADD COLUMN device_info JSONB;
`,
  // Pruning reads the whole table: an index would be written at each sign-in by a new browser.
  `
DROP INDEX known_browser_last_seen_at_idx;
`,
  `
ALTER TABLE browser_session ADD COLUMN known_browser_hash BYTEA;
`,
  `
-- At most 100 browser sessions and 200 known browsers for each account. Sessions that began while this ran end at the
-- account's next sign-in.
DELETE FROM browser_session USING (
  SELECT id, row_number() OVER (PARTITION BY user_id ORDER BY created_at DESC, id DESC) AS place FROM browser_session
) AS ranked WHERE browser_session.id = ranked.id AND place > 100;
DELETE FROM known_browser USING (
  SELECT user_id, hash, row_number() OVER (PARTITION BY user_id ORDER BY last_seen_at DESC, hash) AS place
  FROM known_browser
) AS ranked WHERE known_browser.user_id = ranked.user_id AND known_browser.hash = ranked.hash AND place > 200;

CREATE FUNCTION end_oldest_sessions() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE surplus INTEGER;
BEGIN
  -- Sign-ins to one account pass here one after the other: each counts the sessions of those before it.
  PERFORM pg_advisory_xact_lock('browser_session'::regclass::oid::integer, NEW.user_id);
  surplus := (SELECT count(*) FROM browser_session WHERE user_id = NEW.user_id) - 100;
  IF surplus <= 0 THEN RETURN NULL; END IF;
  WITH oldest AS (
    -- A locked session is being ended, replaced or used for a change: the next one ends instead, so that nobody waits.
    SELECT id FROM browser_session WHERE user_id = NEW.user_id AND id <> NEW.id
    ORDER BY created_at, id LIMIT surplus FOR UPDATE SKIP LOCKED
  ), ended AS (
    DELETE FROM browser_session AS session USING oldest WHERE session.id = oldest.id
    RETURNING session.id, session.user_id, session.credential, session.user_agent, session.expires_at
  ), forgotten AS (
    -- Codes that a session which ends has asked for.
    DELETE FROM login_session WHERE redeemed_at IS NULL AND sid IN (
      SELECT sid FROM login_session WHERE adds_to_session IN (SELECT id FROM ended)
      UNION SELECT sid FROM login_session WHERE approves_session IN (SELECT id FROM ended)
    )
  )
  INSERT INTO login_event (at, kind, user_id, reason, credential, user_agent)
  SELECT NEW.created_at, 'session_ended', user_id, 'too_many', credential, user_agent
  FROM ended WHERE expires_at > NEW.created_at;
  RETURN NULL;
END $$;
CREATE TRIGGER end_oldest_sessions AFTER INSERT ON browser_session
  FOR EACH ROW EXECUTE FUNCTION end_oldest_sessions();

CREATE FUNCTION forget_oldest_known_browsers() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE surplus INTEGER;
BEGIN
  PERFORM pg_advisory_xact_lock('browser_session'::regclass::oid::integer, NEW.user_id);
  surplus := (SELECT count(*) FROM known_browser WHERE user_id = NEW.user_id) - 200;
  IF surplus <= 0 THEN RETURN NULL; END IF;
  -- As an array, which is read once: a plan may run a subquery again, and each run locks further rows.
  DELETE FROM known_browser WHERE user_id = NEW.user_id AND hash = ANY (ARRAY(
    SELECT hash FROM known_browser WHERE user_id = NEW.user_id AND hash <> NEW.hash
    ORDER BY last_seen_at, hash LIMIT surplus FOR UPDATE SKIP LOCKED
  ));
  RETURN NULL;
END $$;
CREATE TRIGGER forget_oldest_known_browsers AFTER INSERT ON known_browser
  FOR EACH ROW EXECUTE FUNCTION forget_oldest_known_browsers();

ALTER TABLE browser_session ADD COLUMN lineage UUID, ADD COLUMN notices_shown BIGINT[] DEFAULT '{}',
  ADD COLUMN notices_dismissed_to BIGINT NOT NULL DEFAULT 0, ADD COLUMN notices_dismissed BIGINT[] DEFAULT '{}';

CREATE INDEX known_browser_last_seen_at_idx ON known_browser (last_seen_at);
CREATE INDEX login_session_user_id_authenticated_at_idx ON login_session (user_id, authenticated_at);
CREATE INDEX login_session_adds_challenged_idx ON login_session (adds_to_session, challenged_at)
  WHERE adds_to_session IS NOT NULL;
CREATE INDEX login_session_approves_challenged_idx ON login_session (approves_session, challenged_at)
  WHERE approves_session IS NOT NULL;
DROP INDEX login_session_user_id_idx, login_session_adds_idx, login_session_approves_idx;

-- What the user's browsers show until it is dismissed, apart from what fills the history.
CREATE INDEX login_event_notice_idx ON login_event (user_id, id)
  WHERE kind NOT IN ('issued', 'delivered', 'refused', 'unregistered', 'session_ended')
    AND (subject IS NOT NULL OR kind NOT IN ('session_created', 'approved'));

-- The notices of new browsers name the line of their sessions from now on, those that exist included.
UPDATE login_event AS event SET by_session = session.id
FROM browser_session AS session CROSS JOIN LATERAL unnest(session.undo_hashes) AS undo(hash)
WHERE event.user_id = session.user_id AND event.subject = encode(undo.hash, 'hex')
  AND event.kind IN ('session_created', 'approved');
`,
];
