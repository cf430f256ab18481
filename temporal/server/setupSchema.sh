#!/bin/sh
# Makes Temporal's two databases and brings their schema up to date. Safe to repeat: what exists is left as it is.
# The password is read from SQL_PASSWORD.
set -eu

for database in temporal temporal_visibility; do
  case "$database" in
    temporal) schema=temporal ;;
    temporal_visibility) schema=visibility ;;
  esac
  tool="temporal-sql-tool --plugin postgres12 --ep $POSTGRES_SEEDS -p $DB_PORT -u $POSTGRES_USER --db $database"
  $tool create
  $tool setup-schema -v 0.0
  $tool update-schema -d "/etc/temporal/schema/postgresql/v12/$schema/versioned"
done
