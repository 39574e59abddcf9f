-- Recovery codes (docs/protocol.md#101-recovery-codes), stored as MACs. The database does not contain the key of these
-- MACs. Each function acts on behalf of a browser session, and returns NULL if that session or its approval has ended.

-- Replaces a user's two codes. The new codes work only once they are confirmed. The previous codes become invalid now,
-- and any recoveries that were opened with them end. `cancelled` is true if there was such a recovery.
CREATE FUNCTION replace_recovery_codes(
  session_id uuid,
  macs bytea[],
  key_id bytea,
  user_agent text,
  now timestamptz,
  deadline timestamptz,
  OUT cancelled boolean
) LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  asking browser_session := asking_session(session_id, true, now, deadline);
BEGIN
  IF asking.id IS NULL THEN
    RETURN;
  END IF;
  cancelled := cancel_recoveries_of(asking.user_id, replace_recovery_codes.user_agent, now);
  -- Overwrites the previous rows, so that even two concurrent requests leave only two codes.
  INSERT INTO recovery_code AS code (id, user_id, slot, mac, key_id, created_at)
  SELECT gen_random_uuid(), asking.user_id, slot, mac, replace_recovery_codes.key_id, now
  FROM unnest(macs) WITH ORDINALITY AS new_code (mac, slot) ORDER BY slot
  ON CONFLICT (user_id, slot) DO UPDATE SET
    id = excluded.id, mac = excluded.mac, key_id = excluded.key_id, created_at = excluded.created_at,
    confirmed_at = NULL;
  INSERT INTO login_event (at, kind, user_id, user_agent, by_session)
  VALUES (
    now, 'recovery_codes_made', asking.user_id, replace_recovery_codes.user_agent,
    COALESCE(asking.lineage, asking.id)
  );
END $$;

-- Activates a user's two codes if both were typed. `macs` contains the typed codes' MACs with each of the site's
-- secrets. Locks the codes, so that a concurrent call cannot replace them at the same time.
CREATE FUNCTION confirm_recovery_codes(
  session_id uuid,
  macs bytea[],
  now timestamptz,
  deadline timestamptz,
  OUT confirmed boolean
) LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  asking browser_session := asking_session(session_id, false, now, deadline);
  typed uuid[] := ARRAY(
    SELECT id FROM recovery_code WHERE user_id = asking.user_id AND mac = ANY(macs) ORDER BY slot FOR UPDATE
  );
BEGIN
  IF asking.id IS NULL THEN
    RETURN;
  END IF;
  confirmed := cardinality(typed) = 2;
  IF confirmed THEN
    UPDATE recovery_code SET confirmed_at = COALESCE(confirmed_at, now) WHERE id = ANY(typed);
  END IF;
END $$;

-- Cancels all open and pending recoveries of the requesting user.
CREATE FUNCTION cancel_recoveries(
  session_id uuid,
  user_agent text,
  now timestamptz,
  deadline timestamptz,
  OUT cancelled boolean
) LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  asking browser_session := asking_session(session_id, false, now, deadline);
BEGIN
  IF asking.id IS NOT NULL THEN
    cancelled := cancel_recoveries_of(asking.user_id, cancel_recoveries.user_agent, now);
  END IF;
END $$;

CREATE FUNCTION cancel_recoveries_of(owner_id int, user_agent text, now timestamptz) RETURNS boolean
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  UPDATE recovery SET cancelled_at = now
  WHERE user_id = owner_id AND finished_at IS NULL AND cancelled_at IS NULL
    AND (takes_effect_at IS NOT NULL OR expires_at > now);
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  INSERT INTO login_event (at, kind, user_id, user_agent)
  VALUES (now, 'recovery_cancelled', owner_id, cancel_recoveries_of.user_agent);
  RETURN true;
END $$;
