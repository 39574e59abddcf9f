-- Codes with intent=approve (docs/protocol.md#44-approval): a user's key approves a change that a browser session
-- requests.

-- Only a key of the requesting session's user may answer, and only until that session ends.
CREATE FUNCTION answer_approve(login login_session, holder_id int, now timestamptz) RETURNS SETOF intent_answer
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  RETURN QUERY SELECT holder_id, holder_id IS DISTINCT FROM asking.user_id
  FROM browser_session AS asking WHERE asking.id = login.asked_by AND asking.expires_at > now;
END $$;

-- An approval is a sign-in: it opens a new browser session and ends the requesting one, so that every copy of the old
-- token becomes invalid. Lock order: user_account, as in the changes to an account, then browser_session, credential
-- and login_session.
CREATE FUNCTION redeem_approve(
  login login_session,
  browser_session_id uuid,
  user_agent text,
  now timestamptz,
  expires_at timestamptz
) RETURNS redeemed LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  asking browser_session;
  earlier_undo_hashes bytea[] := '{}';
BEGIN
  PERFORM FROM user_account WHERE id = login.user_id FOR NO KEY UPDATE;
  SELECT * INTO asking FROM browser_session AS session
  WHERE session.id = login.asked_by AND session.user_id = login.user_id AND session.expires_at > now
  FOR UPDATE;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  PERFORM FROM credential AS held WHERE held.value = login.credential AND held.user_id = login.user_id FOR KEY SHARE;
  IF NOT FOUND THEN
    RETURN NULL; -- the key has been removed
  END IF;
  UPDATE login_session AS session SET redeemed_at = now
  WHERE session.sid = login.sid AND session.redeemed_at IS NULL;
  IF NOT FOUND THEN
    RETURN NULL; -- another request has already redeemed the login
  END IF;

  DELETE FROM browser_session AS session WHERE session.id = asking.id;
  -- The new session takes over the keys that the old session added.
  UPDATE credential SET added_by_session = browser_session_id
  WHERE user_id = asking.user_id AND added_by_session = asking.id;
  -- Processes of the previous version use these hashes for an undo. A hash is valid for ten minutes. A session that is
  -- not older than that needs only its newest seven hashes.
  IF asking.created_at > now - interval '10 minutes' THEN
    earlier_undo_hashes := asking.undo_hashes[GREATEST(cardinality(asking.undo_hashes) - 6, 1):];
  END IF;
  PERFORM open_session(
    'approved', login.sid, login.user_id, login.credential, login.device_info, login.undo_hash, earlier_undo_hashes,
    COALESCE(login.known_browser_hash, asking.known_browser_hash),
    browser_session_id, COALESCE(asking.lineage, asking.id), redeem_approve.user_agent, now, redeem_approve.expires_at
  );
  RETURN ROW(login.user_id, false);
END $$;
