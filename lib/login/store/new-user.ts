/** The id that a new user gets. */
export const NEW_USER_ID = "nextval('user_account_id_seq')::int";
/** Expressions that create a user and its credential for each row of `from` that `is_new`; they end with a comma. */
export const creatingUser = (from: string, kind: "public_key" | "address", now: string) => `new_user AS (
    INSERT INTO user_account (id, created_at) SELECT user_id, ${now}::timestamptz FROM ${from} WHERE is_new
  ), new_credential AS (
    INSERT INTO credential (id, user_id, kind, value, created_at)
    SELECT gen_random_uuid(), user_id, '${kind}', credential, ${now}::timestamptz FROM ${from} WHERE is_new
  ), `;
