#!/usr/bin/env bash
# A process is killed before each statement of a turn: what was committed is there, and the session goes on.
set -euo pipefail
cd "$(dirname "$0")/../.."
DAYBOOK_KILL_STEP=1 npx -y --prefer-offline pnpm@12.21.0 --filter @daybook/runtime run test test/campaign/killed-statement.ts
