-- Ends the demo customer's pending logins when browser sessions end: those in the requesting browser and, if sessions
-- are revoked, those that the user's keys have answered in other browsers.
CREATE FUNCTION forget_hosted_logins(
  ends_here boolean,
  browser_hash bytea,
  revoked boolean,
  owner_id int,
  OUT forgotten_count int
) LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  DELETE FROM hosted_login AS hosted WHERE hosted.redeemed_at IS NULL AND (
    ends_here AND hosted.browser_hash = forget_hosted_logins.browser_hash
    OR revoked AND hosted.browser_hash IS DISTINCT FROM forget_hosted_logins.browser_hash
      AND hosted.public_key IN (SELECT value FROM credential WHERE user_id = owner_id)
  );
  GET DIAGNOSTICS forgotten_count = ROW_COUNT;
END $$;
