#!/usr/bin/env bash
# Holds the promises of the ledger on SQLite, and the runtime's, against a thousand random histories each.
set -euo pipefail
cd "$(dirname "$0")/../.."
DAYBOOK_HISTORIES=1000 npx -y --prefer-offline pnpm@12.21.0 --filter @daybook/storage run test test/ledger-properties.test.ts test/request-properties.test.ts
for property in commit-before-telling one-active-run; do
  DAYBOOK_HISTORIES=1000 npx -y --prefer-offline pnpm@12.21.0 --filter @daybook/runtime run test "test/$property.test.ts"
done
