import { byErc1155, movedSome, zeroBytes } from './transfer.ts'

const is1155 = `coalesce(bool_or(${byErc1155('m')} AND ${movedSome('m')}), false)`

/** SQL condition: the wallet received some from somebody else. */
export const gotFromOthers = (row: string, wallet: string) =>
  `${row}.to_address = ${wallet} AND ${row}.from_address <> ${wallet} AND ${movedSome(row)}`

const inOrder = (direction: 'ASC' | 'DESC') => `ORDER BY m.position ${direction}, m.item ${direction}`

/** SQL: position of the receipt that `holdingOf` describes; `upTo`: as of this position. */
export function receivedPosition(wallet: string, upTo?: string): string {
  const within = upTo === undefined ? '' : ` AND m.position <= ${upTo}`
  return `coalesce(max(m.position) FILTER (WHERE ${gotFromOthers('m', wallet)}${within}),
    min(m.position) FILTER (WHERE m.to_address = ${wallet} AND ${movedSome('m')}${within}))`
}

/**
 * SQL of a wallet's holding of a token from its moves `m`, as aggregates; `wallet`: SQL of the wallet's address. If ERC-1155 transfers moved the
 * token, only they decide, as in `token`: they add up. Otherwise the latest transfer decides. It was received by the latest move from somebody else;
 * without one, by the earliest to itself.
 */
export const holdingOf = (wallet: string) => {
  const received = `FILTER (WHERE m.to_address = ${wallet} AND ${movedSome('m')})`
  const got = `FILTER (WHERE ${gotFromOthers('m', wallet)})`
  const minted = `FILTER (WHERE m.from_address = ${zeroBytes} AND ${movedSome('m')})`
  return {
    token_id: 'min(m.token_id)',
    erc1155: is1155,
    amount: `CASE WHEN ${is1155}
      THEN sum(CASE WHEN m.to_address = ${wallet} THEN m.amount ELSE 0 END - CASE WHEN m.from_address = ${wallet} THEN m.amount ELSE 0 END)
        FILTER (WHERE ${byErc1155('m')})
      WHEN (array_agg(m.to_address = ${wallet} ${inOrder('DESC')}) FILTER (WHERE NOT ${byErc1155('m')}))[1] THEN 1 ELSE 0 END`,
    last_position: `max(m.position) FILTER (WHERE ${movedSome('m')})`,
    first_position: `min(m.position) FILTER (WHERE ${movedSome('m')})`,
    minted_position: `min(m.position) ${minted}`,
    minter: `(array_agg(m.to_address ${inOrder('ASC')}) ${minted})[1]`,
    received_position: receivedPosition(wallet),
    received_time: `CASE WHEN bool_or(${gotFromOthers('m', wallet)}) THEN (array_agg(m.block_time ${inOrder('DESC')}) ${got})[1]
      ELSE (array_agg(m.block_time ${inOrder('ASC')}) ${received})[1] END`,
  }
}
