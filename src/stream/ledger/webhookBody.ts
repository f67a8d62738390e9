/** Every list of a webhook's body, empty: receivers need all of them. */
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

/** Finds the top level's `retries`: it is once in a body, at the last place, as texts of users hold no bare quotes and come before it. */
const marker = ',"retries":0,"block":{'

/** The body of an attempt after `retries` failed ones; nothing else in it changes. */
export function withRetries(body: string, retries: number): string {
  if (retries === 0) return body
  const at = body.lastIndexOf(marker)
  if (at < 0) return JSON.stringify({ ...(JSON.parse(body) as object), retries })
  return `${body.slice(0, at)},"retries":${retries}${body.slice(at + ',"retries":0'.length)}`
}

/**
 * SQL of top-level fields of `b.body`; null if the body lacks them. They are cut out of the text, not parsed as JSON: PostgreSQL rejects a whole
 * body as JSON for a single escape without a character (\u0000, half of a surrogate pair).
 */
export const bodyField = {
  tag: `nullif(split_part(split_part(b.body, '${marker}', -2), '"tag":', -1), '')::json #>> '{}'`,
  timestamp: `substring(left(split_part(b.body, '${marker}', -1), 200) from '"timestamp":"([0-9]*)"')`,
} as const
