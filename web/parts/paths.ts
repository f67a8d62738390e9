/** Paths of views below `/console`, for `Link` and the router. `chain`: a name or an id. */

export function collectionPath(chain: string, address: string): string {
  return `/collections/${encodeURIComponent(chain)}/${address}`
}

/** `tokenId` in decimal digits. */
export function tokenPath(chain: string, address: string, tokenId: string): string {
  return `${collectionPath(chain, address)}/${tokenId}`
}

export function streamPath(id: string): string {
  return `/streams/${id}`
}

/** A webhook of a stream, by its webhook-id. */
export function webhookPath(streamId: string, webhookId: string): string {
  return `${streamPath(streamId)}/webhooks/${webhookId}`
}

export function walletPath(chain: string, address: string): string {
  return `/wallets/${encodeURIComponent(chain)}/${address}`
}
