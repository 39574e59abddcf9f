-- Redeems a login of a hosted API customer (docs/protocol.md#42-redemption), as `redeem` does for other logins. The key
-- became known only through an event, so its user is found or created here. Lock order: credential, then hosted_login,
-- then browser_session.
CREATE FUNCTION redeem_hosted(
  login_sid text,
  browser_hash bytea,
  browser_session_id uuid,
  user_agent text,
  current_session_id uuid,
  holder_confirms boolean,
  now timestamptz,
  answered_since timestamptz,
  expires_at timestamptz,
  deadline timestamptz
) RETURNS redeemed LANGUAGE plpgsql
SET search_path FROM CURRENT SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  login hosted_login;
  holder credential;
BEGIN
  SELECT * INTO login FROM hosted_login AS hosted
  WHERE hosted.session_id = login_sid AND hosted.browser_hash = redeem_hosted.browser_hash
    AND hosted.authenticated_at > answered_since AND hosted.redeemed_at IS NULL;
  IF NOT FOUND OR statement_timestamp() >= deadline THEN
    RETURN NULL;
  END IF;

  SELECT * INTO holder FROM credential AS held WHERE held.value = login.public_key FOR KEY SHARE;
  IF is_unconfirmed(holder, browser_session_id, current_session_id, now) AND NOT holder_confirms THEN
    RETURN ROW(NULL::int, true);
  END IF;
  UPDATE hosted_login AS hosted SET redeemed_at = now
  WHERE hosted.session_id = login_sid AND hosted.redeemed_at IS NULL;
  IF NOT FOUND THEN
    RETURN NULL; -- another request has already redeemed the login
  END IF;
  IF holder.user_id IS NULL THEN
    holder.user_id := create_user('public_key', login.public_key, NULL, now);
  END IF;
  IF holder_confirms THEN
    PERFORM confirm_key(login.public_key);
  END IF;
  PERFORM open_session(
    'session_created', login_sid, holder.user_id, login.public_key, NULL, sha256(convert_to(login_sid, 'UTF8')), '{}',
    NULL, browser_session_id, browser_session_id, redeem_hosted.user_agent, now, redeem_hosted.expires_at
  );
  RETURN ROW(holder.user_id, false);
END $$;
