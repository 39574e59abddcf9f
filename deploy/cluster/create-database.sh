#!/bin/sh
# Patroni runs this once, on the first primary, to create the application's role and database
# (docs/operations.md#a-cluster). Patroni passes the connection to the new server. make.sh fills in @WORDS@.
set -eu

psql "$1" --quiet --set ON_ERROR_STOP=1 <<'SQL'
CREATE ROLE svc_login LOGIN PASSWORD '@DATABASE_PASSWORD@';
-- Set here: through PgBouncer a connection cannot bring its own limit.
ALTER ROLE svc_login SET statement_timeout = '9s';
-- What the application cannot set through PgBouncer (docs/operations.md).
ALTER ROLE svc_login SET search_path = public;
CREATE DATABASE svc_login OWNER svc_login;
SQL
