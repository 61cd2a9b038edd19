#!/usr/bin/env bash
# A disk that is full refuses writes, loses nothing, and takes them again once there is space. Needs the right to mount.
set -euo pipefail
cd "$(dirname "$0")/../.."

disk=$(mktemp -d)
mount -t tmpfs -o size=4m tmpfs "$disk"
trap 'umount "$disk" && rmdir "$disk"' EXIT
npx -y --prefer-offline pnpm@12.21.0 --filter @daybook/storage run full-disk "$disk"
