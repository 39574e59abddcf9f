-- Read-only queries about login sessions. The commits of these queries do not wait for the disk.

-- The state of a login session (docs/protocol.md#33-get-apisvccheck). NULL if the sid was never issued or its session
-- has been deleted.
CREATE TYPE login_state AS (
  flow text,
  status text,
  user_id int,
  challenged_at timestamptz,
  browser_hash bytea,
  is_undone boolean
);

CREATE FUNCTION check_login(login_sid text) RETURNS login_state LANGUAGE plpgsql
SET search_path FROM CURRENT SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  state login_state;
BEGIN
  SET LOCAL synchronous_commit = off;
  SELECT flow, status, user_id, challenged_at, browser_hash, undone_at IS NOT NULL INTO state
  FROM login_session WHERE sid = login_sid AND flow IN ('login', 'fast');
  RETURN state;
END $$;

-- The information about a code that a wallet can get before it signs (docs/protocol.md#111-before-signing). NULL if the
-- code can no longer be answered.
CREATE TYPE code_info AS (
  issued_at timestamptz,
  intent text,
  user_agent text,
  network bytea
);

CREATE FUNCTION who_is_asking(challenge text, login_sid text, now timestamptz, issued_since timestamptz)
RETURNS code_info LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
#variable_conflict use_column
DECLARE
  login login_session;
  code code_info;
BEGIN
  SET LOCAL synchronous_commit = off;
  SELECT issued_at INTO code.issued_at FROM challenge
  WHERE text = who_is_asking.challenge AND sid = login_sid AND issued_at > issued_since;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  SELECT * INTO login FROM login_session WHERE sid = login_sid AND flow = 'login' AND status <> 'authenticated';
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  code.intent := shown_intent(login.intent);
  IF login.intent IS NOT NULL AND NOT EXISTS (SELECT FROM answer_intent(login, NULL, now)) THEN
    RETURN NULL; -- the session or recovery that requested the code has ended
  END IF;
  code.user_agent := login.user_agent;
  code.network := login.network;
  RETURN code;
END $$;
