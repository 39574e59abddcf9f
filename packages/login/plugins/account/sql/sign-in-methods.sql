-- An account's sign-in methods (docs/protocol.md#45-added-keys): public keys, and addresses for the fast login. Each
-- function changes these methods on behalf of a browser session, and returns NULL if that session or its approval has
-- ended.

-- Adds the credential that answered a code with intent=add to the account of the browser session that requested the
-- code. Each answer can add a credential only once. `id` is NULL if there is nothing to add. Raises a unique violation
-- if the credential already belongs to a user.
CREATE FUNCTION add_credential(
  session_id uuid,
  login_sid text,
  browser_hash bytea,
  user_agent text,
  now timestamptz,
  answered_since timestamptz,
  deadline timestamptz,
  OUT alive boolean,
  OUT id uuid
) LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
#variable_conflict use_column
DECLARE
  asking browser_session := asking_session(session_id, true, now, deadline);
  login login_session;
BEGIN
  IF asking.id IS NULL THEN
    RETURN;
  END IF;
  alive := true;
  UPDATE login_session AS session SET redeemed_at = now, user_id = asking.user_id
  WHERE session.sid = login_sid AND session.browser_hash = add_credential.browser_hash
    AND session.intent = 'add' AND session.asked_by = asking.id AND session.status = 'authenticated' AND session.redeemed_at IS NULL
    AND session.authenticated_at > answered_since
  RETURNING * INTO login;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  INSERT INTO credential AS added (id, user_id, kind, value, created_at, added_by_session, device_info)
  VALUES (
    gen_random_uuid(), asking.user_id, kind_of(login), login.credential, now, asking.id, login.device_info
  ) RETURNING added.id INTO add_credential.id;
  INSERT INTO login_event (at, kind, sid, user_id, credential, user_agent, by_session)
  VALUES (
    now, 'credential_added', login.sid, asking.user_id, login.credential, add_credential.user_agent,
    COALESCE(asking.lineage, asking.id)
  );
END $$;

-- Names a sign-in method. A NULL label removes the name. Needs no approval.
CREATE FUNCTION rename_credential(
  session_id uuid,
  credential_id uuid,
  label text,
  now timestamptz,
  deadline timestamptz,
  OUT renamed boolean
) LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  asking browser_session := asking_session(session_id, false, now, deadline);
BEGIN
  IF asking.id IS NULL THEN
    RETURN;
  END IF;
  UPDATE credential AS held SET label = rename_credential.label
  WHERE held.id = credential_id AND held.user_id = asking.user_id;
  renamed := FOUND;
END $$;

-- Removes a sign-in method, but never the last one. The requesting browser session does not end.
CREATE FUNCTION remove_credential(
  session_id uuid,
  credential_id uuid,
  user_agent text,
  now timestamptz,
  deadline timestamptz,
  OUT is_held boolean, -- whether the user has this sign-in method
  OUT is_last boolean
) LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  asking browser_session := asking_session(session_id, true, now, deadline);
  held uuid[] := lock_credentials_of(asking.user_id);
BEGIN
  IF asking.id IS NULL THEN
    RETURN;
  END IF;
  is_held := credential_id = ANY(held);
  is_last := cardinality(held) = 1;
  IF is_held AND NOT is_last THEN
    PERFORM remove_credentials(asking, ARRAY[credential_id], asking.id, remove_credential.user_agent, now);
  END IF;
END $$;

-- Removes the sign-in methods that the user had before the last recovery, provided that the user has a newer one.
CREATE FUNCTION remove_credentials_before_recovery(
  session_id uuid,
  user_agent text,
  now timestamptz,
  deadline timestamptz,
  OUT removed_count int
) LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  asking browser_session := asking_session(session_id, true, now, deadline);
  held uuid[] := lock_credentials_of(asking.user_id);
  removed uuid[] := ARRAY(SELECT id FROM credential WHERE id = ANY(held) AND before_recovery_at IS NOT NULL);
BEGIN
  IF asking.id IS NULL THEN
    RETURN;
  END IF;
  IF cardinality(removed) = cardinality(held) THEN
    removed := '{}';
  END IF;
  PERFORM remove_credentials(asking, removed, NULL, remove_credentials_before_recovery.user_agent, now);
  removed_count := cardinality(removed);
END $$;

-- Removes sign-in methods that the caller has locked. Ends the browser sessions that these methods opened, except
-- `kept`, and the logins that they answered. Lock order: credential, then login_session, hosted_login and
-- browser_session.
CREATE FUNCTION remove_credentials(
  asking browser_session,
  removed uuid[],
  kept uuid, -- the browser session that must not end
  user_agent text,
  now timestamptz
) RETURNS void LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  removed_values text[];
BEGIN
  WITH deleted AS (
    DELETE FROM credential WHERE id = ANY(removed) RETURNING value
  )
  SELECT array_agg(value) INTO removed_values FROM deleted;
  PERFORM end_sessions_of_keys(asking.user_id, removed_values, kept, now);
  INSERT INTO login_event (at, kind, user_id, credential, user_agent)
  SELECT now, 'credential_removed', asking.user_id, value, remove_credentials.user_agent
  FROM unnest(removed_values) AS value;
END $$;
