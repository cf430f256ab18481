#!/bin/sh
# Run once by the Postgres image, when its volume is new: a user for Temporal that may make its two databases.
set -eu

psql -v ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" -v password="$TEMPORAL_DATABASE_PASSWORD" <<'SQL'
CREATE USER temporal WITH CREATEDB PASSWORD :'password';
SQL
