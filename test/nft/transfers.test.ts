import { expect, inject, test } from 'vitest'
import type { Address, Hex } from '../../src/util/hex.ts'
import { type Anvil, startAnvil, toTransaction } from '../anvil.ts'
import { plain721 } from '../contracts/artifacts/plain721.ts'
import { plain1155 } from '../contracts/artifacts/plain1155.ts'
import { JsonRpcFault, postJsonRpc } from '../jsonRpc.ts'
import { startTestServer, type TestServer } from '../mintmark.ts'
import { createRandom, freshSeed } from '../random.ts'
import { randomActivity } from '../randomActivity.ts'
import { readTransfers } from '../readTransfers.ts'
import { createRpcServer, RpcFailure, type RpcServer } from '../rpcServer.ts'

const repeats = inject('rounds') - 1

type Shown = { token_address: Address; token_id: string; block_number: string; block_timestamp: string }
type Page = { cursor: string | null; total: number | null; result: Shown[]; status: string }

/** A node that forwards calls and removes `blockTimestamp` from logs, like nodes from before 2025. */
function withoutTimes(anvil: Anvil): Promise<RpcServer> {
  return createRpcServer(async ({ method, params }) => {
    const [result] = await postJsonRpc(anvil.url, [{ method, params }])
    if (result instanceof JsonRpcFault) return new RpcFailure(result.rpcCode, result.message)
    if (method === 'eth_getLogs') for (const log of result as { blockTimestamp?: Hex }[]) delete log.blockTimestamp
    return result
  })
}

async function pages(server: TestServer, path: string, query: Record<string, string | number>): Promise<Shown[]> {
  const all: Shown[] = []
  for (let cursor = ''; ; ) {
    const search = new URLSearchParams({ chain: 'local', ...(cursor && { cursor }) })
    for (const [name, value] of Object.entries(query)) search.set(name, String(value))
    const response = await server.get(`/api/v2/${path}?${search}`)
    expect(response.status, path).toBe(200)
    const page = (await response.json()) as Page
    all.push(...page.result)
    if (page.cursor === null) return all
    cursor = page.cursor
  }
}

/** Every transfer of the contracts on chain, in API order. */
async function readTruth(anvil: Anvil, contracts: readonly Address[]) {
  const block = await anvil.blockNumber()
  const all = await Promise.all(
    contracts.map(async (address) => (await readTransfers(anvil.url, address, block)).map((t) => ({ ...t, address }))),
  )
  const transfers = all.flat().sort((a, b) => Number(a.block - b.block) || a.logIndex - b.logIndex || a.item - b.item)
  const numbers = [...new Set(transfers.map((t) => t.block))]
  const headers = await postJsonRpc(
    anvil.url,
    numbers.map((number) => ({ method: 'eth_getBlockByNumber', params: [`0x${number.toString(16)}`, false] })),
  )
  const times = new Map(numbers.map((number, i) => [number, Number((headers[i] as { timestamp: Hex }).timestamp)]))
  return transfers.map((t) => ({
    time: times.get(t.block)!,
    block: t.block,
    record: {
      ...{ token_address: t.address, token_id: String(t.tokenId), from_address: t.from, to_address: t.to },
      ...{ amount: String(t.amount), contract_type: t.standard, operator: t.operator, value: null },
      ...{ block_number: String(t.block), block_hash: t.blockHash, transaction_hash: t.transactionHash },
      block_timestamp: new Date(times.get(t.block)! * 1_000).toISOString(),
      ...{ transaction_index: t.transactionIndex, log_index: t.logIndex, verified: false, possible_spam: false },
    },
  }))
}

test('behavior: transfers of contracts, tokens, blocks and a chain match the chain, without log timestamps and across a reorganisation', {
  repeats,
}, async () => {
  const random = createRandom(freshSeed())
  process.stdout.write(`seed ${random.seed}\n`)
  await using anvil = await startAnvil({ slotsInAnEpoch: 4 })
  const erc721 = await anvil.deploy(plain721, ['Moves', 'MVS', ''])
  const erc1155 = await anvil.deploy(plain1155, ['Moves', 'MVS'])
  const contracts = [erc721, erc1155]
  await randomActivity(anvil, { erc721: [erc721], erc1155: [erc1155] }, random, 40)
  await using node = await withoutTimes(anvil)
  await using server = await startTestServer({ rpc: [node.url] })

  async function expectAll(): Promise<void> {
    for (const address of contracts) await server.untilSynced(address, await anvil.blockNumber())
    const truth = await readTruth(anvil, contracts)
    const ordered = (of: typeof truth, order: string) => {
      const records = of.map(({ record }) => record)
      return order === 'ASC' ? records : records.toReversed()
    }
    const some = truth[random.int(truth.length)]!
    const [first, last] = [some, truth[random.int(truth.length)]!].sort((a, b) => Number(a.block - b.block))
    for (const order of ['ASC', 'DESC']) {
      const query = { order, limit: 1 + random.int(100) }
      for (const address of contracts)
        expect(await pages(server, `nft/${address}/transfers`, query)).toEqual(
          ordered(
            truth.filter(({ record }) => record.token_address === address),
            order,
          ),
        )
      const { token_address, token_id } = some.record
      expect(await pages(server, `nft/${token_address}/${token_id}/transfers`, query)).toEqual(
        ordered(
          truth.filter(({ record }) => record.token_address === token_address && record.token_id === token_id),
          order,
        ),
      )
      expect(await pages(server, 'nft/transfers', query)).toEqual(ordered(truth, order))
      const within = { ...query, from_block: String(first!.block), to_block: String(last!.block) }
      expect(await pages(server, 'nft/transfers', within)).toEqual(
        ordered(
          truth.filter(({ block }) => block >= first!.block && block <= last!.block),
          order,
        ),
      )
      const dated = { ...query, from_date: first!.record.block_timestamp, to_date: last!.record.block_timestamp }
      expect(await pages(server, 'nft/transfers', dated)).toEqual(
        ordered(
          truth.filter(({ time }) => time >= first!.time && time <= last!.time),
          order,
        ),
      )
      for (const name of [some.record.block_number, some.record.block_hash])
        expect(await pages(server, `block/${name}/nft/transfers`, query)).toEqual(
          ordered(
            truth.filter(({ block }) => block === some.block),
            order,
          ),
        )
    }
  }

  await expectAll()
  await randomActivity(anvil, { erc721: [erc721], erc1155: [erc1155] }, random, 5)
  await expectAll()
  const head = await anvil.blockNumber()
  const undone = (await readTruth(anvil, contracts)).at(-1)!
  const depth = 1 + Number(head - undone.block)
  const mint = { to: erc721, abi: plain721.abi, functionName: 'mint', args: [anvil.accounts[0]!, random.uint256()] }
  await anvil.reorg(depth, [[toTransaction(mint), 0]])
  await anvil.mine(1)
  await expectAll()
  const removed = await server.get(`/api/v2/block/${undone.record.block_hash}/nft/transfers?chain=local`)
  expect(removed.status).toBe(404)
})
