/** What an attempt came to. */
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
      /** The receiver asked for another time: no wait of the schedule is used up. */
      postponed?: boolean
    }

/** One delivery of a webhook: replay 0, or one that was asked for. */
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
  /** It asked whether the address of a stream in error takes webhooks again: it uses up no wait of the schedule. */
  probe?: {
    /** The receiver asked for no other before. */
    notBefore: Date | undefined
  }
}
