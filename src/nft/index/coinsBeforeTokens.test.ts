import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../../../test/database.ts'
import { historySubject, readWholeHistory } from '../../../test/historySlice.ts'
import { createScriptedChain } from '../../../test/scriptedChain.ts'
import { seedLease, seedWorker } from '../../../test/seedLease.ts'
import type { ContractReader } from '../../chain/evm/contracts/contract.ts'
import type { RpcLog } from '../../chain/evm/rpc/rpc.ts'
import type { EvmSource } from '../../chain/evm/source/source.ts'
import { hexToBuffer } from '../../util/hex.ts'

const address = '0x00000000000000000000000000000000000000aa'

test('behavior: a contract with 30,001 ERC-20 transfers in its first blocks gets its later tokens listed', async () => {
  const { db, drop } = await createTestDatabase()
  onTestFinished(drop)
  const worker = await seedWorker(db)
  await seedLease(db, 'partition', 7, worker)
  const [row] = await db.rows<[bigint]>(
    `INSERT INTO collection (partition, chain_id, address, status, from_block) VALUES (7, 1, $1, 'syncing', 0) RETURNING id`,
    [hexToBuffer(address)],
  )
  const chain = createScriptedChain(address, 0)
  for (let block = 1; block < 60; block++)
    chain.add(block === 2 || block === 50 ? [{ token: block, from: 0, to: 1 }] : [])
  const coin = ({ topics, ...log }: RpcLog): RpcLog => ({ ...log, topics: topics.slice(0, 3), data: topics[3]! })
  const requested: number[] = []
  const source: EvmSource = {
    ...chain.source,
    async logs(range, signal) {
      requested.push(range.topics.length)
      const found = await chain.source.logs(range, signal)
      const logs = found.logs.flatMap((log) => {
        if (log.blockNumber !== '0x2') return [log]
        const coins = Array.from({ length: 30_001 }, (_, i) => coin({ ...log, logIndex: `0x${i.toString(16)}` }))
        return coins.filter(({ topics }) => topics.length >= range.topics.length)
      })
      return { ...found, logs }
    },
  }
  const contracts = {
    identify: async () => ({ hasCode: true, decimals: 18 }),
  } as unknown as ContractReader
  const subject = { ...historySubject({ partition: 7, id: row![0], address, coverage: [], fromBlock: 0n }), form: null }
  const settings = { rangesInFlight: 1, maxTokens: 1_000 }
  expect(await readWholeHistory({ db, source, worker, settings, contracts, width: 4 }, subject)).toBe('complete')
  expect(await db.rows('SELECT token_id FROM token')).toEqual([['50']])
  expect(await db.rows('SELECT coins, standard FROM collection')).toEqual([[true, 'ERC721']])
  // Once the contract is known to emit coins, the service requests only logs of tokens.
  expect(requested.slice(1)).toEqual(requested.slice(1).map(() => 4))
})
