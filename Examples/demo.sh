#!/bin/bash
# Shows what nfc-session does, on virtual tags: no reader is needed. Ends with a status other than 0
# when anything is not as announced.
#
# Usage: Examples/demo.sh [PATH OF nfc-session]
set -euo pipefail

tool=${1:-nfc-session}
failures=0

# announce TEXT: what comes next.
announce() { printf '\n%s\n' "$1"; }

# show STATUS PATTERN ARGUMENT...: runs nfc-session and checks its exit status and its output.
show() {
    local expected=$1 pattern=$2 status=0 output
    shift 2
    printf '$ nfc-session %s\n' "$*"
    output=$("$tool" "$@" 2>&1) || status=$?
    printf '%s\n' "$output"
    if [ "$status" -ne "$expected" ] || ! grep -q -- "$pattern" <<<"$output"; then
        printf 'demo: expected exit status %s and "%s", got status %s\n' \
            "$expected" "$pattern" "$status" >&2
        failures=$((failures + 1))
    fi
}

announce 'A product with an OPTIGA Authenticate NBT is genuine: exit status 0.'
show 0 '^genuine ' verify --once --virtual nbt

announce 'A counterfeit has copied the certificate, but not the private key: exit status 1.'
show 1 '^notGenuine (signatureMismatch)' verify --once --virtual nbt:counterfeit

announce 'Five kinds of tag, each with its UID:'
show 0 '04a1b2c3d4e580  NTAG213' scan --once --virtual ntag213
show 0 'deadbeef  MIFARE Classic 1K' scan --once --virtual classic-1k
show 0 '04d5f12e334480  MIFARE DESFire' scan --once --virtual desfire
show 0 'b0b1b2b3  ISO 14443 type B' scan --once --virtual employee
show 0 '012e3d4c5b6a7988  FeliCa' scan --once --virtual felica

announce 'The same for programs:'
show 0 '"uid":"08[0-9a-f]*","random":true' scan --once --json --virtual type4:uid=random

if [ "$failures" -gt 0 ]; then
    printf '\ndemo: %s of 8 went wrong\n' "$failures" >&2
    exit 1
fi
printf '\nAll of this went through the real libnfc, to a PN532 that exists in software only.\n'
