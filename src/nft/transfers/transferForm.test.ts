import { toHex } from 'viem'
import { expect, test } from 'vitest'
import type { ContractIdentity, ContractReader } from '../../chain/evm/contracts/contract.ts'
import type { RpcLog } from '../../chain/evm/rpc/rpc.ts'
import { tokenTopic } from '../../chain/evm/source/tokenEvents.ts'
import type { Address, Hex } from '../../util/hex.ts'
import { formByLogs } from './transferForm.ts'

const contract: Address = `0x${'c0'.repeat(20)}`
const word = (value: bigint) => toHex(value, { size: 32 })

/** A Transfer without indexed arguments, which may be a transfer of coins. */
function transferOf(id: bigint): RpcLog {
  return {
    address: contract,
    topics: [tokenTopic.transfer],
    data: `0x${[1n, 2n, id].map((value) => word(value).slice(2)).join('')}` as Hex,
    blockNumber: '0x1',
    blockHash: word(1n),
    transactionHash: word(2n),
    transactionIndex: '0x0',
    logIndex: '0x0',
    removed: false,
  } as RpcLog
}

const block = { number: 7n, hash: word(7n) }

/**
 * Returns the form that the logs of a contract show if it answers no calls. `owned`: whether it has tokens at the head and at the block of
 * the latest ids. `ids`: the latest ids; undefined if the chain moved. `isFollowed`: whether that block is still on the chain.
 */
async function reported(
  ids: bigint[] | undefined,
  { owned = [false, false], isFollowed = true }: { owned?: [head: boolean, block: boolean]; isFollowed?: boolean } = {},
) {
  // A lagging node knows the contract only from the block of its log on.
  const identify: ContractReader['identify'] = async (_, options) =>
    ({ hasCode: options?.since === BigInt(transferOf(3n).blockNumber) }) as ContractIdentity
  const hasToken: ContractReader['hasToken'] = async (_, __, options) => owned[options?.block === block.number ? 1 : 0]!
  return formByLogs(
    [transferOf(3n)],
    contract,
    {
      contracts: { identify, hasToken },
      latestIds: async () => ids && { ids, block },
      isFollowed: async (hash) => isFollowed && hash === block.hash,
    },
    new AbortController().signal,
  )
}

test('default: a contract without the tokens that its latest Transfers would contain moves coins', async () => {
  expect(await reported([5n, 6n])).toBe('coins')
})

test('behavior: a token at the block of the latest ids identifies the standard, whatever the head of another node returns', async () => {
  expect(await reported([5n], { owned: [false, true] })).toMatchObject({ form: { standard: 'ERC721' } })
})

test('behavior: when every token is burned, later logs decide the standard', async () => {
  expect(await reported([])).toBe('later')
})

test('behavior: answers for a block undone meanwhile are ignored', async () => {
  expect(await reported(undefined)).toBe('moved')
  expect(await reported([5n], { isFollowed: false })).toBe('moved')
})
