-- Ends browser sessions of a user, and the logins in progress that could sign a browser in again
-- (docs/protocol.md#43-signing-out). It waits for a redemption or an approval in progress, and then also ends the
-- session that it has opened. A caller that ends all sessions locks the user's credentials first, so that no concurrent
-- sign-in leaves a session behind.
--
-- It does not read logins that have ended, because there can be many of them.
-- Lock order: login_session, then browser_session.
CREATE FUNCTION end_sessions(
  owner_id int, -- NULL when nobody is signed in
  session_id uuid, -- one of the user's sessions; NULL for all
  reason text, -- 'signed_out', or 'revoked' when another browser ends them
  browser_hash bytea, -- the hash of the requesting browser's secret
  ends_here boolean, -- whether that browser's own session is among them
  now timestamptz,
  OUT ended_count int
) LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  recent timestamptz := recent_logins(now);
  ended browser_session[];
BEGIN
  -- For a sign-out, this deletes every login in the browser that signs out, answered or not. When sessions are revoked,
  -- it deletes the logins that the user's keys have answered in other browsers. A session of the hosted API belongs to
  -- its tenant. The answer to a recovery's code is not deleted: it does not sign in, and a request that locks it to
  -- choose its key may be waiting for this one.
  DELETE FROM login_session WHERE redeemed_at IS NULL AND flow <> 'hosted' AND sid IN (
    SELECT here.sid FROM login_session AS here
    WHERE ends_here AND here.browser_hash = end_sessions.browser_hash AND here.challenged_at > recent
    UNION
    SELECT elsewhere.sid FROM login_session AS elsewhere
    WHERE end_sessions.reason = 'revoked' AND elsewhere.user_id = owner_id AND elsewhere.authenticated_at > recent
      AND elsewhere.browser_hash IS DISTINCT FROM end_sessions.browser_hash AND elsewhere.intent IS DISTINCT FROM 'recover'
  );

  -- This waits for an approval that is replacing one of the sessions.
  PERFORM FROM browser_session WHERE user_id = owner_id AND (session_id IS NULL OR id = session_id) FOR UPDATE;
  WITH deleted AS (
    DELETE FROM browser_session AS session
    WHERE session.user_id = owner_id AND (session_id IS NULL OR session.id = session_id) RETURNING session
  )
  SELECT COALESCE(array_agg(deleted.session), '{}') INTO ended FROM deleted;
  PERFORM forget_codes_of(ended, now);

  IF end_sessions.reason = 'revoked' THEN
    -- A browser that was signed out counts as new to the account again, so its next sign-in is announced.
    DELETE FROM known_browser AS known USING unnest(ended) AS session
    WHERE known.user_id = session.user_id AND known.hash = session.known_browser_hash;
  END IF;
  PERFORM record_ended_sessions(ended, end_sessions.reason, now);
  ended_count := cardinality(ended);
END $$;

-- Codes with an intent end together with the browser session that requested them.
CREATE FUNCTION forget_codes_of(ended browser_session[], now timestamptz) RETURNS void
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  recent timestamptz := recent_logins(now);
  ended_ids uuid[] := ARRAY(SELECT id FROM unnest(ended));
BEGIN
  DELETE FROM login_session WHERE asked_by = ANY(ended_ids) AND challenged_at > recent AND redeemed_at IS NULL;
END $$;

CREATE FUNCTION record_ended_sessions(ended browser_session[], reason text, now timestamptz) RETURNS void
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  INSERT INTO login_event (at, kind, user_id, reason, credential, user_agent)
  SELECT now, 'session_ended', user_id, record_ended_sessions.reason, credential, user_agent
  FROM unnest(ended);
END $$;

-- Returns the time since which logins may still be answered or redeemed. That is 20 minutes ago, twice their lifetime,
-- because the clocks of different processes may differ.
CREATE FUNCTION recent_logins(now timestamptz) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS $$
  SELECT now - interval '20 minutes'
$$;
