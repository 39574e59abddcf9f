-- Fast logins (docs/protocol.md#6-fast-login).

-- Finds a challenge of a login session by its exact text. Returns NULL if the session does not have it.
CREATE TYPE fast_challenge AS (
  sid text,
  issued_at timestamptz,
  used boolean,
  intent text
);

CREATE FUNCTION find_fast_challenge(login_sid text, challenge text, now timestamptz, challenges_kept int)
RETURNS fast_challenge LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
#variable_conflict use_column
DECLARE
  login login_session;
  found_challenge fast_challenge;
BEGIN
  SELECT sid, issued_at INTO found_challenge.sid, found_challenge.issued_at
  FROM challenge WHERE text = find_fast_challenge.challenge AND sid = login_sid;
  SELECT * INTO login FROM login_session WHERE sid = found_challenge.sid AND flow = 'fast';
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  found_challenge.intent := login.intent;
  IF found_challenge.intent IS NOT NULL AND NOT EXISTS (SELECT FROM answer_intent(login, NULL, now)) THEN
    RETURN NULL; -- the session or recovery that requested the code has ended
  END IF;
  -- Concurrent requests can store more challenges than a session may keep. The oldest ones then count as used.
  found_challenge.used := login.status = 'authenticated' OR challenges_kept <= (
    SELECT count(*) FROM challenge WHERE sid = login_sid AND issued_at > found_challenge.issued_at
  );
  RETURN found_challenge;
END $$;

-- Spends a challenge and stores the address on the challenge's login session. Of any number of concurrent calls,
-- exactly one returns spent = true. The user of a code that signs in is found or created at redemption.
CREATE TYPE fast_accepted AS (
  spent boolean,
  key_not_allowed boolean
);

CREATE FUNCTION accept_fast(
  login_sid text,
  challenge text,
  address text, -- in canonical form
  device_info jsonb,
  now timestamptz,
  issued_since timestamptz,
  deadline timestamptz
) RETURNS fast_accepted LANGUAGE plpgsql
SET search_path FROM CURRENT SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
  login login_session;
  holder_id int;
  not_allowed boolean;
BEGIN
  PERFORM FROM challenge WHERE text = accept_fast.challenge AND sid = login_sid AND issued_at > issued_since;
  IF NOT FOUND THEN
    RETURN ROW(false, false);
  END IF;
  SELECT * INTO login FROM login_session WHERE sid = login_sid AND flow = 'fast';
  SELECT user_id INTO holder_id FROM credential WHERE value = address;
  IF login.intent IS NOT NULL THEN
    SELECT user_id, key_not_allowed INTO holder_id, not_allowed FROM answer_intent(login, holder_id, now);
    IF NOT FOUND OR not_allowed THEN
      RETURN ROW(false, FOUND);
    END IF;
  END IF;
  RETURN ROW(authenticate_login(login.sid, address, holder_id, NULL, device_info, NULL, now, deadline), false);
END $$;
