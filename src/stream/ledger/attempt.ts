/** How an attempt ended. */
export type Outcome =
  | { status: 'delivered'; code: number; answer: Buffer }
  | {
      status: 'failed'
      error: string
      /** undefined: no response. */
      code?: number | undefined
      answer?: Buffer | undefined
      /** undefined: no further attempt. */
      retryAt?: Date | undefined
      /** The receiver requested another time: the attempt does not count against the schedule. */
      postponed?: boolean
    }

/** Key of a delivery: replay 0 is the first, those that clients request are 1, 2, … */
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
  /** After a 429: how long to send nothing to the address, in milliseconds. */
  pauseMs?: number | undefined
  /** The attempt probed a stream in error: it does not count against the schedule. */
  probe?: {
    /** Earliest next probe that the receiver allows, if specified. */
    notBefore: Date | undefined
  }
}
