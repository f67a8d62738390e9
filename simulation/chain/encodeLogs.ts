import { encodeAbiParameters, parseAbiParameters, toEventSelector, toHex } from 'viem'
import type { Address, Hex } from '../../src/util/hex.ts'
import type { ScriptedLog } from '../../test/scriptedNode.ts'

const topic = {
  transfer: toEventSelector('Transfer(address,address,uint256)'),
  consecutive: toEventSelector('ConsecutiveTransfer(uint256,uint256,address,address)'),
  single: toEventSelector('TransferSingle(address,address,address,uint256,uint256)'),
  batch: toEventSelector('TransferBatch(address,address,address,uint256[],uint256[])'),
}

type Sides = { from: Address; to: Address }
const word = (value: bigint | Address): Hex => toHex(BigInt(value), { size: 32 })

/** Logs as contracts emit them. viem encodes them instead of the product's code. */
export const encodeLogs = {
  transfer: (address: Address, { from, to }: Sides, id: bigint): ScriptedLog => ({
    address,
    topics: [topic.transfer, word(from), word(to), word(id)],
  }),
  /** No argument is indexed: all three are in the data. */
  unindexed: (address: Address, { from, to }: Sides, id: bigint): ScriptedLog => ({
    address,
    topics: [topic.transfer],
    data: encodeAbiParameters(parseAbiParameters('address, address, uint256'), [from, to, id]),
  }),
  coins: (address: Address, { from, to }: Sides, value: bigint): ScriptedLog => ({
    address,
    topics: [topic.transfer, word(from), word(to)],
    data: word(value),
  }),
  consecutive: (address: Address, { from, to }: Sides, first: bigint, last: bigint): ScriptedLog => ({
    address,
    topics: [topic.consecutive, word(first), word(from), word(to)],
    data: word(last),
  }),
  single: (address: Address, { from, to }: Sides, id: bigint, amount: bigint): ScriptedLog => ({
    address,
    topics: [topic.single, word(from), word(from), word(to)],
    data: encodeAbiParameters(parseAbiParameters('uint256, uint256'), [id, amount]),
  }),
  batch: (address: Address, { from, to }: Sides, ids: bigint[], amounts: bigint[]): ScriptedLog => ({
    address,
    topics: [topic.batch, word(from), word(from), word(to)],
    data: encodeAbiParameters(parseAbiParameters('uint256[], uint256[]'), [ids, amounts]),
  }),
}
