-- Codes that ask for something else than to sign in (docs/protocol.md#36-intents). The plugin of an intent has one
-- function, answer_approve for example: it decides which user an answering key signs in, and whether that key may
-- answer. It returns no row once the browser session or the recovery that asked for the code has ended.
CREATE TYPE intent_answer AS (
  user_id int,
  key_not_allowed boolean
);

-- Hands a code to the plugin of its intent. `holder_id` is the user of the answering key; NULL for an unknown key.
CREATE FUNCTION answer_intent(login login_session, holder_id int, now timestamptz) RETURNS SETOF intent_answer
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  RETURN QUERY EXECUTE format('SELECT * FROM %I($1, $2, $3)', 'answer_' || login.intent)
  USING login, holder_id, now;
END $$;
