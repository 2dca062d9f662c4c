#!/usr/bin/env bash
# Installs the optional programs that some tests use, where Debian's package manager is there and may be used: tests of
# what is missing are skipped by name on other machines, and fail in CI.
set -euo pipefail
wanted=()
command -v chromium >/dev/null || wanted+=(chromium fonts-dejavu-core)
command -v nvim >/dev/null || wanted+=(neovim)
command -v cc >/dev/null || wanted+=(gcc libc6-dev)
command -v g++ >/dev/null || wanted+=(g++)
command -v redis-server >/dev/null || wanted+=(redis-server)
if [ ${#wanted[@]} -gt 0 ] && command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${wanted[@]}" >/dev/null
fi
