-- The two functions that decide who gets access to an account (docs/protocol.md#104-taking-effect).

-- Chooses the key that answered a recovery's code. The browser must have the secrets of both its cookies. A recovery's
-- key can be chosen only once. Returns NULL if there is nothing to choose. Raises a unique violation if another
-- recovery of the user is pending. Lock order: recovery, then login_session, as in an undo.
CREATE FUNCTION choose_recovering_key(
  secret_hash bytea, -- hash of the secret in the recovery cookie
  login_sid text,
  browser_hash bytea, -- hash of the secret in the binding cookie
  user_agent text,
  takes_effect_at timestamptz,
  now timestamptz,
  answered_since timestamptz,
  deadline timestamptz,
  OUT id uuid,
  OUT user_id int
) LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  opened recovery;
  login login_session;
BEGIN
  SELECT * INTO opened FROM recovery AS open
  WHERE open.secret_hash = choose_recovering_key.secret_hash AND open.expires_at > now
    AND open.takes_effect_at IS NULL AND open.cancelled_at IS NULL
    AND EXISTS (SELECT FROM recovery_code AS code WHERE code.id = open.code_id)
  FOR UPDATE;
  IF NOT FOUND OR statement_timestamp() >= deadline THEN
    RETURN;
  END IF;
  SELECT * INTO login FROM login_session AS session
  WHERE session.sid = login_sid AND session.browser_hash = choose_recovering_key.browser_hash
    AND session.intent = 'recover' AND session.asked_by = opened.id AND session.status = 'authenticated' AND session.redeemed_at IS NULL
    AND session.authenticated_at > answered_since
  FOR UPDATE;
  -- A key that now belongs to another account cannot be chosen.
  IF NOT FOUND OR EXISTS (SELECT FROM credential AS held WHERE held.value = login.credential) THEN
    RETURN;
  END IF;

  UPDATE recovery AS chosen SET
    credential = login.credential,
    kind = kind_of(login),
    takes_effect_at = choose_recovering_key.takes_effect_at,
    user_agent = choose_recovering_key.user_agent
  WHERE chosen.id = opened.id;
  IF choose_recovering_key.takes_effect_at > now THEN
    -- The answer must not sign in while the recovery waits.
    UPDATE login_session AS session SET redeemed_at = now WHERE session.sid = login.sid;
    INSERT INTO login_event (at, kind, user_id, credential, user_agent)
    VALUES (now, 'recovery_pending', opened.user_id, login.credential, choose_recovering_key.user_agent);
  END IF;
  id := opened.id;
  user_id := opened.user_id;
END $$;

-- Adds the chosen key to its account and spends the recovery code. Ends the user's browser sessions, and the logins
-- that the user's keys have answered in browsers other than the recovering one. Marks the previous sign-in methods as
-- older than the recovery. Returns NULL if the recovery is not due, was cancelled or has already taken effect. Raises a
-- unique violation if the key now belongs to a different account. Lock order: recovery, recovery_code, credential,
-- login_session, browser_session.
CREATE FUNCTION take_effect(
  recovery_id uuid,
  browser_hash bytea, -- hash of the recovering browser's binding secret; NULL if the job calls this function
  session_id uuid, -- the id of the recovering browser's new session
  now timestamptz,
  deadline timestamptz,
  OUT user_id int
) LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  due recovery;
BEGIN
  -- A request that cancels the recovery has either come first or is now too late.
  SELECT * INTO due FROM recovery AS waiting
  WHERE waiting.id = recovery_id AND waiting.takes_effect_at <= now
    AND waiting.finished_at IS NULL AND waiting.cancelled_at IS NULL
  FOR UPDATE;
  IF NOT FOUND OR statement_timestamp() >= deadline THEN
    RETURN;
  END IF;
  -- If several recoveries were opened with one code, only one of them can delete it.
  DELETE FROM recovery_code AS code WHERE code.id = due.code_id;
  IF NOT FOUND THEN
    UPDATE recovery AS late SET cancelled_at = now WHERE late.id = due.id;
    RETURN;
  END IF;
  UPDATE recovery AS finished SET finished_at = now WHERE finished.id = due.id;

  -- Waits for sign-ins and key additions in progress, so that the statements below see them.
  PERFORM lock_credentials_of(due.user_id);
  PERFORM end_sessions(due.user_id, NULL, 'revoked', take_effect.browser_hash, false, now);
  UPDATE credential AS held SET before_recovery_at = now WHERE held.user_id = due.user_id;
  -- Someone may have tricked the key's holder into answering, so the holder must consent when the key first signs in
  -- from a different browser (redeem).
  INSERT INTO credential (id, user_id, kind, value, created_at, added_by_session)
  VALUES (gen_random_uuid(), due.user_id, due.kind, due.credential, now, COALESCE(session_id, due.id));
  -- From now on, the answered login signs in to the account, and the recovering browser redeems that login like any
  -- other.
  UPDATE login_session AS login SET intent = NULL, asked_by = NULL, recovers = NULL
  WHERE login.intent = 'recover' AND login.asked_by = due.id AND login.credential = due.credential
    AND login.browser_hash = take_effect.browser_hash;
  INSERT INTO login_event (at, kind, user_id, credential, user_agent)
  VALUES (now, 'recovered', due.user_id, due.credential, due.user_agent);
  user_id := due.user_id;
END $$;
