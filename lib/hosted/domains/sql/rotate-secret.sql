-- The secrets that sign a domain's events (docs/protocol.md#53-signatures).

-- Returns a domain's previous secrets that still sign events, and when each expires.
CREATE FUNCTION previous_secrets(holder domain, now timestamptz) RETURNS TABLE (secret bytea, until timestamptz)
LANGUAGE sql STABLE AS $$
  SELECT previous.secret, previous.until FROM unnest(
    array_prepend(holder.previous_secret, holder.earlier_secrets),
    array_prepend(holder.previous_secret_until, holder.earlier_secrets_until)
  ) AS previous (secret, until)
  WHERE previous.until > now
$$;

-- Replaces a domain's secret. The replaced secret still signs until `previous_until`, and earlier ones until their own
-- expiry. Returns NULL if the domain was deleted, and after the deadline, because the caller could then not show the
-- new secret. Changes nothing if `max_previous` earlier secrets still sign, because each of them must continue to sign
-- until its own expiry.
CREATE FUNCTION rotate_secret(
  tenant_id uuid,
  tenant_mode api_mode,
  domain_id text,
  new_secret bytea,
  previous_until timestamptz,
  max_previous int,
  now timestamptz,
  deadline timestamptz,
  OUT domain text,
  OUT signing int, -- the number of earlier secrets that still sign
  OUT first_end timestamptz -- when the first of these secrets expires
) LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  held domain;
  secrets bytea[];
  ends timestamptz[];
BEGIN
  SELECT * INTO held FROM domain AS registered
  WHERE registered.id = domain_id AND registered.owner_id = tenant_id AND registered.mode = tenant_mode
    AND statement_timestamp() < deadline
  FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  SELECT COALESCE(array_agg(earlier.secret ORDER BY earlier.until DESC), '{}'),
    COALESCE(array_agg(earlier.until ORDER BY earlier.until DESC), '{}')
  INTO secrets, ends FROM previous_secrets(held, now) AS earlier;
  rotate_secret.domain := held.domain;
  signing := cardinality(secrets);
  first_end := ends[signing];
  IF signing < max_previous THEN
    UPDATE domain AS rotated SET
      secret = new_secret,
      previous_secret = held.secret,
      previous_secret_until = previous_until,
      earlier_secrets = secrets,
      earlier_secrets_until = ends
    WHERE rotated.id = held.id;
  END IF;
END $$;
