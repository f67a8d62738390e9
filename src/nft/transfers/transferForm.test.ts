import { toHex } from 'viem'
import { expect, test } from 'vitest'
import type { ContractIdentity } from '../../chain/evm/contracts/contract.ts'
import type { RpcLog } from '../../chain/evm/rpc/rpc.ts'
import { tokenTopic } from '../../chain/evm/source/tokenEvents.ts'
import type { Address, Hex } from '../../util/hex.ts'
import { formByLogs } from './transferForm.ts'

const contract: Address = `0x${'c0'.repeat(20)}`
const word = (value: bigint) => toHex(value, { size: 32 })

/** A Transfer that indexes nothing: it may be of coins. */
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

/** What logs report a contract that is silent and has none of the tokens it is requested; `lists`: what its latest logs name, read by read. */
async function reported(...lists: bigint[][]) {
  const silent = { hasCode: true } as ContractIdentity
  const contracts = { identify: async () => silent, hasToken: async () => false }
  return formByLogs(
    [transferOf(3n)],
    contract,
    { contracts, latestIds: async (again) => lists[again ? 1 : 0]! },
    new AbortController().signal,
  )
}

test('default: a contract without the tokens that its latest Transfers would name moves coins', async () => {
  expect(await reported([5n, 6n], [6n, 7n])).toBe('coins')
})

test('behavior: where all of them may have been burned while the contract was asked, later logs show', async () => {
  expect(await reported([5n, 6n], [7n])).toBe('later')
  expect(await reported([5n], [])).toBe('later')
  expect(await reported([])).toBe('later')
})
