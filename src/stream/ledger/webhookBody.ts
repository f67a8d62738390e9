/** Empty lists of a webhook's body: receivers need all of them. */
export const emptyLists = {
  logs: [],
  txs: [],
  txsInternal: [],
  erc20Transfers: [],
  erc20Approvals: [],
  nftTransfers: [],
  nftTokenApprovals: [],
  nftApprovals: { ERC721: [], ERC1155: [] },
  nativeBalances: [],
} as const

/** Finds the top level's `retries` at its only, last place: texts of users precede it, and their quotes are escaped. */
const marker = ',"retries":0,"block":{'

/** The body of an attempt after `retries` failed ones; nothing else changes. */
export function withRetries(body: string, retries: number): string {
  if (retries === 0) return body
  const at = body.lastIndexOf(marker)
  if (at < 0) return JSON.stringify({ ...(JSON.parse(body) as object), retries })
  return `${body.slice(0, at)},"retries":${retries}${body.slice(at + ',"retries":0'.length)}`
}

/**
 * SQL of top-level fields of `b.body`; null for missing ones. Extracted from the text without JSON parsing: PostgreSQL
 * rejects the whole body for a single invalid escape (\u0000, lone surrogates).
 */
export const bodyField = {
  tag: `nullif(split_part(split_part(b.body, '${marker}', -2), '"tag":', -1), '')::json #>> '{}'`,
  timestamp: `substring(left(split_part(b.body, '${marker}', -1), 200) from '"timestamp":"([0-9]*)"')`,
} as const
