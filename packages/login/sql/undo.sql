-- Undoes an answered login (docs/protocol.md#112-after-signing). The login then counts as redeemed, so that it can no
-- longer be redeemed, and a recovery that is waiting for the answering key is cancelled. Returns NULL if the secret is
-- wrong or the time limit has passed. A repeated call changes nothing and has is_first = false. Lock order: recovery,
-- then login_session.
CREATE TYPE undone AS (
  flow text,
  user_id int, -- NULL if a customer redeems the login
  is_first boolean, -- whether this call, and not an earlier one, has undone the login
  cancels_recovery boolean
);

CREATE FUNCTION undo(
  login_sid text,
  undo_hash bytea, -- SHA-256 of the undo secret, which only the answering wallet received
  hosted boolean, -- whether the login is a hosted one instead of the site's own
  now timestamptz,
  answered_since timestamptz,
  deadline timestamptz
) RETURNS undone LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  login login_session;
  result undone;
BEGIN
  SELECT * INTO login FROM login_session AS session
  WHERE session.sid = login_sid AND session.undo_hash = undo.undo_hash
    AND session.authenticated_at > answered_since AND (session.flow = 'hosted') = hosted;
  IF NOT FOUND OR statement_timestamp() >= deadline THEN
    RETURN NULL;
  END IF;
  result.flow := login.flow;
  result.user_id := login.user_id;
  result.cancels_recovery := false;
  IF login.intent = 'recover' AND login.undone_at IS NULL THEN
    result.cancels_recovery := cancel_recovery_of(login, now);
  END IF;

  UPDATE login_session AS session SET undone_at = now, redeemed_at = COALESCE(session.redeemed_at, now)
  WHERE session.sid = login.sid AND session.undone_at IS NULL;
  result.is_first := FOUND;
  IF result.is_first THEN
    INSERT INTO login_event (at, kind, sid, user_id, credential, user_agent)
    VALUES (now, 'undone', login.sid, login.user_id, login.credential, login.user_agent);
    PERFORM notify_login(login.sid);
  END IF;
  RETURN result;
END $$;

-- Ends the browser sessions that a login opened before it was undone, and the sessions that replaced them after an
-- approval. The browser then counts as new to the account again. Lock order: user_account, as in an approval, then
-- browser_session.
CREATE FUNCTION end_undone_sessions(
  login_sid text,
  undo_hash bytea,
  owner_id int,
  now timestamptz,
  OUT ended_count int
) LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  ended browser_session[];
BEGIN
  -- Waits for any approval that is replacing such a session. An approval that starts later no longer finds the session.
  PERFORM FROM user_account WHERE id = owner_id FOR NO KEY UPDATE;
  WITH deleted AS (
    -- Finds the sessions by their lineage, or by the undo hash if a process of the previous release opened them.
    DELETE FROM browser_session AS session WHERE session.user_id = owner_id AND (
      COALESCE(session.lineage, session.id) IN (
        SELECT opened.by_session FROM login_event AS opened
        WHERE opened.sid = login_sid AND opened.user_id = owner_id AND opened.kind IN ('session_created', 'approved')
      ) OR end_undone_sessions.undo_hash = ANY(session.undo_hashes)
    ) RETURNING session
  )
  SELECT COALESCE(array_agg(deleted.session), '{}') INTO ended FROM deleted;
  PERFORM forget_codes_of(ended, now);
  DELETE FROM known_browser AS known USING login_session AS login
  WHERE login.sid = login_sid AND known.user_id = owner_id AND known.hash = login.known_browser_hash;
  PERFORM record_ended_sessions(ended, 'undone', now);
  ended_count := cardinality(ended);
END $$;
