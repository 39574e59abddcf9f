-- Redeems an answered login for the browser that started it (docs/protocol.md#42-redemption) and opens a browser
-- session. Of any number of concurrent calls for one login, exactly one returns a user. Returns NULL if this browser
-- has nothing to redeem, and unconfirmed = true if the holder of an added key must first consent
-- (docs/protocol.md#45-added-keys).
--
-- If the code has an intent, that intent's plugin redeems the answer (redeem_approve).
-- Lock order: credential, then login_session, then browser_session and known_browser. Until this call commits, other
-- transactions cannot see a user that it creates.
CREATE TYPE redeemed AS (
  user_id int,
  unconfirmed boolean
);

CREATE FUNCTION redeem(
  flow flow,
  login_sid text,
  browser_hash bytea,
  browser_session_id uuid, -- the id of the session to open
  user_agent text,
  current_session_id uuid, -- this browser's current session; if this session added the key, the holder need not consent
  holder_confirms boolean, -- whether the holder of an added key has seen the account and confirmed the sign-in
  registers boolean, -- whether to create a user for an address that has none
  now timestamptz,
  answered_since timestamptz,
  expires_at timestamptz,
  deadline timestamptz
) RETURNS redeemed LANGUAGE plpgsql
SET search_path FROM CURRENT SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  login login_session;
  holder credential;
  result redeemed;
BEGIN
  SELECT * INTO login FROM login_session AS session
  WHERE session.sid = login_sid AND session.flow = redeem.flow AND session.browser_hash = redeem.browser_hash
    AND session.status = 'authenticated' AND session.authenticated_at > answered_since
    AND session.redeemed_at IS NULL;
  IF NOT FOUND OR statement_timestamp() >= deadline THEN
    RETURN NULL;
  END IF;
  IF login.intent IS NOT NULL THEN
    EXECUTE format('SELECT * FROM %I($1, $2, $3, $4, $5)', 'redeem_' || login.intent) INTO result
    USING login, browser_session_id, redeem.user_agent, now, redeem.expires_at;
    RETURN result;
  END IF;

  -- The key must still belong to its user. A removal also locks the key before the login. Therefore, either this call
  -- no longer finds the key, or the removal ends the session that this call opens.
  SELECT * INTO holder FROM credential AS held
  WHERE held.value = login.credential AND (login.user_id IS NULL OR held.user_id = login.user_id)
  FOR KEY SHARE;
  IF NOT FOUND AND (login.user_id IS NOT NULL OR NOT registers) THEN
    RETURN NULL;
  END IF;
  IF is_unconfirmed(holder, browser_session_id, current_session_id, now) AND NOT holder_confirms THEN
    RETURN ROW(NULL::int, true);
  END IF;

  UPDATE login_session AS session SET redeemed_at = now, user_id = holder.user_id
  WHERE session.sid = login.sid AND session.redeemed_at IS NULL;
  IF NOT FOUND THEN
    RETURN NULL; -- another request has already redeemed the login
  END IF;
  IF holder.user_id IS NULL THEN
    holder.user_id := create_user('address', login.credential, login.device_info, now);
    UPDATE login_session AS session SET user_id = holder.user_id WHERE session.sid = login.sid;
  END IF;
  IF holder_confirms THEN
    PERFORM confirm_key(login.credential);
  END IF;
  PERFORM open_session(
    'session_created', login.sid, holder.user_id, login.credential, login.device_info, login.undo_hash, '{}',
    login.known_browser_hash, browser_session_id, browser_session_id, redeem.user_agent, now, redeem.expires_at
  );
  RETURN ROW(holder.user_id, false);
END $$;

-- Returns whether the key's holder must consent before signing in, because someone else may have bound the key to the
-- account.
CREATE FUNCTION is_unconfirmed(holder credential, browser_session_id uuid, current_session_id uuid, now timestamptz)
RETURNS boolean LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  IF holder.added_by_session IS NULL OR holder.added_by_session = browser_session_id THEN
    RETURN false;
  END IF;
  RETURN NOT EXISTS (
    SELECT FROM browser_session AS adding
    WHERE adding.id = holder.added_by_session AND adding.id = current_session_id AND adding.expires_at > now
  );
END $$;

-- Records that the holder of an added key has consented, so that the holder is not asked again.
CREATE FUNCTION confirm_key(key text) RETURNS void LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  UPDATE credential SET added_by_session = NULL WHERE value = key AND added_by_session IS NOT NULL;
END $$;

-- Opens a browser session and records the sign-in. Every browser session is opened by this function. Triggers then end
-- the account's oldest sessions if the account has more than 100, and delete its oldest known browsers if it has more
-- than 200.
CREATE FUNCTION open_session(
  kind login_event_kind, -- the kind of the audit entry
  login_sid text,
  holder_id int,
  credential text,
  device_info jsonb,
  undo_hash bytea, -- SHA-256 of the undo secret
  earlier_undo_hashes bytea[], -- the undo hashes of the session that an approval replaces
  known_browser_hash bytea,
  new_id uuid,
  lineage uuid, -- the id of the first session, if approvals have replaced it
  user_agent text,
  now timestamptz,
  expires_at timestamptz
) RETURNS void LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  is_new_browser boolean := false;
BEGIN
  IF known_browser_hash IS NOT NULL THEN
    INSERT INTO known_browser (user_id, hash, last_seen_at) VALUES (holder_id, known_browser_hash, now)
    ON CONFLICT (user_id, hash) DO NOTHING;
    is_new_browser := FOUND;
    IF NOT is_new_browser THEN
      UPDATE known_browser SET last_seen_at = now
      WHERE user_id = holder_id AND hash = open_session.known_browser_hash AND last_seen_at < now - interval '1 day';
    END IF;
  END IF;

  INSERT INTO browser_session (
    id, user_id, credential, device_info, user_agent, created_at, last_seen_at, expires_at,
    undo_hashes, known_browser_hash, lineage
  ) VALUES (
    new_id, holder_id, open_session.credential, open_session.device_info, open_session.user_agent, now, now,
    open_session.expires_at, earlier_undo_hashes || array_remove(ARRAY[undo_hash], NULL),
    open_session.known_browser_hash, open_session.lineage
  );
  -- If the browser is new to the account, the account's other browsers announce it. `subject` identifies the login that
  -- these browsers can undo.
  INSERT INTO login_event (at, kind, sid, user_id, credential, device_info, user_agent, subject, by_session)
  VALUES (
    now, open_session.kind, login_sid, holder_id, open_session.credential, open_session.device_info,
    open_session.user_agent, CASE WHEN is_new_browser THEN encode(undo_hash, 'hex') END, open_session.lineage
  );
END $$;
