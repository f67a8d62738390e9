/** What is known of a collection when it is assessed. Null: not known, and no rule that needs it applies. */
export type SpamFacts = {
  name: string | null
  symbol: string | null
  /** Names and descriptions of a sample of its tokens, after normalising. The first 50 are read. */
  texts: string[]
  /** Addresses of sites in its documents: `external_url`. The first 50 are read. */
  urls: string[]
  /** How many documents were sampled, and how many different ones are among them. */
  documents: { sampled: number; distinct: number } | null
  /** How many addresses own tokens of a sample now. */
  owners: number | null
  /** Transfers from the zero address in a sample of the first ones, and in how many transactions they are. */
  mints: number | null
  mintTransactions: number | null
  /** Transfers that are neither mint nor burn. */
  transfers: number | null
}
