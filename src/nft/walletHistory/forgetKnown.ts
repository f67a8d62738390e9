import type { Transaction } from '../../db/database.ts'
import { defineLists, list } from '../../db/defineLists.ts'
import { partitionOf } from '../../sync/partition.ts'
import { type Address, hexToBuffer } from '../../util/hex.ts'
import { forgetTokens } from '../metadata/store/forgetTokens.ts'
import { rereadNames } from '../store/knownContracts.ts'
import { isErc1155, zeroAddress } from '../transfers/transfer.ts'
import type { Move } from './movesOf.ts'

/** A token by its contract and hash. */
export type TokenOf = Pick<Move, 'contract' | 'hash'>

/** The ERC-721 tokens that moves mint or burn: one that is minted again is a new token. */
export function remadeIn(moves: readonly Move[]): TokenOf[] {
  return moves.filter(
    ({ transfer }) => !isErc1155(transfer) && (transfer.from === zeroAddress || transfer.to === zeroAddress),
  )
}

/** Removes metadata of these tokens if their contracts are only known. The next page that shows one requests it again. */
export async function forgetMetadata(tx: Transaction, chainId: bigint, tokens: readonly TokenOf[]): Promise<void> {
  if (tokens.length === 0) return
  const placed = tokens.map((token) => ({ ...token, partition: partitionOf(chainId, token.contract) }))
  const rows = await tx.fresh.rows<[number, bigint, string]>(selectKnown, [chainId, ...tokenRow.lists(placed)])
  await forgetTokens(
    tx,
    rows.map(([partition, id, hash]) => ({ partition, id, hash })),
  )
}

/**
 * The same for tokens whose mint was undone. Their contracts may be others now, so their names are read again too.
 */
export async function forgetUndone(tx: Transaction, chainId: bigint, minted: readonly TokenOf[]): Promise<void> {
  if (minted.length === 0) return
  await rereadNames(tx, chainId, [...new Set(minted.map(({ contract }) => contract))])
  await forgetMetadata(tx, chainId, minted)
}

type Placed = { partition: number; contract: Address; hash: string }

const tokenRow = defineLists<Placed>({
  partition: list.int2(({ partition }) => partition),
  address: list.bytea(({ contract }) => hexToBuffer(contract)),
  token_hash: list.uuid(({ hash }) => hash),
})

const ofToken = (row: string) =>
  `SELECT 1 FROM ${row} m WHERE m.partition = c.partition AND m.collection_id = c.id AND m.token_hash = v.token_hash`

const selectKnown = `
SELECT DISTINCT c.partition, c.id, encode(uuid_send(v.token_hash), 'hex') FROM ${tokenRow.unnest(2)}
JOIN collection c ON c.partition = v.partition AND c.chain_id = $1 AND c.address = v.address AND c.status = 'known'
WHERE EXISTS (${ofToken('token_metadata')}) OR EXISTS (${ofToken('metadata_due')})`
