/** How an attempt ended. */
export type Outcome =
  | { status: 'delivered'; code: number; answer: Buffer }
  | {
      status: 'failed'
      error: string
      /** undefined: there was no answer. */
      code?: number | undefined
      answer?: Buffer | undefined
      /** undefined: the delivery is given up. */
      retryAt?: Date | undefined
      /** The receiver requested another time: the attempt uses up no wait of the schedule. */
      postponed?: boolean
    }

/** Names a delivery of a webhook: its first one is replay 0, the replays that clients request are 1, 2, … */
export type DeliveryKey = {
  partition: number
  streamId: string
  chainId: bigint
  position: bigint
  replay: number
}

export type Attempt = DeliveryKey & {
  /** From 1, within the delivery. */
  number: number
  urlHash: Buffer
  at: Date
  ms: number
  outcome: Outcome
  /** The attempt probed a stream in error: it uses up no wait of the schedule. */
  probe?: {
    /** When the receiver allows the next probe, where it said so. */
    notBefore: Date | undefined
  }
}
