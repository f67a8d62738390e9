import type { GetOptions, GuardedAnswer } from '../client.ts'

export type GatewayNetwork = 'ipfs' | 'arweave'

export type GatewayContent = {
  network: GatewayNetwork
  /** A CID in base58 or base32; on Arweave a transaction id or a name. */
  id: string
  /** '' or starting with the slash, percent-encoded, without a query. */
  path: string
  /** A gateway's URL of the same content, tried if the configured ones do not have it. */
  original: string | null
}

export type GatewayAnswer = GuardedAnswer & {
  /** Host of the gateway that answered; `none` if the CID contains the content itself. */
  gateway: string
  /** Whether the bytes were checked against the CID. */
  verified: boolean
}

/** Content of IPFS and Arweave, from the gateways that an operator configured. */
export type Gateways = {
  /**
   * From the fastest healthy gateway, or the next one if it fails or is slow. Rejects with GatewaysFailedError, with HostBusyError if every gateway
   * is paused, with ContentMissingError, TooLargeError or UnwantedBodyError.
   */
  get(
    content: GatewayContent,
    options?: Pick<GetOptions, 'signal' | 'maxBytes' | 'accept' | 'wants'>,
  ): Promise<GatewayAnswer>
  /** The hosts of gateways in their current query order. */
  order(network: GatewayNetwork): string[]
}
