-- Codes with intent=recover (docs/protocol.md#103-the-new-key): the answering key becomes a key of the account whose
-- open recovery requested the code.

-- Only a key without an account can answer.
CREATE FUNCTION answer_recover(login login_session, holder_id int, now timestamptz) RETURNS SETOF intent_answer
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  RETURN QUERY SELECT COALESCE(holder_id, asking.user_id), holder_id IS NOT NULL
  FROM recovery AS asking WHERE asking.id = login.asked_by AND asking.expires_at > now;
END $$;

-- The answer does not sign in before the recovery takes effect. After that, the login is redeemed like any other login.
CREATE FUNCTION redeem_recover(
  login login_session,
  browser_session_id uuid,
  user_agent text,
  now timestamptz,
  expires_at timestamptz
) RETURNS redeemed LANGUAGE sql IMMUTABLE AS $$ SELECT NULL::redeemed $$;

-- Cancels the recovery that chose the key of an undone login, unless it has taken effect. The recovery code still
-- works.
CREATE FUNCTION cancel_recovery_of(undone_login login_session, now timestamptz) RETURNS boolean
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  cancelled recovery;
BEGIN
  -- Undoing an answer and choosing its key both take this lock, so that whichever comes second sees the result of the
  -- first.
  PERFORM FROM recovery WHERE id = undone_login.asked_by FOR UPDATE;
  UPDATE recovery SET cancelled_at = now
  WHERE id = undone_login.asked_by AND credential = undone_login.credential AND takes_effect_at IS NOT NULL
    AND finished_at IS NULL AND cancelled_at IS NULL
  RETURNING * INTO cancelled;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  INSERT INTO login_event (at, kind, user_id, reason, credential, user_agent)
  VALUES (now, 'recovery_cancelled', cancelled.user_id, 'undone', cancelled.credential, cancelled.user_agent);
  RETURN true;
END $$;
