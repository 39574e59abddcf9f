-- The credentials with which users sign in: public keys, and addresses for the fast login.

-- Creates a user with one sign-in method, and returns the user's id.
CREATE FUNCTION create_user(kind credential_kind, value text, device_info jsonb, now timestamptz) RETURNS int
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  new_id int;
BEGIN
  INSERT INTO user_account (created_at) VALUES (now) RETURNING id INTO new_id;
  INSERT INTO credential (id, user_id, kind, value, created_at, device_info)
  VALUES (
    gen_random_uuid(), new_id, create_user.kind, create_user.value, now, create_user.device_info
  );
  RETURN new_id;
END $$;

-- Returns the kind of credential that answered a login.
CREATE FUNCTION kind_of(login login_session) RETURNS credential_kind LANGUAGE sql STABLE AS $$
  SELECT (CASE login.flow::text WHEN 'fast' THEN 'address' ELSE 'public_key' END)::credential_kind
$$;

-- Locks all of a user's sign-in methods, so that two concurrent removals cannot remove the last one. Waits for sign-ins
-- in progress.
CREATE FUNCTION lock_credentials_of(owner_id int) RETURNS uuid[] LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  RETURN ARRAY(SELECT id FROM credential WHERE user_id = owner_id ORDER BY id FOR UPDATE);
END $$;
