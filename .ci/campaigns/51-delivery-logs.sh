#!/usr/bin/env bash
# Delivery logs on PGlite, which takes seconds to start, and in files, SQLite and PostgreSQL that several processes write to.
set -euo pipefail
cd "$(dirname "$0")/../.."
npx -y --prefer-offline pnpm@12.21.0 --filter @daybook/storage run test test/campaign/pglite.ts test/campaign/agent-events-at-once.ts
