/** What is known of a collection when it is judged. Null: not known, and no rule that needs it applies. */
export type SpamFacts = {
  name: string | null
  symbol: string | null
  /** Names and descriptions of a sample of its tokens, after normalising. The first 50 are read. */
  texts: string[]
  /** Addresses that its documents point people to: `external_url` and the like. The first 50 are read. */
  urls: string[]
  /** Documents sampled, and how many different ones are among them. */
  documents: { sampled: number; distinct: number } | null
  /** Addresses that hold any of it now. */
  owners: number | null
  /** Transfers from the zero address, and in how many transactions (or blocks, where only those are known). */
  mints: number | null
  mintTransactions: number | null
  /** Transfers that are neither mint nor burn. */
  transfers: number | null
}
