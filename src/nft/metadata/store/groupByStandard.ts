import type { Sql } from '../../../db/database.ts'
import type { Standard } from '../../transfers/decodeTransfers.ts'
import { keyed } from '../../transfers/keyed.ts'
import type { MetadataSlice } from './metadataStore.ts'

const selectErc1155 = `
SELECT replace(t.token_hash::text, '-', '')
FROM ${keyed({ table: 'token', row: 't', list: '$3::uuid[]', columns: 't.token_hash, t.erc1155' })} WHERE t.erc1155`

/** Groups tokens of a slice by their standard, which decides the call for the URI. Keeps their order. */
export async function groupByStandard<T extends { hash: string }>(
  sql: Sql,
  { partition, id, standard, mixed }: MetadataSlice,
  tokens: readonly T[],
): Promise<Map<Standard, T[]>> {
  if (!mixed) return new Map([[standard, [...tokens]]])
  const keys = [partition, id, tokens.map(({ hash }) => hash)]
  const found = new Set((await sql.rows<[string]>(selectErc1155, keys)).map(([hash]) => hash))
  return Map.groupBy(tokens, ({ hash }) => (found.has(hash.replaceAll('-', '')) ? 'ERC1155' : 'ERC721'))
}
