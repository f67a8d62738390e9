import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const files = globSync('src/**/*.ts').filter((file) => !file.endsWith('.test.ts'))

test.each([
  [
    'the version of a collection, of a network and the revision of a chain are raised',
    /\b(?:version|revision) = (?:\w+\.)?(?:version|revision) \+/,
    ['src/coin/networkStore.ts', 'src/nft/collection/version.ts', 'src/sync/chainStore.ts'],
  ],
  [
    'a collection is locked',
    /\bFROM collection\b[^`']*\bFOR (?:NO KEY )?(?:UPDATE|SHARE)\b/,
    ['src/nft/collection/lock.ts'],
  ],
  ['a time is cut to milliseconds', /date_trunc\('milliseconds'/, ['src/nft/metadata/store/schedule.ts']],
  ['a session lock is looked at', /\bpg_locks\b[^`]*advisory/, ['src/sync/leases/livingWorkers.ts']],
  [
    'a lease is checked',
    /\b(?:FROM|JOIN) lease\b[^`]*(?:\bworker_id = |= \w+\.worker_id)/,
    ['src/sync/leases/lease.ts', 'src/sync/leases/livingWorkers.ts', 'src/sync/leases/served.ts'],
  ],
])('behavior: %s only in the listed files', (_, rule, owners: string[]) => {
  expect(files.filter((file) => rule.test(readFileSync(file, 'utf8'))).toSorted()).toEqual(owners)
})
