import type { GetOptions, GuardedAnswer } from '../client.ts'

export type GatewayNetwork = 'ipfs' | 'arweave'

export type GatewayContent = {
  network: GatewayNetwork
  /** A CID in base58 or base32; on Arweave a transaction id or a name. */
  id: string
  /** '' or from the slash on, percent-encoded, without a query. */
  path: string
  /** A gateway's URL of the same content, tried when the configured ones have nothing. */
  original: string | null
}

export type GatewayAnswer = GuardedAnswer & {
  /** Host of the gateway that answered; `none` if the CID holds the content itself. */
  gateway: string
  /** Whether the bytes were checked against the CID. */
  verified: boolean
}

/** Content of IPFS and Arweave, by way of the gateways that an operator configured. */
export type Gateways = {
  /**
   * From the fastest healthy gateway, or the next one where it fails or takes long. Rejects with GatewaysFailedError,
   * with HostBusyError where every gateway is paused for now, with ContentMissingError, TooLargeError or UnwantedBodyError.
   */
  get(
    content: GatewayContent,
    options?: Pick<GetOptions, 'signal' | 'maxBytes' | 'accept' | 'wants'>,
  ): Promise<GatewayAnswer>
  /** The hosts of gateways in the order in which they would be queried now. */
  order(network: GatewayNetwork): string[]
}
