import { z } from 'zod'
import type { Address } from '../../util/hex.ts'
import type { FoundPage } from '../pages/filteredList.ts'

export const collectionStatuses = ['queued', 'syncing', 'live', 'none', 'nocode', 'failed'] as const

/** A collection as a path names it: the chain by name or id. */
export type CollectionPath = { chain: string; address: Address }

/** Whether it counts as spam, or as verified: as the operator says (yes, no), or as lists and rules say (auto). */
export const flagWords = ['yes', 'no', 'auto'] as const
export type FlagWord = (typeof flagWords)[number]

/** Looks at collections and changes them, as the commands do. Throws NotFoundError for a chain that no server knows. */
export type AdminCollections = {
  /** By chain and address; there may be fewer than `limit` where the list goes on. */
  list(options: {
    chain: string | null
    status: (typeof collectionStatuses)[number] | null
    search: string | null
    after: string | null
    limit: number
  }): Promise<FoundPage<CollectionReport, string>>
  /** Throws NotFoundError for a collection that was never asked for, as all below do. */
  get(path: CollectionPath): Promise<CollectionDetailReport>
  /** Takes it away; with `reindex` it is queued again. */
  remove(path: CollectionPath, options: { reindex: boolean }): Promise<RemovalReport>
  /** A flag that is left out stays as it is. */
  flag(path: CollectionPath, words: { spam?: FlagWord; verified?: FlagWord }): Promise<VerdictReport>
}

const time = z.iso.datetime()
const digits = z.string().regex(/^\d+$/)
const count = (description: string) => digits.meta({ description, examples: ['0'] })
const part = z.number().min(0).max(1)

const place = {
  chain: z.string().meta({ description: 'Name of the chain.', examples: ['eth'] }),
  chainId: z.string().meta({ description: 'Its id in hex.', examples: ['0x1'] }),
  address: z.string().meta({ description: 'Address of the contract.', examples: [`0x${'5a'.repeat(20)}`] }),
}

const collectionShape = {
  ...place,
  status: z
    .enum(collectionStatuses)
    .describe(
      'queued: waits for its turn; syncing: history is read; live: followed at the head; none: no NFT contract, or none as far as is known where there is a reason; nocode: no contract; failed: see reason.',
    ),
  synced: z.boolean().describe('Ownership covers every block up to the head, and that was confirmed lately.'),
  reason: z.string().nullable().describe('Why it failed, or why nothing is known of it yet; null otherwise.'),
  retryAt: time.nullable().describe('When a failed one is tried again; null: not by itself.'),
  standard: z.enum(['ERC721', 'ERC1155']).nullable().describe('Standard of its tokens; null: not known yet.'),
  name: z.string().nullable().describe('As its contract says.'),
  symbol: z.string().nullable().describe('As its contract says.'),
  tokens: count('Tokens listed.'),
  fromBlock: digits.nullable().describe('First block of its history.'),
  toBlock: digits.nullable().describe('Last block that is covered without a gap.'),
  headBlock: digits.nullable().describe('Head of the chain.'),
  progress: part.describe('Part of its blocks that is covered.'),
  blocksPerSecond: z
    .number()
    .min(0)
    .nullable()
    .describe('Blocks of its history that were read a second in the last minutes; null: none is being read.'),
  secondsLeft: z
    .int()
    .min(0)
    .nullable()
    .describe('Until its history is read, at that rate: an estimate; null: none can be made.'),
  metadataProgress: part.describe('Part of the tokens whose metadata was tried once at least.'),
  possibleSpam: z.boolean().describe('What records say.'),
  verified: z.boolean().describe('What records say.'),
  incomplete: z.string().nullable().describe('What its chain says of it and is not listed, and why; null: nothing.'),
}

export const collectionSchema = z
  .object(collectionShape)
  .meta({ id: 'AdminCollection', description: 'Where a collection stands.' })
export type CollectionReport = z.infer<typeof collectionSchema>

export const verdictSchema = z
  .object({
    possibleSpam: z.boolean().describe('What records say.'),
    verified: z.boolean().describe('What records say.'),
    score: z.int().min(0).max(100).describe('By the rules of docs/spam.md.'),
    reasons: z.array(z.string()).describe('Lists that name it, and one line for each rule that applies.'),
    spamOverride: z.boolean().nullable().describe("The operator's word, over lists and rules; null: none."),
    verifiedOverride: z.boolean().nullable().describe("The operator's word, over lists; null: none."),
    assessedAt: time.nullable().describe('When it was judged; null: not yet.'),
  })
  .meta({ id: 'Verdict', description: 'What a collection counts as, and why.' })
