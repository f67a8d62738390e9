import type { Sql } from '../src/db/database.ts'
import { bytesOfToken } from '../src/nft/pages/rows/tokenLines.ts'
import type { HeldTokens } from '../src/nft/query.ts'
import { tokenFactsOf } from '../src/nft/transfers/tokenFacts.ts'
import { hexToBuffer } from '../src/util/hex.ts'

/** Tokens of a collection as held by an address, with these amounts, as pages of wallets read them. */
export async function heldTokens(
  sql: Sql,
  { amounts, ...held }: Omit<HeldTokens, 'bytes'> & { amounts: readonly (number | string)[] },
): Promise<HeldTokens> {
  const { state, holder, hashes } = held
  const [row] = await sql.rows<[Buffer | null]>(
    `SELECT string_agg(${bytesOfToken('t.erc1155', 't.token_hash', '$3', tokenFactsOf('k.amount'))}, '' ORDER BY k.place)
     FROM unnest($4::uuid[], $5::numeric[]) WITH ORDINALITY AS k (token_hash, amount, place)
     JOIN token t ON t.partition = $1 AND t.collection_id = $2 AND t.token_hash = k.token_hash`,
    [state.partition, state.id, hexToBuffer(holder), hashes, amounts],
  )
  return { ...held, bytes: row![0] ?? Buffer.alloc(0) }
}
