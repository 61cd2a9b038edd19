#!/usr/bin/env bash
# A disk whose writes and fsyncs fail at any moment: what was acknowledged is kept, nothing is half, and the process goes on.
set -euo pipefail
cd "$(dirname "$0")/../.."
command -v strace > /dev/null || { apt-get update -qq && apt-get install -qq -y strace; } > /dev/null
npx -y --prefer-offline pnpm@12.21.0 --filter @daybook/storage run faulty-disk "$(command -v strace)"
