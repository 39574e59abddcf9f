-- Limits each account to 100 browser sessions and 200 known browsers. Sessions opened while this migration runs are
-- ended at the account's next sign-in.
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
  -- Concurrent sign-ins to one account take turns here, so that each one counts the sessions of the previous ones.
  PERFORM pg_advisory_xact_lock('browser_session'::regclass::oid::integer, NEW.user_id);
  surplus := (SELECT count(*) FROM browser_session WHERE user_id = NEW.user_id) - 100;
  IF surplus <= 0 THEN RETURN NULL; END IF;
  WITH oldest AS (
    -- A locked session is being ended, replaced or used for a change. Ends the next one instead, so that no request
    -- waits.
    SELECT id FROM browser_session WHERE user_id = NEW.user_id AND id <> NEW.id
    ORDER BY created_at, id LIMIT surplus FOR UPDATE SKIP LOCKED
  ), ended AS (
    DELETE FROM browser_session AS session USING oldest WHERE session.id = oldest.id
    RETURNING session.id, session.user_id, session.credential, session.user_agent, session.expires_at
  ), forgotten AS (
    -- Deletes the codes that the ended sessions have requested.
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
  -- An array is evaluated only once. A plan might evaluate a subquery repeatedly and lock more rows each time.
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

-- The events that can be notices, which browsers show until they are dismissed (`notices_of` in history.sql).
CREATE INDEX login_event_notice_idx ON login_event (user_id, id)
  WHERE kind NOT IN ('issued', 'delivered', 'refused', 'unregistered', 'session_ended')
    AND (subject IS NOT NULL OR kind NOT IN ('session_created', 'approved'));

-- From now on, notices of new browsers refer to the first session in the browser's lineage. Updates existing notices.
UPDATE login_event AS event SET by_session = session.id
FROM browser_session AS session CROSS JOIN LATERAL unnest(session.undo_hashes) AS undo(hash)
WHERE event.user_id = session.user_id AND event.subject = encode(undo.hash, 'hex')
  AND event.kind IN ('session_created', 'approved');
