-- Returns the browser session that requests a change, or NULL if it has ended or if its sign-in is too old for the
-- approval that the change needs. The row stays locked until the change is made. A concurrent request that ends the
-- session therefore either waits for the change or comes first, in which case the change has no effect.
CREATE FUNCTION asking_session(session_id uuid, needs_approval boolean, now timestamptz, deadline timestamptz)
RETURNS browser_session LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  asking browser_session;
BEGIN
  SELECT * INTO asking FROM browser_session
  WHERE id = session_id AND expires_at > now AND statement_timestamp() < deadline
    AND (NOT needs_approval OR created_at >= now - approval_age())
  FOR KEY SHARE;
  RETURN asking;
END $$;

-- How long a sign-in counts as an approval.
CREATE FUNCTION approval_age() RETURNS interval LANGUAGE sql IMMUTABLE AS $$ SELECT interval '10 minutes' $$;
