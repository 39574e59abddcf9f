-- Users of a site are found by the site's id (plugins/linked-wallets).
SET LOCAL lock_timeout = '3s';
CREATE INDEX site_user_site_id_idx ON site_user (site_id);
