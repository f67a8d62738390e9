import type { StateReader } from '../../chain/evm/contracts/stateReader.ts'
import type { EvmSource } from '../../chain/evm/source/source.ts'
import type { Sql } from '../../db/database.ts'
import { column, defineRow } from '../../db/defineRow.ts'
import { partitionOf } from '../../sync/partition.ts'
import { BadRequestError, describeError, NotFoundError } from '../../util/errors.ts'
import { type Address, bufferToHex, hexToBuffer } from '../../util/hex.ts'
import { holdingOf } from '../transfers/holdingSql.ts'
import { blockOfPosition, lastPositionOf } from '../transfers/position.ts'
import { createWalletLogs } from '../walletHistory/createWalletLogs.ts'
import { movesOf } from '../walletHistory/movesOf.ts'

/** A holding or transfer of a wallet in the tables and on the chain; null: none, or unknown by the contract. */
export type WalletMismatch = {
  kind: 'owner' | 'balance' | 'missing transfer' | 'extra transfer'
  contract: Address
  tokenId: string
  stored: string | null
  chain: string | null
  /** Of a transfer: the block of its log. */
  block: string | null
}

export type WalletVerification = {
  block: bigint
  holdings: number
  contracts: number
  transfers: number
  mismatches: WalletMismatch[]
  /** Contracts that no node could query at that block, with the reason. */
  unreadable: { contract: Address; reason: string }[]
}

export type VerifyWalletOptions = {
  db: Sql
  chainId: bigint
  wallet: Address
  /** null: the last block that the wallet is covered to. */
  at: bigint | undefined
  readersAt: (contract: Address, block: bigint) => readonly StateReader[]
  source: EvmSource
  onProgress: (part: number, text: string) => void
  signal: AbortSignal
}

const walletRow = defineRow({
  partition: column.int2('w.partition'),
  id: column.int8('w.id'),
  toBlock: column.int8(`CASE WHEN w.status = 'live' THEN h.block_number ELSE w.to_block END`).orNull(),
})

const selectWallet = `
SELECT ${walletRow.columns} FROM wallet w LEFT JOIN chain h ON h.id = w.chain_id
WHERE w.partition = $1 AND w.chain_id = $2 AND w.address = $3 AND w.status <> 'removed'`

const { token_id, erc1155, amount } = holdingOf('$3::bytea')
const selectHoldings = `
SELECT contract, token_id, erc1155, amount::text FROM (
  SELECT m.contract, ${token_id}::text AS token_id, ${erc1155} AS erc1155, ${amount} AS amount
  FROM wallet_move m WHERE m.partition = $1 AND m.wallet_id = $2 AND m.position <= $4 GROUP BY m.contract, m.token_hash
) h WHERE amount > 0 ORDER BY contract`

const selectMoves = `
SELECT position, item, contract, token_id::text FROM wallet_move
WHERE partition = $1 AND wallet_id = $2 AND position <= $3`

/** Most mismatches that are listed. */
const mostListed = 1_000

/**
 * Compares a wallet's stored data with the chain at the end of one block: each token with ownerOf or balanceOf, and each transfer with the node's
 * logs. Throws NotFoundError and BadRequestError.
 */
export async function verifyWallet(options: VerifyWalletOptions): Promise<WalletVerification> {
  const { db, chainId, wallet, at, readersAt, source, onProgress, signal } = options
  const address = hexToBuffer(wallet)
  const [row] = await db.rows(selectWallet, [partitionOf(chainId, wallet), chainId, address])
  if (!row)
    throw new NotFoundError(`${wallet} is not indexed over all contracts: request it, or see "mintmark wallets"`)
  const { partition, id, toBlock } = walletRow.decode(row)
  const block = at ?? toBlock
  if (block === null || toBlock === null || block > toBlock)
    throw new BadRequestError(`block ${block ?? '-'} is not covered: this wallet is indexed to block ${toBlock ?? '-'}`)
  const found: WalletVerification = { block, holdings: 0, contracts: 0, transfers: 0, mismatches: [], unreadable: [] }
  const differ = (mismatch: WalletMismatch) => {
    if (found.mismatches.length < mostListed) found.mismatches.push(mismatch)
  }

  const last = lastPositionOf(block)
  const holdings = await db.rows<[Buffer, string, boolean, string]>(selectHoldings, [partition, id, address, last])
  const byContract = [...Map.groupBy(holdings, ([contract]) => bufferToHex(contract))]
  for (const [done, [contract, held]] of byContract.entries()) {
    onProgress(done / (2 * byContract.length), `contract ${done + 1} of ${byContract.length}`)
    const [reader] = readersAt(contract, block)
    try {
      const of1155 = held.filter(([, , isErc1155]) => isErc1155)
      const of721 = held.filter(([, , isErc1155]) => !isErc1155)
      const ids = (rows: typeof held) => rows.map(([, tokenId]) => BigInt(tokenId))
      const owners = await reader!.owners(ids(of721), signal)
      for (const [i, [, tokenId]] of of721.entries())
        if (owners[i] !== wallet)
          differ({ kind: 'owner', contract, tokenId, stored: wallet, chain: owners[i]!, block: null })
      const requested = ids(of1155).map((tokenId) => ({ holder: wallet, tokenId }))
      const balances = await reader!.balances(requested, signal)
      for (const [i, [, tokenId, , stored]] of of1155.entries())
        if (balances[i] !== BigInt(stored)) {
          const chain = balances[i] === null ? null : String(balances[i])
          differ({ kind: 'balance', contract, tokenId, stored, chain, block: null })
        }
    } catch (error) {
      signal.throwIfAborted()
      found.unreadable.push({ contract, reason: describeError(error) })
    }
  }

  const moves = await db.rows<[bigint, number, Buffer, string]>(selectMoves, [partition, id, last])
  const stored = new Map(
    moves.map(([position, item, contract, tokenId]) => [`${position} ${item}`, { contract, tokenId }]),
  )
  const holder = wallet.slice(2)
  const reader = createWalletLogs(source, [holder])
  const own = new Map([[holder, { partition, id }]])
  for (let from = 0n; from <= block; ) {
    onProgress(0.5 + Number(from) / Number(2n * (block + 1n)), `the logs of blocks ${from} to ${block}`)
    const { logs, to } = await reader.read({ from, to: block }, signal)
    for (const { contract, transfer } of movesOf(logs, own).moves) {
      const place = `${transfer.position} ${transfer.item}`
      if (stored.delete(place)) continue
      const { tokenId } = transfer
      const at = String(blockOfPosition(BigInt(transfer.position)))
      differ({ kind: 'missing transfer', contract, tokenId, stored: null, chain: transfer.amount, block: at })
    }
    from = to + 1n
  }
  for (const [place, { contract, tokenId }] of stored) {
    const at = String(blockOfPosition(BigInt(place.split(' ')[0]!)))
    const surplus = { contract: bufferToHex(contract), tokenId, stored: '1', chain: null, block: at }
    differ({ kind: 'extra transfer', ...surplus })
  }
  return { ...found, holdings: holdings.length, contracts: byContract.length, transfers: moves.length }
}
