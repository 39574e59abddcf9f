-- Finds the tenant that owns an API key, and counts the request against the tenant (docs/protocol.md#24-limits).
-- Returns no row and counts nothing if the key is unknown, revoked or for the other mode. Raises SQLSTATE SL429 without
-- changes if the limit is used up. Records the key's last use, once a minute. The commit does not wait for the disk.
-- Lock order: the counters, then api_key.
CREATE FUNCTION find_caller(
  counter_prefix text, -- the prefix of the tenant's counter, which all of its keys share
  network text,
  max_requests int,
  max_network_requests bigint,
  window_seconds int,
  key_hash bytea,
  key_mode api_mode,
  now timestamptz,
  touched_before timestamptz
) RETURNS TABLE (
  counted_requests int, counted_reset_ms int, network_requests int, network_reset_ms int, tenant_id uuid
) LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  key api_key;
BEGIN
  SET LOCAL synchronous_commit = off;
  SELECT * INTO key FROM api_key AS held
  WHERE held.hash = key_hash AND held.mode = key_mode AND held.revoked_at IS NULL;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  RETURN QUERY SELECT counted.*, key.owner_id
  FROM count_request(
    counter_prefix || key.owner_id, find_caller.network, max_requests, max_network_requests, window_seconds
  ) AS counted;
  IF key.last_used_at IS NULL OR key.last_used_at <= touched_before THEN
    UPDATE api_key AS used SET last_used_at = now WHERE used.id = key.id;
  END IF;
END $$;
