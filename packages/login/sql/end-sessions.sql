-- Ends a user's browser sessions, and the logins in progress that could sign these browsers in again
-- (docs/protocol.md#43-signing-out). Waits for redemptions and approvals in progress, and also ends the sessions that
-- they open. A caller that ends all sessions must lock the user's credentials first. Otherwise, a concurrent sign-in
-- could open a session that is not ended.
--
-- Does not read logins that have ended, because there can be many of them.
-- Lock order: login_session, then browser_session.
CREATE FUNCTION end_sessions(
  owner_id int, -- NULL if no user is signed in
  session_id uuid, -- one of the user's sessions; NULL for all sessions
  reason text, -- 'signed_out', or 'revoked' if another browser ends the sessions
  browser_hash bytea, -- hash of the secret in the requesting browser's cookie
  ends_here boolean, -- whether the requesting browser's own session also ends
  now timestamptz,
  OUT ended_count int
) LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  recent timestamptz := recent_logins(now);
  ended browser_session[];
BEGIN
  -- A sign-out deletes every login of the browser that signs out, answered or not. Revoking sessions deletes the logins
  -- that the user's keys have answered in other browsers. Hosted sessions are excluded, because they belong to their
  -- tenants. A recovery's answered login is also kept. It does not sign in anyone, and the request that chooses the
  -- recovery's key locks this login and might then wait for this transaction.
  DELETE FROM login_session WHERE redeemed_at IS NULL AND flow <> 'hosted' AND sid IN (
    SELECT here.sid FROM login_session AS here
    WHERE ends_here AND here.browser_hash = end_sessions.browser_hash AND here.challenged_at > recent
    UNION
    SELECT elsewhere.sid FROM login_session AS elsewhere
    WHERE end_sessions.reason = 'revoked' AND elsewhere.user_id = owner_id AND elsewhere.authenticated_at > recent
      AND elsewhere.browser_hash IS DISTINCT FROM end_sessions.browser_hash AND elsewhere.intent IS DISTINCT FROM 'recover'
  );

  -- Waits for any approval that is replacing one of these sessions.
  PERFORM FROM browser_session WHERE user_id = owner_id AND (session_id IS NULL OR id = session_id) FOR UPDATE;
  WITH deleted AS (
    DELETE FROM browser_session AS session
    WHERE session.user_id = owner_id AND (session_id IS NULL OR session.id = session_id) RETURNING session
  )
  SELECT COALESCE(array_agg(deleted.session), '{}') INTO ended FROM deleted;
  PERFORM forget_codes_of(ended, now);

  IF end_sessions.reason = 'revoked' THEN
    -- A browser whose session was revoked counts as new to the account again, so that its next sign-in is announced.
    DELETE FROM known_browser AS known USING unnest(ended) AS session
    WHERE known.user_id = session.user_id AND known.hash = session.known_browser_hash;
  END IF;
  PERFORM record_ended_sessions(ended, end_sessions.reason, now);
  ended_count := cardinality(ended);
END $$;

-- Deletes the codes that the ended browser sessions have requested.
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

-- Returns the earliest time at which a login that can still be answered or redeemed can have begun: 20 minutes ago,
-- twice a login's lifetime, because the clocks of processes can differ.
CREATE FUNCTION recent_logins(now timestamptz) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS $$
  SELECT now - interval '20 minutes'
$$;
