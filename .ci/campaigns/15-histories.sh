#!/usr/bin/env bash
# Holds the runtime's promises (commit before telling, one active run) against a thousand random histories each.
set -euo pipefail
cd "$(dirname "$0")/../.."
for property in commit-before-telling one-active-run; do
  DAYBOOK_HISTORIES=1000 npx -y --prefer-offline pnpm@12.21.0 --filter @daybook/runtime run test "test/$property.test.ts"
done
