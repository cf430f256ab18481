#!/bin/sh
# Starts the Postgres image, unless a password is weak: once the volume is made, new passwords in the environment change nothing.
set -eu

for name in POSTGRES_PASSWORD TEMPORAL_DATABASE_PASSWORD; do
  eval "password=\$$name"
  if [ "${#password}" -lt 16 ]; then
    echo "$name has fewer than 16 characters; generate one with: openssl rand -hex 32" >&2
    exit 1
  fi
done
exec docker-entrypoint.sh "$@"
