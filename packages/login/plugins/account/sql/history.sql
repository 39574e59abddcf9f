-- An account's history, and the notices that its browser sessions show (docs/protocol.md#112-after-signing,
-- #45-added-keys): changes, sign-ins in new browsers, and the remaining changes of undone sign-ins. Each browser
-- session can dismiss only its own notices, and only those that it has shown.

CREATE TYPE audit_entry AS (
  id text,
  at timestamptz,
  kind text,
  reason text,
  credential text,
  device_info jsonb,
  user_agent text,
  subject text
);

-- Lists an account's entries, newest first.
CREATE FUNCTION list_audit_entries(owner_id int, max_entries int) RETURNS SETOF audit_entry
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  RETURN QUERY
  SELECT event.id::text, event.at, event.kind::text, event.reason, event.credential, event.device_info,
    event.user_agent, event.subject
  FROM login_event AS event WHERE event.user_id = owner_id
  ORDER BY event.at DESC, event.id DESC LIMIT max_entries;
END $$;

-- Returns the events of an account that browser sessions can show as notices. The condition matches the index
-- login_event_notice_idx. PostgreSQL inlines this function and the LANGUAGE sql functions below, so that the calling
-- statements use the index.
CREATE FUNCTION notices_of(owner_id int) RETURNS SETOF login_event LANGUAGE sql STABLE AS $$
  SELECT * FROM login_event AS event
  WHERE event.user_id = owner_id
    AND event.kind NOT IN ('issued', 'delivered', 'refused', 'unregistered', 'session_ended')
    AND (event.subject IS NOT NULL OR event.kind NOT IN ('session_created', 'approved'))
$$;

-- A browser session shows changes that were made at most this long before its sign-in.
CREATE FUNCTION notice_age() RETURNS interval LANGUAGE sql IMMUTABLE AS $$ SELECT interval '7 days' $$;

-- The notices that a browser session has yet to dismiss.
CREATE FUNCTION open_notices(viewer browser_session) RETURNS SETOF login_event LANGUAGE sql STABLE AS $$
  SELECT * FROM notices_of(viewer.user_id) AS event
  WHERE event.at >= viewer.created_at - notice_age()
    AND event.id > viewer.notices_dismissed_to
    AND event.id <> ALL(viewer.notices_dismissed)
    -- Processes of earlier versions record in this column which sessions have dismissed a notice.
    AND NOT viewer.id = ANY(event.dismissed_in)
$$;

-- Kinds are compared as text, because a site's enum may lack some of them.
CREATE FUNCTION open_changes(viewer browser_session) RETURNS SETOF login_event LANGUAGE sql STABLE AS $$
  SELECT * FROM open_notices(viewer) AS event
  WHERE event.kind::text IN (
    'credential_added', 'credential_removed', 'api_key_created', 'api_key_revoked', 'webhook_secret_rotated',
    'webhook_url_changed', 'domain_deleted', 'signed_out_everywhere', 'recovery_codes_made', 'recovery_opened',
    'recovery_pending', 'recovery_cancelled', 'recovered'
  )
$$;

-- Sign-ins in other browsers that are new to the account. The account's first browser is excluded.
CREATE FUNCTION open_new_browsers(viewer browser_session) RETURNS SETOF login_event LANGUAGE sql STABLE AS $$
  SELECT * FROM open_notices(viewer) AS event
  WHERE event.kind IN ('session_created', 'approved') AND event.subject IS NOT NULL
    AND event.by_session IS DISTINCT FROM COALESCE(viewer.lineage, viewer.id)
    AND event.subject <> ALL(SELECT encode(undo.hash, 'hex') FROM unnest(viewer.undo_hashes) AS undo (hash))
    AND (
      event.at > (SELECT account.created_at FROM user_account AS account WHERE account.id = viewer.user_id)
        + interval '10 minutes'
      OR EXISTS (
        SELECT FROM login_event AS earlier
        WHERE earlier.user_id = event.user_id AND earlier.kind = 'session_created' AND earlier.id < event.id
      )
    )
$$;

-- The changes that an undone sign-in made and that are still in effect: sign-in methods (with their ids), API keys,
-- recovery codes and webhooks. An undo ends the sessions that the sign-in opened, but does not reverse the changes.
CREATE FUNCTION left_behind(login_sid text, owner_id int)
RETURNS TABLE (id bigint, kind text, credential text, subject text, credential_id uuid) LANGUAGE sql STABLE AS $$
  SELECT change.id, change.kind::text, change.credential, change.subject, added.id
  FROM login_event AS sign_in
  JOIN notices_of(owner_id) AS change ON change.by_session = sign_in.by_session AND change.id > sign_in.id
  LEFT JOIN credential AS added ON change.kind = 'credential_added' AND added.user_id = change.user_id
    AND added.value = change.credential AND added.created_at <= change.at
  WHERE sign_in.sid = login_sid AND sign_in.user_id = owner_id AND sign_in.kind IN ('session_created', 'approved')
    AND (
      added.id IS NOT NULL
      OR change.kind::text IN ('api_key_created', 'recovery_codes_made', 'webhook_url_changed', 'webhook_secret_rotated')
        AND NOT EXISTS (
          SELECT FROM notices_of(owner_id) AS later
          WHERE later.id > change.id
            AND later.subject IS NOT DISTINCT FROM change.subject
            AND later.kind::text IN (
              'domain_deleted',
              CASE change.kind::text WHEN 'api_key_created' THEN 'api_key_revoked' ELSE change.kind::text END
            )
        )
    )
$$;

