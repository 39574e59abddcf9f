-- Removes the wallets of a user of the site, so that the user can link a new one (docs/existing-application.md). Ends
-- the browser sessions that these wallets opened, and the logins that they answered. Never changes another user's rows.
-- The user keeps the account and can use it again with the next wallet (link_wallet).
--
-- `outcome` is 'removed', even if the call is repeated within ten minutes and the user has no new wallet. `opened_sids`
-- are then the logins with which the wallets signed in, at most the latest 100. `outcome` is 'signed_in_with_wallet' if
-- this browser signed in with one of these wallets, because the user might have no other sign-in method. It is NULL if
-- the user has no wallet, or after the deadline. Unless it is 'removed', nothing has changed.
--
-- Calls that link or remove a wallet of the same user run one at a time. A concurrent sign-in either finds no key, or
-- its session is ended here. Lock order: the user of the site, then user_account, as in an approval, then credential,
-- login_session, hosted_login and browser_session.
CREATE FUNCTION unlink_wallet(
  site_user_id text, -- the site's id of the user who is signed in
  browser_hash bytea,
  user_agent text,
  signed_in_at timestamptz, -- the time at which the user signed in to the site
  now timestamptz,
  deadline timestamptz,
  OUT outcome text,
  OUT opened_sids text[]
) LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  owner_ids int[];
  owner_id int;
  removed_values text[];
BEGIN
  PERFORM pg_advisory_xact_lock('site_user'::regclass::oid::integer, hashtext(site_user_id));
  IF statement_timestamp() >= deadline THEN
    RETURN;
  END IF;
  owner_ids := ARRAY(SELECT owner.user_id FROM site_user AS owner WHERE owner.site_id = site_user_id);
  PERFORM FROM user_account AS account WHERE account.id = ANY(owner_ids) ORDER BY account.id FOR NO KEY UPDATE;
  PERFORM FROM credential AS held WHERE held.user_id = ANY(owner_ids) ORDER BY held.id FOR UPDATE;
  IF FOUND AND signed_in_with_wallet(owner_ids, browser_hash, signed_in_at) THEN
    outcome := 'signed_in_with_wallet';
    RETURN;
  END IF;

  FOREACH owner_id IN ARRAY owner_ids LOOP
    LOOP
      WITH deleted AS (
        DELETE FROM credential AS held WHERE held.user_id = owner_id RETURNING held.value
      )
      SELECT COALESCE(array_agg(value), '{}') INTO removed_values FROM deleted;
      EXIT WHEN removed_values = '{}';
      -- Waits for any session that is adding another key. The next iteration removes that key.
      PERFORM end_sessions_of_keys(owner_id, removed_values, NULL, now);
      INSERT INTO login_event (at, kind, user_id, reason, credential, user_agent)
      SELECT now, 'credential_removed', owner_id, 'unlinked', value, unlink_wallet.user_agent
      FROM unnest(removed_values) AS value;
    END LOOP;
  END LOOP;

  removed_values := ARRAY(
    SELECT removal.credential FROM login_event AS removal
    WHERE removal.user_id = ANY(owner_ids) AND removal.at > now - interval '10 minutes'
      AND removal.kind = 'credential_removed' AND removal.reason = 'unlinked'
  );
  IF removed_values = '{}' THEN
    RETURN;
  END IF;
  outcome := 'removed';
  opened_sids := ARRAY(
    SELECT opened.sid FROM login_event AS opened
    WHERE opened.user_id = ANY(owner_ids) AND opened.kind = 'session_created'
      AND opened.credential = ANY(removed_values)
    ORDER BY opened.at DESC LIMIT 100
  );
END $$;

-- Returns whether this browser's current sign-in to the site might have been made with one of these users' wallets. The
-- site's clock can differ from the database's by up to a minute.
CREATE FUNCTION signed_in_with_wallet(owner_ids int[], browser_hash bytea, signed_in_at timestamptz) RETURNS boolean
LANGUAGE sql STABLE SET search_path FROM CURRENT AS $$
  SELECT EXISTS (
    SELECT FROM login_session AS login
    WHERE login.user_id = ANY(owner_ids) AND login.browser_hash = signed_in_with_wallet.browser_hash
      AND login.redeemed_at > signed_in_at - interval '1 minute'
      AND (login.intent IS NULL OR login.intent = 'approve')
  )
$$;
