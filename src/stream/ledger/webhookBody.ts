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

/** What follows only the top level's `retries`: what users write into a body comes before it, and cannot hold bare quotes. */
const marker = ',"retries":0,"block":{'

/** The body of an attempt after `retries` failed ones: the only part that changes. */
export function withRetries(body: string, retries: number): string {
  if (retries === 0) return body
  const at = body.lastIndexOf(marker)
  if (at < 0) return JSON.stringify({ ...(JSON.parse(body) as object), retries })
  return `${body.slice(0, at)},"retries":${retries}${body.slice(at + ',"retries":0'.length)}`
}
