-- Finds a challenge by its exact text. If the key that signed it may sign in, spends the challenge: authenticates the
-- login session and, for a registration, creates the user. Of any number of concurrent calls for one challenge, exactly
-- one returns spent = true (docs/protocol.md#11-challenge). Returns NULL if the challenge was never issued.
--
-- If the code has an intent, that intent's plugin decides which keys may answer (answer_intent). If two login sessions
-- register the same key concurrently, the second call raises a unique violation. When the caller repeats that call, it
-- finds the user. Lock order: login_session, then user_account and credential.
CREATE TYPE accepted AS (
  sid text,
  issued_at timestamptz,
  used boolean, -- whether the login session is already authenticated; its challenges are then used up
  intent text, -- the intent that wallets show
  user_id int, -- the user whom the key signs in; NULL for an unknown key, even if this call creates the key's user
  key_not_allowed boolean, -- whether this key is barred from answering a code with this intent
  spent boolean, -- whether this call has spent the challenge
  user_agent text, -- the `User-Agent` of the browser that requested the code
  is_known_browser boolean -- whether the browser that requested the code has signed in to the account before
);

CREATE FUNCTION accept(
  challenge text,
  signer text, -- the key that signed the challenge; NULL if the signature is invalid, in which case nothing changes
  registers boolean, -- whether to create a user for a key that has none
  names_intent boolean, -- whether the wallet reports which intent it showed; `showed` contains that intent
  showed text,
  signed_at bigint,
  device_info jsonb,
  undo_hash bytea,
  now timestamptz,
  issued_since timestamptz,
  deadline timestamptz
) RETURNS accepted LANGUAGE plpgsql
SET search_path FROM CURRENT SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
  login login_session;
  result accepted;
  signer_id int;
BEGIN
  SELECT sid, issued_at INTO result.sid, result.issued_at FROM challenge WHERE text = accept.challenge;
  SELECT * INTO login FROM login_session WHERE sid = result.sid AND flow = 'login';
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;

  result.used := login.status = 'authenticated';
  result.intent := shown_intent(login.intent);
  result.user_agent := login.user_agent;
  result.key_not_allowed := false;
  result.spent := false;
  result.is_known_browser := false;
  SELECT user_id INTO result.user_id FROM credential WHERE value = signer;
  IF login.intent IS NOT NULL THEN
    SELECT user_id, key_not_allowed INTO result.user_id, result.key_not_allowed
    FROM answer_intent(login, result.user_id, now);
    IF NOT FOUND THEN
      RETURN NULL; -- the session or recovery that requested the code has ended
    END IF;
  END IF;

  IF signer IS NULL OR result.used OR result.issued_at <= issued_since OR result.key_not_allowed
    OR names_intent AND showed IS DISTINCT FROM result.intent
    OR result.user_id IS NULL AND NOT registers AND login.intent IS NULL
  THEN
    RETURN result;
  END IF;

  signer_id := result.user_id;
  IF signer_id IS NULL AND login.intent IS NULL THEN
    PERFORM FROM login_session WHERE sid = login.sid AND status <> 'authenticated' FOR NO KEY UPDATE;
    IF NOT FOUND OR statement_timestamp() >= deadline THEN
      RETURN result;
    END IF;
    signer_id := create_user('public_key', signer, device_info, now);
  END IF;
  result.spent := authenticate_login(
    login.sid, signer, signer_id, signed_at, device_info, undo_hash, now, deadline
  );
  IF login.known_browser_hash IS NOT NULL THEN
    result.is_known_browser := EXISTS (
      SELECT FROM known_browser WHERE user_id = signer_id AND hash = login.known_browser_hash
    );
  END IF;
  RETURN result;
END $$;

-- Marks a login session as answered by `signer`, records the answer and notifies every process. Of any number of
-- concurrent calls for one login session, exactly one returns true. If a hanging database runs this function only after
-- `deadline`, the call has no effect, because the request has already been answered with 503.
CREATE FUNCTION authenticate_login(
  login_sid text,
  signer text,
  signer_id int, -- NULL if the user is found or created at redemption
  signed_at bigint,
  device_info jsonb,
  undo_hash bytea,
  now timestamptz,
  deadline timestamptz
) RETURNS boolean LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  UPDATE login_session AS session SET
    status = 'authenticated',
    authenticated_at = now,
    credential = signer,
    user_id = signer_id,
    signed_at = authenticate_login.signed_at,
    device_info = authenticate_login.device_info,
    undo_hash = authenticate_login.undo_hash
  WHERE session.sid = login_sid AND session.status <> 'authenticated' AND statement_timestamp() < deadline;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  INSERT INTO login_event (at, kind, sid, user_id, credential)
  VALUES (now, 'delivered', login_sid, signer_id, signer);
  PERFORM notify_login(login_sid);
  RETURN true;
END $$;

-- The effect of an answer to a code with an intent (docs/protocol.md#36-intents). Each intent's plugin has a function,
-- such as answer_approve, that decides which user an answering key signs in and whether the key may answer. Once the
-- browser session or recovery that requested the code has ended, the plugin's function returns no row.
CREATE TYPE intent_answer AS (
  user_id int, -- NULL if the plugin creates the user after the answer
  key_not_allowed boolean
);

-- Calls the function of the intent's plugin. `holder_id` is the answering key's user, or NULL if the key is unknown.
CREATE FUNCTION answer_intent(login login_session, holder_id int, now timestamptz) RETURNS SETOF intent_answer
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  RETURN QUERY EXECUTE format('SELECT * FROM %I($1, $2, $3)', 'answer_' || login.intent)
  USING login, holder_id, now;
END $$;

-- Returns the intent that wallets show. A suffix distinguishes codes that have the same intent but different purposes:
-- wallets show 'add_wallet' as 'add'.
CREATE FUNCTION shown_intent(intent text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT split_part(intent, '_', 1)
$$;

-- Records that a response was refused, and why, and notifies the waiting browser. Returns true.
CREATE FUNCTION record_refusal(refused_sid text, reason text, now timestamptz) RETURNS boolean
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  INSERT INTO login_event (at, kind, sid, reason) VALUES (now, 'refused', refused_sid, record_refusal.reason);
  PERFORM notify_login(refused_sid, record_refusal.reason);
  RETURN true;
END $$;

-- Marks a login session as answered by an unknown key whose signature is valid, and records the response. Returns false
-- if the login session is already authenticated.
CREATE FUNCTION mark_unregistered(login_sid text, unknown_key text, now timestamptz) RETURNS boolean
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  UPDATE login_session SET status = 'unregistered' WHERE sid = login_sid AND status <> 'authenticated';
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  INSERT INTO login_event (at, kind, sid, credential) VALUES (now, 'unregistered', login_sid, unknown_key);
  PERFORM notify_login(login_sid);
  RETURN true;
END $$;
