-- Codes with intent=add (docs/protocol.md#45-added-keys): the key that answers is offered to the account of the browser
-- session that requested the code. That session must confirm the key.

-- The code can be answered as long as the requesting session's sign-in counts as an approval. A key that already
-- belongs to a user signs in that user.
CREATE FUNCTION answer_add(login login_session, holder_id int, now timestamptz) RETURNS SETOF intent_answer
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  RETURN QUERY SELECT COALESCE(holder_id, asking.user_id), false
  FROM browser_session AS asking
  WHERE asking.id = login.asked_by AND asking.expires_at > now AND asking.created_at >= now - approval_age();
END $$;

-- The answer does not sign in the browser. The session that requested the code adds the key (add_credential).
CREATE FUNCTION redeem_add(
  login login_session,
  browser_session_id uuid,
  user_agent text,
  now timestamptz,
  expires_at timestamptz
) RETURNS redeemed LANGUAGE sql IMMUTABLE AS $$ SELECT NULL::redeemed $$;
