#!/usr/bin/env bash
# Holds 2,000 long conversations on each driver: messages, answers, stops, deaths, recoveries, retries and branches in any order.
set -euo pipefail
cd "$(dirname "$0")/../.."
hold() {
  DAYBOOK_CONVERSATIONS=2000 npx -y --prefer-offline pnpm@12.21.0 --filter @daybook/runtime run test --name "on $1 has" test/conversations.test.ts
}
trap 'kill $(jobs -p) 2>/dev/null || true' EXIT
hold memory &
hold sqlite
wait $!
