import { existsSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { openSource } from '../../../test/evmSource.ts'
import { createRpcServer } from '../../../test/rpcServer.ts'
import type { Hex } from '../../util/hex.ts'
import { parseHeader } from './parseHeader.ts'
import type { RpcLog } from './rpc.ts'

const folder = new URL('../../../../shared/data/evm/rpc/', import.meta.url)
const transfer: Hex = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

type Reply = { result?: unknown }
type Receipt = { blockHash: Hex; logs: RpcLog[] }

const results = (name: string): unknown[] =>
  gunzipSync(readFileSync(new URL(name, folder)))
    .toString()
    .trim()
    .split('\n')
    .flatMap((line) => [(JSON.parse(line) as { response: Reply | Reply[] }).response].flat())
    .map((reply) => reply.result)

test.skipIf(!existsSync(folder)).each([
  ['mainnet__eth_getBlockByHash.jsonl.gz', 'mainnet__eth_getBlockReceipts.jsonl.gz', 18_000_000n],
  ['mainnet__eth_getBlockByHash.jsonl.gz', 'mainnet__erigon_getBlockReceiptsByBlockHash.jsonl.gz', 17_000_000n],
  ['arb-sepolia__eth_getBlockByNumber.jsonl.gz', 'arb-sepolia__eth_getBlockReceipts.jsonl.gz', 185_232_421n],
])(
  'behavior: a recorded block of %s is settled by its receipts (skipped where the data is absent)',
  async (blocks, receipts, number) => {
    const header = results(blocks)
      .map(parseHeader)
      .find((found) => found?.number === number)!
    const known = (results(receipts) as (Receipt[] | undefined)[]).find((list) => list?.[0]?.blockHash === header.hash)!
    const expected = known.flatMap(({ logs }) => logs).filter(({ topics }) => topics[0] === transfer)
    expect(expected.length).toBeGreaterThan(10)
    let served = known
    await using server = await createRpcServer(({ method }) => {
      if (method === 'eth_chainId') return '0x7a69'
      return method === 'eth_getBlockReceipts' ? served : []
    })
    await using over = openSource([server])
    const options = { topics: [[transfer]], watched: () => false, watchedList: () => [] }
    const logs = await over.source.blockLogs(header, options)
    expect(logs.map(({ logIndex }) => Number(logIndex))).toEqual(expected.map(({ logIndex }) => Number(logIndex)))

    // One receipt less, or one log less that the bloom tells, and the block stays unsettled.
    served = known.slice(1)
    await expect(over.source.blockLogs(header, options)).rejects.toMatchObject({ code: 'BLOCK_UNSETTLED' })
    const loudest = known.toSorted((a, b) => b.logs.length - a.logs.length)[0]!
    served = known.map((receipt) => (receipt === loudest ? { ...receipt, logs: [] } : receipt))
    await expect(over.source.blockLogs(header, options)).rejects.toMatchObject({ code: 'BLOCK_UNSETTLED' })
  },
)
