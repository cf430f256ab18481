#!/bin/sh
# Makes Perigee's namespace, unless it is there. Its search attributes are registered by the worker when it starts.
set -eu

attempt=0
until temporal operator cluster health >/dev/null 2>&1; do
  attempt=$((attempt + 1))
  [ "$attempt" -lt 60 ] || { echo 'Temporal did not answer in time' >&2; exit 1; }
  sleep 1
done
# Closed workflows are kept as long as an operator may still ask about a failed proof.
temporal operator namespace describe --namespace "$TEMPORAL_NAMESPACE" >/dev/null 2>&1 ||
  temporal operator namespace create --namespace "$TEMPORAL_NAMESPACE" --retention 720h
