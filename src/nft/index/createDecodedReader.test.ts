import { expect, test } from 'vitest'
import { noopLog } from '../../util/log.ts'
import { ThreadError } from '../../util/threads/threadPool.ts'
import type { CollectionKey } from '../transfers/transferGroup.ts'
import { createDecodedReader } from './createDecodedReader.ts'

const collection: CollectionKey = {
  ...{ partition: 1, id: 1n, chainId: 1n, address: '0x00000000000000000000000000000000000000aa' },
  ...{ standard: 'ERC721', idInData: false },
}

test('behavior: after three failed threads in a row, no more logs are given to threads', async () => {
  let calls = 0
  const decoding = {
    async prepare() {
      calls++
      throw new ThreadError('timeout')
    },
  }
  const source = { logs: () => expect.unreachable() }
  const { prepare } = createDecodedReader({ source, decoding, log: noopLog })
  const signal = new AbortController().signal
  for (let i = 0; i < 5; i++) expect(await prepare([], collection, signal)).toBeUndefined()
  expect(calls).toBe(3)
})
