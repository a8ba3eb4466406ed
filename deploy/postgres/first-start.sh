#!/bin/sh
# Runs once, when Postgres makes its data: the person who sets the wallet's database up, and the login of Temporal, each
# with its own databases. Neither is a superuser. Reads WALLET_ADMIN_PASSWORD and TEMPORAL_PASSWORD.
set -eu

psql --username "$POSTGRES_USER" --dbname postgres --set ON_ERROR_STOP=1 \
  --set admin_password="$WALLET_ADMIN_PASSWORD" --set temporal_password="$TEMPORAL_PASSWORD" <<'SQL'
CREATE ROLE wallet_admin LOGIN CREATEROLE PASSWORD :'admin_password';
CREATE DATABASE wallet OWNER wallet_admin;

CREATE ROLE temporal LOGIN PASSWORD :'temporal_password';
CREATE DATABASE temporal OWNER temporal;
CREATE DATABASE temporal_visibility OWNER temporal;
REVOKE ALL ON DATABASE temporal, temporal_visibility FROM PUBLIC;
SQL
