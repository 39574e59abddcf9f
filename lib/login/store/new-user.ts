/** The id of a user to be, and what creates the user of each row of `from` that `is_new`, with the row's credential. */
export const NEW_USER_ID = "nextval('user_account_id_seq')::int";
export const creatingUser = (from: string, kind: "public_key" | "address", now: string) => `new_user AS (
    INSERT INTO user_account (id, created_at) SELECT user_id, ${now}::timestamptz FROM ${from} WHERE is_new
  ), new_credential AS (
    INSERT INTO credential (id, user_id, kind, value, created_at)
    SELECT gen_random_uuid(), user_id, '${kind}', credential, ${now}::timestamptz FROM ${from} WHERE is_new
  ), `;
