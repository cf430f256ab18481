#!/bin/sh
# Makes Perigee's namespace and its search attributes, unless they are there. API and workers need no right to do this.
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

create() {
  for name in $2; do
    attempt=0
    until temporal operator search-attribute list --namespace "$TEMPORAL_NAMESPACE" 2>/dev/null | grep -qw "$name"; do
      attempt=$((attempt + 1))
      [ "$attempt" -lt 60 ] || { echo "search attribute $name could not be created" >&2; exit 1; }
      # A new namespace takes seconds to be known everywhere.
      temporal operator search-attribute create --namespace "$TEMPORAL_NAMESPACE" --name "$name" --type "$1" ||
        sleep 1
    done
  done
}
create Keyword 'ProofStatus ProofKind Wallet ProofSlug TxHash Cid FailureType'
create Int 'ChainId'
