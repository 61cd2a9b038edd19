#!/usr/bin/env bash
# A thousand followers of one live run, producers and sweepers that are killed, and a thousand random histories of delivery
# logs, on PGlite and PostgreSQL too.
set -euo pipefail
cd "$(dirname "$0")/../.."
DAYBOOK_FOLLOWERS=1000 DAYBOOK_FOLLOW_ROUNDS=3 npx -y --prefer-offline pnpm@12.21.0 --filter @daybook/runtime run test test/campaign/followers.ts
DAYBOOK_HISTORIES=1000 npx -y --prefer-offline pnpm@12.21.0 --filter @daybook/runtime run test-with-postgres test/campaign/agent-event-log.property.ts
