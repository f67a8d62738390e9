import { encodeAbiParameters, pad, toEventSelector, toHex } from 'viem'
import type { Address, Hex } from '../../src/util/hex.ts'

/** A log in the form that the Emitter contract takes. */
export type LogToEmit = { topics: readonly Hex[]; data: Hex }

const topic = (value: Address | bigint): Hex =>
  typeof value === 'bigint' ? toHex(value, { size: 32 }) : pad(value, { size: 32 })

/** The logs of each standard with parameters, for the Emitter contract to emit. */
export const transferLogs = {
  erc721: (from: Address, to: Address, tokenId: bigint, data: Hex = '0x'): LogToEmit => ({
    topics: [toEventSelector('Transfer(address,address,uint256)'), topic(from), topic(to), topic(tokenId)],
    data,
  }),
  erc20: (from: Address, to: Address, value: bigint): LogToEmit => ({
    topics: [toEventSelector('Transfer(address,address,uint256)'), topic(from), topic(to)],
    data: topic(value),
  }),
  unindexed: (from: Address, to: Address, tokenId: bigint): LogToEmit => ({
    topics: [toEventSelector('Transfer(address,address,uint256)')],
    data: encodeAbiParameters([{ type: 'address' }, { type: 'address' }, { type: 'uint256' }], [from, to, tokenId]),
  }),
  consecutive: (first: bigint, last: bigint, from: Address, to: Address): LogToEmit => ({
    topics: [
      toEventSelector('ConsecutiveTransfer(uint256,uint256,address,address)'),
      topic(first),
      topic(from),
      topic(to),
    ],
    data: topic(last),
  }),
  single: (operator: Address, from: Address, to: Address, id: bigint, value: bigint): LogToEmit => ({
    topics: [
      toEventSelector('TransferSingle(address,address,address,uint256,uint256)'),
      topic(operator),
      topic(from),
      topic(to),
    ],
    data: encodeAbiParameters([{ type: 'uint256' }, { type: 'uint256' }], [id, value]),
  }),
  batch: (
    operator: Address,
    from: Address,
    to: Address,
    ids: readonly bigint[],
    values: readonly bigint[],
  ): LogToEmit => ({
    topics: [
      toEventSelector('TransferBatch(address,address,address,uint256[],uint256[])'),
      topic(operator),
      topic(from),
      topic(to),
    ],
    data: encodeAbiParameters([{ type: 'uint256[]' }, { type: 'uint256[]' }], [ids, values]),
  }),
}
