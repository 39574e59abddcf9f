ALTER TABLE known_browser DROP CONSTRAINT known_browser_user_id_fkey;
CREATE FUNCTION forget_known_browsers() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  DELETE FROM known_browser WHERE user_id = OLD.id;
  RETURN NULL;
END $$;
CREATE TRIGGER forget_known_browsers AFTER DELETE ON user_account
  FOR EACH ROW EXECUTE FUNCTION forget_known_browsers();
