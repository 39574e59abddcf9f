#!/bin/sh
# Creates the application's role and database (docs/operations.md#a-cluster). Patroni runs this script once, on the first
# primary, and passes the connection to the new server. make.sh replaces @WORDS@.
set -eu

psql "$1" --quiet --set ON_ERROR_STOP=1 <<'SQL'
CREATE ROLE svc_login LOGIN PASSWORD '@DATABASE_PASSWORD@';
-- Set here, because a connection through PgBouncer cannot set its own limit.
ALTER ROLE svc_login SET statement_timeout = '9s';
-- The application cannot set this through PgBouncer (docs/operations.md).
ALTER ROLE svc_login SET search_path = public;
CREATE DATABASE svc_login OWNER svc_login;
SQL
