-- The question that is put to the holder of a key that someone else may have added to an account
-- (docs/protocol.md#45-added-keys). The answered login is not redeemed until the holder decides.

-- A login of this browser that a wallet has answered, in any flow, whether or not it has been redeemed.
CREATE TYPE answered_login AS (
  flow text,
  credential text,
  user_id int, -- NULL if the user is determined at redemption
  redeemed_at timestamptz
);

CREATE FUNCTION find_answered_login(login_sid text, browser_hash bytea, answered_since timestamptz)
RETURNS answered_login LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  login answered_login;
BEGIN
  SELECT session.flow, session.credential, session.user_id, session.redeemed_at INTO login
  FROM login_session AS session
  WHERE session.sid = login_sid AND session.browser_hash = find_answered_login.browser_hash
    AND session.status = 'authenticated' AND session.intent IS NULL AND session.authenticated_at > answered_since;
  IF NOT FOUND THEN
    SELECT 'hosted', hosted.public_key, NULL, hosted.redeemed_at INTO login FROM hosted_login AS hosted
    WHERE hosted.session_id = login_sid AND hosted.browser_hash = find_answered_login.browser_hash
      AND hosted.authenticated_at > answered_since;
  END IF;
  RETURN login;
END $$;

-- The question that must be answered before a login is redeemed, and the details of the account that the page with the
-- question shows. NULL if there is no such login.
CREATE FUNCTION added_key_question(
  login_sid text,
  browser_hash bytea,
  answered_since timestamptz,
  OUT flow text,
  OUT decided boolean,
  OUT user_id int, -- NULL once the key has been removed
  OUT kind text,
  OUT value text,
  OUT added boolean,
  OUT added_at timestamptz,
  OUT account_since timestamptz,
  OUT other_methods int
) LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
#variable_conflict use_column
DECLARE
  login answered_login := find_answered_login(login_sid, added_key_question.browser_hash, answered_since);
BEGIN
  IF login.flow IS NULL THEN
    RETURN;
  END IF;
  added_key_question.flow := login.flow;
  decided := login.redeemed_at IS NOT NULL;
  SELECT held.user_id, held.kind, held.value, held.added_by_session IS NOT NULL, held.created_at, account.created_at,
    (SELECT count(*) - 1 FROM credential AS other WHERE other.user_id = held.user_id)
  INTO added_key_question.user_id, added_key_question.kind, added_key_question.value, added, added_at, account_since,
    other_methods
  FROM credential AS held JOIN user_account AS account ON account.id = held.user_id
  WHERE held.value = login.credential AND (login.user_id IS NULL OR held.user_id = login.user_id);
END $$;

-- Removes the added key that answered this browser's login, because its holder says that the account is not theirs.
-- Ends the login without signing in. Works only once per login. Unlike a removal by the user, this function can remove
-- the account's last sign-in method, because a key must not sign in to an account that its holder does not recognise.
-- Returns whether there was such a key. Lock order: credential, then login_session, hosted_login and browser_session.
CREATE FUNCTION disown_added_key(
  login_sid text,
  browser_hash bytea,
  user_agent text,
  now timestamptz,
  answered_since timestamptz,
  deadline timestamptz,
  OUT disowned boolean
) LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  login answered_login := find_answered_login(login_sid, disown_added_key.browser_hash, answered_since);
  removed credential;
BEGIN
  disowned := false;
  IF login.redeemed_at IS NOT NULL OR statement_timestamp() >= deadline THEN
    RETURN;
  END IF;
  -- Waits for any sign-in in progress with the key. The statements below then end the session of that sign-in.
  DELETE FROM credential AS held
  WHERE held.value = login.credential AND held.added_by_session IS NOT NULL
    AND (login.user_id IS NULL OR held.user_id = login.user_id)
  RETURNING * INTO removed;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  UPDATE login_session AS session SET redeemed_at = now
  WHERE session.sid = login_sid AND session.browser_hash = disown_added_key.browser_hash;
  UPDATE hosted_login AS hosted SET redeemed_at = now
  WHERE hosted.session_id = login_sid AND hosted.browser_hash = disown_added_key.browser_hash;
  PERFORM end_sessions_of_keys(removed.user_id, ARRAY[removed.value], NULL, now);
  INSERT INTO login_event (at, kind, user_id, reason, credential, user_agent)
  VALUES (now, 'credential_removed', removed.user_id, 'not_mine', removed.value, disown_added_key.user_agent);
  disowned := true;
END $$;

-- Ends the browser sessions that removed keys opened, except `kept`, and the logins that these keys answered.
CREATE FUNCTION end_sessions_of_keys(owner_id int, keys text[], kept uuid, now timestamptz) RETURNS void
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  DELETE FROM login_session WHERE user_id = owner_id AND credential = ANY(keys) AND redeemed_at IS NULL
    AND flow <> 'hosted' AND authenticated_at > recent_logins(now);
  DELETE FROM hosted_login WHERE public_key = ANY(keys) AND redeemed_at IS NULL;
  DELETE FROM browser_session
  WHERE user_id = owner_id AND credential = ANY(keys) AND id IS DISTINCT FROM kept;
END $$;
