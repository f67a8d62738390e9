import { expect, test } from 'vitest'
import type { Header } from '../../chain/evm/rpc/rpc.ts'
import type { OpenChain } from '../../sync/openChains.ts'
import { UnavailableError } from '../../util/errors.ts'
import { createBlockHashes } from './createBlockHashes.ts'

const state = { epoch: 'a', id: 1n }

test('behavior: a hash is requested once, and a failed request returns 503 and is repeated', async () => {
  const answers: (Header[] | Error)[] = [
    new Error('no node'),
    [],
    [{ hash: '0xab' } as unknown as Header],
    [{ hash: '0xcd' } as unknown as Header],
  ]
  const requested: bigint[] = []
  const headers = async (number: bigint) => {
    requested.push(number)
    const answer = answers.shift()!
    if (answer instanceof Error) throw answer
    return answer
  }
  const { read } = createBlockHashes({
    openChains: {
      open: async () =>
        ({
          source: { headers, confirm: async () => undefined, head: async () => ({ finalized: 7n }) },
        }) as unknown as OpenChain,
    },
  })
  await expect(read(state, 1n, 7n)).rejects.toBeInstanceOf(UnavailableError)
  await expect(read(state, 1n, 7n)).rejects.toThrow(
    'the hash of block 7 cannot be read at the moment, as no node of chain 0x1 returns it',
  )
  expect(await Promise.all([read(state, 1n, 7n), read(state, 1n, 7n)])).toEqual(['0xab', '0xab'])
  expect(await read(state, 1n, 7n)).toBe('0xab')
  // After a restart of the chain, the id belongs to another collection.
  expect(await read({ epoch: 'a', id: 2n }, 1n, 7n)).toBe('0xcd')
  expect(requested).toEqual([7n, 7n, 7n, 7n])
})

test('behavior: the hash of a block that is not final is not cached', async () => {
  const hashes = ['0xab', '0xcd', '0xef']
  const headers = async () => [{ hash: hashes.shift()! } as unknown as Header]
  let finalized = 6n
  const { read } = createBlockHashes({
    openChains: {
      open: async () =>
        ({
          source: { headers, confirm: async () => undefined, head: async () => ({ finalized }) },
        }) as unknown as OpenChain,
    },
  })
  expect(await read(state, 1n, 7n)).toBe('0xab')
  finalized = 7n
  expect(await read(state, 1n, 7n)).toBe('0xcd')
  expect(await read(state, 1n, 7n)).toBe('0xcd')
})

test('behavior: the hash of a final block that no second answer confirms is neither returned nor cached', async () => {
  let lies = true
  const source = {
    headers: async () => [{ hash: lies ? '0xab' : '0xcd' }],
    async confirm({ hash }: { hash: string }) {
      if (hash === '0xab') throw new Error('another hash')
    },
    head: async () => ({ finalized: 7n }),
  }
  const { read } = createBlockHashes({ openChains: { open: async () => ({ source }) as unknown as OpenChain } })
  await expect(read(state, 1n, 7n)).rejects.toBeInstanceOf(UnavailableError)
  lies = false
  expect(await read(state, 1n, 7n)).toBe('0xcd')
})