export type VerdictReport = z.infer<typeof verdictSchema>

const metadataSchema = z
  .object({
    ok: count('Tokens whose document was read.'),
    failed: count('Tokens whose document is tried again.'),
    permanent: count('Tokens that are given up: they are not tried again by themselves.'),
    due: count('Tokens that are to be read, now or later.'),
    parked: count('Those of them that wait for a host that is dead.'),
    progress: part.describe('Part of the tokens that was tried once at least.'),
    sweep: z
      .object({ beginsAt: time.nullable().describe('When it begins at the earliest; null: it is under way.') })
      .nullable()
      .describe('The look through all tokens for those that are to be read again; null: none is asked for.'),
    reasons: z
      .array(z.object({ reason: z.string().describe('In words.'), tokens: count('Tokens that fail with it.') }))
      .describe('What the most tokens fail with, at most five.'),
  })
  .meta({ id: 'MetadataSummary', description: 'Where the documents of its tokens stand.' })

const hostSchema = z
  .object({
    host: z.string().meta({ description: 'Host and port; ipfs or arweave: all gateways.', examples: ['meta.example'] }),
    state: z.enum(['ok', 'dead']).describe('dead: it answers nothing, and its tokens wait.'),
    failures: z.int().min(0).describe('Tries in a row without an answer.'),
    fault: z.string().nullable().describe('What the last of them came to.'),
    tokensWaiting: count('Tokens that wait for it.'),
    deadSince: time.nullable().describe('null: it answers.'),
    faultAt: time.nullable().describe('When it last gave no answer.'),
    retryAt: time.nullable().describe('When a dead one is tried next.'),
  })
  .meta({ id: 'DocumentHost', description: 'A host that documents come from.' })

const leftOutSchema = z
  .object({
    wideLogs: count('Logs that name too many tokens, left out whole.'),
    surplusTransfers: count('Transfers of tokens beyond sync.maxTokens.'),
    logs: z
      .array(
        z.object({
          block: count('Its block.'),
          logIndex: z.int().min(0).describe('Its place in the block.'),
          reason: z
            .enum(['wide', 'surplus'])
            .describe('wide: it names too many tokens; surplus: beyond sync.maxTokens.'),
          transfers: count('How many are left out of it.'),
          transactionHash: z.string().describe('Its transaction.'),
        }),
      )
      .describe('The latest logs of which something is left out, at most 20.'),
  })
  .meta({ id: 'LeftOut', description: 'What its chain says of it and is not listed.' })

export const collectionDetailSchema = collectionSchema
  .extend({
    requestedAt: time.describe('When it was asked for.'),
    requestedBy: z
      .object({
        keyId: digits.describe("The key; 0: the configuration's own, which commands use too."),
        name: z.string().nullable().describe("Its name; null: the configuration's own, or a key that is gone."),
      })
      .nullable()
      .describe('Who asked for it; null: not known.'),
    metadata: metadataSchema.nullable().describe('null: counting took too long.'),
    hosts: z.array(hostSchema).nullable().describe('Hosts of its documents; null: counting took too long.'),
    verdict: verdictSchema,
    leftOut: leftOutSchema,
    previews: z
      .record(z.string(), digits)
      .nullable()
      .meta({
        description: 'Previews that were asked for, by status; null: counting took too long.',
        examples: [{ success: '12', unsupported_media: '1' }],
      }),
  })
  .meta({ id: 'AdminCollectionDetail', description: 'All that is known of a collection.' })
export type CollectionDetailReport = z.infer<typeof collectionDetailSchema>

export const removalSchema = z
  .object({
    ...place,
    tokens: count('Tokens that it listed. What is stored of them is removed in the background.'),
    queued: z.boolean().describe('It is indexed from the beginning.'),
  })
  .meta({ id: 'CollectionRemoval', description: 'A collection that was taken away.' })
export type RemovalReport = z.infer<typeof removalSchema>

const word = (description: string) => z.enum(flagWords).nullish().describe(description)

export const flagSchema = z
  .object({
    spam: word('possible_spam of the collection; auto: what lists and rules say. Left out: as it is.'),
    verified: word('verified_collection; auto: what lists say. Left out: as it is.'),
  })
  .meta({ id: 'CollectionFlag', description: "The operator's word.", examples: [{ spam: 'yes' }] })
