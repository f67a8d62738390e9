import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { patience } from '../../../test/patience.ts'
import { temporaryFolder } from '../../../test/temporaryFolder.ts'
import { noopLog } from '../log.ts'
import { createEviction } from './createEviction.ts'

const fileBytes = 8_192

/** An eviction that runs `duringFirst` when it sees the first file. */
async function startEviction(maxBytes: number, duringFirst: (put: (bytes: number) => void) => void) {
  const folder = await temporaryFolder()
  let seen = 0
  const rank = ({ minute }: { minute: number }) => {
    seen++
    if (seen === 1) duringFirst(eviction.put)
    return minute
  }
  const eviction = createEviction({ folder, maxBytes, rank, log: noopLog })
  onTestFinished(eviction.close)
  const write = (name: string) => writeFileSync(join(folder, name), Buffer.alloc(fileBytes))
  return { ...eviction, folder, write, seen: () => seen }
}

test('behavior: bytes added while files are counted are counted too', async () => {
  const files = await startEviction(3 * fileBytes, (put) => put(3 * fileBytes))
  for (const name of ['a', 'b']) files.write(name)
  files.put(2 * fileBytes)
  await vi.waitUntil(() => files.seen() === 4, patience)
  expect(readdirSync(files.folder)).toHaveLength(2)
})
