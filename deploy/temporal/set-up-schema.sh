#!/bin/sh
# Brings the schemas of Temporal's two databases, which its login owns, to this release's version. Run before every start
# and before each upgrade of the server (one minor version at a time). It does not change what is there already.
# Reads SQL_PLUGIN, SQL_HOST, SQL_PORT, SQL_USER and SQL_PASSWORD, as temporal-sql-tool itself does.
set -eu

set_up() {
  temporal-sql-tool --db "$1" setup-schema -v 0.0
  temporal-sql-tool --db "$1" update-schema --schema-name "$2"
}

set_up temporal postgresql/v12/temporal
set_up temporal_visibility postgresql/v12/visibility
echo "Temporal's schemas are up to date."
