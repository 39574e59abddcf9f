-- Codes for linking a wallet to the account of a user who signed in to the site without the login
-- (docs/decisions/0101-wallets-of-existing-users.md). Wallets see intent=add. `asked_by` contains a hash of the user's
-- id at the site, so that a code and its answer belong to one user.

-- Only a key without an account may answer. The key gets an account when the user confirms it (link_wallet).
CREATE FUNCTION answer_add_wallet(login login_session, holder_id int, now timestamptz) RETURNS SETOF intent_answer
LANGUAGE sql IMMUTABLE AS $$ SELECT NULL::int, holder_id IS NOT NULL $$;

-- The answer does not sign in the browser.
CREATE FUNCTION redeem_add_wallet(
  login login_session,
  browser_session_id uuid,
  user_agent text,
  now timestamptz,
  expires_at timestamptz
) RETURNS redeemed LANGUAGE sql IMMUTABLE AS $$ SELECT NULL::redeemed $$;

-- Links the wallet that answered this browser's code to the user of the site, who must not have a wallet yet. `outcome`
-- is 'linked', even if the call is repeated. It is 'has_wallet' if the user already has a wallet and 'taken' if the key
-- belongs to another account. It is NULL if this user has nothing to link in this browser. Unless it is 'linked',
-- nothing has changed. Of any number of concurrent calls for one user, exactly one links a wallet.
--
-- The key counts as added by someone else, so that its holder must consent when the key first signs in
-- (is_unconfirmed). Raises a unique violation if the key gets an account concurrently. If the caller then repeats the
-- call, the call finds that account. Lock order: the user of the site, then login_session, then credential.
CREATE FUNCTION link_wallet(
  site_user_id text, -- the site's id of the user who is signed in
  asked_by uuid, -- the hash of site_user_id
  login_sid text,
  browser_hash bytea,
  user_agent text,
  now timestamptz,
  answered_since timestamptz,
  deadline timestamptz,
  OUT outcome text
) LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  login login_session;
  holder_site_id text;
  owner_id int;
BEGIN
  PERFORM pg_advisory_xact_lock('site_user'::regclass::oid::integer, hashtext(site_user_id));
  SELECT * INTO login FROM login_session AS session
  WHERE session.sid = login_sid AND session.flow = 'login' AND session.browser_hash = link_wallet.browser_hash
    AND session.intent = 'add_wallet' AND session.asked_by = link_wallet.asked_by
    AND session.status = 'authenticated' AND session.authenticated_at > answered_since
  FOR UPDATE;
  IF NOT FOUND OR statement_timestamp() >= deadline THEN
    RETURN;
  END IF;

  SELECT holder.site_id INTO holder_site_id
  FROM credential AS held LEFT JOIN site_user AS holder USING (user_id) WHERE held.value = login.credential;
  IF FOUND THEN
    outcome := CASE holder_site_id WHEN site_user_id THEN 'linked' ELSE 'taken' END;
    RETURN;
  END IF;
  IF login.redeemed_at IS NOT NULL THEN
    RETURN; -- the answer was undone, or the key was linked and then removed
  END IF;
  IF has_wallet(site_user_id) THEN
    outcome := 'has_wallet';
    RETURN;
  END IF;

  -- A user without keys can still have an account from an earlier wallet.
  SELECT owner.user_id INTO owner_id FROM site_user AS owner WHERE owner.site_id = site_user_id
  ORDER BY owner.user_id LIMIT 1;
  IF owner_id IS NULL THEN
    INSERT INTO user_account (created_at) VALUES (now) RETURNING id INTO owner_id;
    INSERT INTO site_user (user_id, site_id, created_at) VALUES (owner_id, site_user_id, now);
  END IF;
  INSERT INTO credential (id, user_id, kind, value, created_at, added_by_session, device_info)
  VALUES (gen_random_uuid(), owner_id, kind_of(login), login.credential, now, login.asked_by, login.device_info);
  UPDATE login_session AS session SET redeemed_at = now, user_id = owner_id WHERE session.sid = login.sid;
  INSERT INTO login_event (at, kind, sid, user_id, credential, user_agent)
  VALUES (now, 'credential_added', login.sid, owner_id, login.credential, link_wallet.user_agent);
  outcome := 'linked';
END $$;

-- Returns whether a user of the site can already sign in with a wallet or an address.
CREATE FUNCTION has_wallet(site_user_id text) RETURNS boolean LANGUAGE sql STABLE SET search_path FROM CURRENT AS $$
  SELECT EXISTS (SELECT FROM site_user JOIN credential USING (user_id) WHERE site_user.site_id = site_user_id)
$$;

-- Removes the key that an answer linked before it was undone, and ends the sessions that the key opened. Both linking
-- and undoing lock the login session, so that whichever comes second sees the result of the first. Returns whether a
-- key was removed. Lock order: credential, then browser_session.
CREATE FUNCTION unlink_undone_wallet(login_sid text, now timestamptz, OUT unlinked boolean) LANGUAGE plpgsql
SET search_path FROM CURRENT AS $$
DECLARE
  removed credential;
BEGIN
  DELETE FROM credential AS held USING login_session AS login
  WHERE login.sid = login_sid AND login.intent = 'add_wallet' AND login.undone_at IS NOT NULL
    AND held.value = login.credential AND held.user_id = login.user_id AND held.created_at = login.redeemed_at
  RETURNING held.* INTO removed;
  unlinked := FOUND;
  IF unlinked THEN
    PERFORM end_sessions_of_keys(removed.user_id, ARRAY[removed.value], NULL, now);
    INSERT INTO login_event (at, kind, user_id, reason, credential)
    VALUES (now, 'credential_removed', removed.user_id, 'undone', removed.value);
  END IF;
END $$;
