#!/bin/sh
# Creates one namespace per environment and the search attributes that our workflows carry; a second run
# changes nothing. Reads TEMPORAL_ADDRESS, as the temporal program itself does.
# The attributes are those of src/domain/search-attributes.ts.
set -eu

NAMESPACES='wallet-sandbox=3d wallet-live=30d'
SEARCH_ATTRIBUTES='PartnerId=Keyword ResourceId=Keyword RequestId=Keyword BusinessState=Keyword
  NeedsAttention=Bool ExpiresAt=Datetime'
ATTEMPTS=60

# A new server needs some seconds, and so does a server that has just got a new namespace.
retry() {
  attempt=1
  until "$@"; do
    if [ "$attempt" -ge "$ATTEMPTS" ]; then
      echo "Gave up after $ATTEMPTS attempts: $*" >&2
      exit 1
    fi
    attempt=$((attempt + 1))
    sleep 1
  done
}

ensure_namespace() {
  temporal operator namespace describe --namespace "$1" >/dev/null 2>&1 ||
    temporal operator namespace create --namespace "$1" --retention "$2"
}

# Creates what is missing, and succeeds only when everything can be seen.
ensure_search_attributes() {
  known=$(temporal operator search-attribute list --namespace "$1") || return 1
  missing=0
  for attribute in $SEARCH_ATTRIBUTES; do
    name=${attribute%=*}
    echo "$known" | grep -qw "$name" && continue
    missing=1
    temporal operator search-attribute create --namespace "$1" --name "$name" --type "${attribute#*=}" || true
  done
  [ "$missing" -eq 0 ]
}

retry temporal operator cluster health
for namespace in $NAMESPACES; do
  retry ensure_namespace "${namespace%=*}" "${namespace#*=}"
  retry ensure_search_attributes "${namespace%=*}"
done
echo 'Namespaces and search attributes are in place.'
