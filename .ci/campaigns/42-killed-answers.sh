#!/usr/bin/env bash
# Who asks, who answers and who goes on are killed before each statement and around the tool: it runs at most once.
set -euo pipefail
cd "$(dirname "$0")/../.."
DAYBOOK_KILL_EVERYWHERE=1 npx -y --prefer-offline pnpm@12.21.0 --filter @daybook/runtime run test test/campaign/killed-answers.ts