CREATE FUNCTION open_undone_sign_ins(viewer browser_session) RETURNS SETOF login_event LANGUAGE sql STABLE AS $$
  SELECT * FROM open_notices(viewer) AS event
  WHERE event.kind = 'undone' AND EXISTS (SELECT FROM left_behind(event.sid, event.user_id))
$$;

-- The changes from seven days before a browser session's sign-in onwards, newest first, except those that it has
-- dismissed. The session's own changes are included: they may have been made with a stolen copy of its token, and this
-- might be the user's only browser.
CREATE FUNCTION list_account_changes(session_id uuid, max_entries int) RETURNS SETOF audit_entry
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  viewer browser_session;
BEGIN
  SELECT * INTO viewer FROM browser_session WHERE browser_session.id = session_id;
  RETURN QUERY
  SELECT event.id::text, event.at, event.kind::text, event.reason, event.credential, event.device_info,
    event.user_agent, event.subject
  FROM open_changes(viewer) AS event
  ORDER BY event.id DESC LIMIT max_entries;
END $$;

-- Other browsers that are new to the account, newest first. `session_id` is NULL once the browser's session has ended.
CREATE FUNCTION list_new_browsers(viewer_id uuid, max_entries int)
RETURNS TABLE (id text, at timestamptz, user_agent text, session_id uuid)
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  viewer browser_session;
BEGIN
  SELECT * INTO viewer FROM browser_session WHERE browser_session.id = viewer_id;
  RETURN QUERY
  SELECT event.id::text, event.at, event.user_agent, session.id
  FROM (
    SELECT * FROM open_new_browsers(viewer) AS newest ORDER BY newest.id DESC LIMIT max_entries
  ) AS event
  LEFT JOIN browser_session AS session ON session.user_id = event.user_id AND (
    COALESCE(session.lineage, session.id) = event.by_session
    -- Finds sessions that a process of an earlier version has opened.
    OR decode(event.subject, 'hex') = ANY(session.undo_hashes)
  )
  ORDER BY event.id DESC;
END $$;

-- The undone sign-ins whose changes are still in effect, newest first. Each row contains its newest changes, oldest
-- first.
CREATE FUNCTION list_undone_sign_ins(session_id uuid, max_entries int)
RETURNS TABLE (id text, at timestamptz, user_agent text, "left" json)
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  viewer browser_session;
BEGIN
  SELECT * INTO viewer FROM browser_session WHERE browser_session.id = session_id;
  RETURN QUERY
  SELECT event.id::text, event.at, event.user_agent, (
    SELECT json_agg(json_build_object(
      'kind', newest.kind,
      'credential', newest.credential,
      'subject', newest.subject,
      'credentialId', newest.credential_id
    ) ORDER BY newest.id)
    FROM (
      SELECT * FROM left_behind(event.sid, event.user_id) AS change ORDER BY change.id DESC LIMIT max_entries
    ) AS newest
  )
  FROM open_undone_sign_ins(viewer) AS event
  ORDER BY event.id DESC LIMIT max_entries;
END $$;

-- Records the notices that a browser session has shown, so that the session can dismiss those notices: the notices on
-- its current page and up to 100 from earlier pages.
CREATE FUNCTION note_shown_notices(session_id uuid, shown_ids bigint[], OUT noted boolean)
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  SET LOCAL synchronous_commit = off;
  UPDATE browser_session AS session SET notices_shown = shown_ids || ARRAY(
    SELECT earlier.id FROM unnest(session.notices_shown) AS earlier (id)
    WHERE earlier.id <> ALL(shown_ids) ORDER BY earlier.id DESC LIMIT 100
  )
  WHERE session.id = session_id AND NOT session.notices_shown @> shown_ids;
  noted := FOUND;
END $$;

-- Dismisses notices in one browser session. The session stores the entry up to which all notices are dismissed, and the
-- ids of at most 500 later dismissed notices. Beyond 500, the oldest are shown again. Concurrent calls for one session
-- take turns.
CREATE FUNCTION dismiss_notices(session_id uuid, notice_ids bigint[], now timestamptz, OUT dismissed_to bigint)
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  viewer browser_session;
  dismissed bigint[];
  oldest_open bigint;
BEGIN
  SELECT * INTO viewer FROM browser_session WHERE id = session_id FOR NO KEY UPDATE;
  dismissed := ARRAY(
    SELECT unnest(viewer.notices_dismissed)
    UNION
    SELECT notice.id FROM unnest(notice_ids) AS notice (id) WHERE notice.id = ANY(viewer.notices_shown)
  );
  SELECT min(id) INTO oldest_open FROM (
    SELECT id FROM open_changes(viewer)
    UNION ALL
    SELECT id FROM open_new_browsers(viewer)
    UNION ALL
    SELECT id FROM open_undone_sign_ins(viewer)
  ) AS notice WHERE id <> ALL(dismissed);
  -- Statements and transactions end within a minute, so no entry with an older time can still be added.
  SELECT GREATEST(viewer.notices_dismissed_to, max(id)) INTO dismissed_to FROM login_event
  WHERE id = ANY(dismissed) AND at < now - interval '60 seconds' AND (oldest_open IS NULL OR id < oldest_open);

  UPDATE browser_session SET
    notices_shown = ARRAY(SELECT id FROM unnest(notices_shown) AS id WHERE id <> ALL(dismissed)),
    notices_dismissed_to = dismissed_to,
    notices_dismissed = ARRAY(
      SELECT id FROM unnest(dismissed) AS id WHERE id > dismissed_to ORDER BY id DESC LIMIT 500
    )
  WHERE id = viewer.id;
END $$;
