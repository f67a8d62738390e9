import { z } from 'zod'
import { type CollectionStatus, collectionStatuses, type DiscoveredOrder } from '../../nft/query.ts'
import type { Address } from '../../util/hex.ts'
import type { FoundPage } from '../pages/filteredList.ts'

/** A collection in a path: the chain by name or id. */
export type CollectionPath = { chain: string; address: Address }

/**
 * Whether a collection counts as spam or verified. yes and no are set by the operator; auto lets lists and rules
 * decide.
 */
export const flagValues = ['yes', 'no', 'auto'] as const
export type FlagValue = (typeof flagValues)[number]

/** Reads and changes collections, as the commands do. Throws NotFoundError for an unknown chain. */
export type AdminCollections = {
  /** In the order of chain and address. A page may hold fewer than `limit` collections and still have a next page. */
  list(options: {
    chain: string | null
    status: CollectionStatus | null
    search: string | null
    after: string | null
    limit: number
  }): Promise<FoundPage<CollectionReport, string>>
  /**
   * Contracts that appeared in blocks. Throws BadRequestError if no chain, or not this one, discovers contracts. A walk
   * may skip or repeat contracts that get transfers meanwhile.
   */
  discovered(options: {
    chain: string | null
    order: DiscoveredOrder
    after: string | null
    limit: number
  }): Promise<FoundPage<ListedReport, string>>
  /** Throws NotFoundError for a collection that was never requested, as all methods below do. */
  get(path: CollectionPath): Promise<CollectionDetailReport>
  /** Removes the collection; with `reindex` it is queued to be indexed from the beginning. */
  remove(path: CollectionPath, options: { reindex: boolean }): Promise<RemovalReport>
  /** An omitted flag does not change. */
  flag(
    path: CollectionPath,
    flags: { spam?: FlagValue; verified?: FlagValue },
  ): Promise<{ chainId: bigint; verdict: VerdictReport }>
}

export const time = z.iso.datetime()
export const digits = z.string().regex(/^\d+$/)
export const count = (description: string) => digits.meta({ description, examples: ['0'] })
const part = z.number().min(0).max(1)

/** First fields of an answer about a contract or a wallet of a chain. */
export const placeOf = (what: 'contract' | 'wallet') => ({
  chain: z.string().meta({ description: 'Name of the chain.', examples: ['eth'] }),
  chainId: z.string().meta({ description: 'Id of the chain in hex.', examples: ['0x1'] }),
  address: z.string().meta({ description: `Address of the ${what}.`, examples: [`0x${'5a'.repeat(20)}`] }),
})
const place = placeOf('contract')

const collectionShape = {
  ...place,
  status: z
    .enum(collectionStatuses)
    .describe(
      'queued: waiting; syncing: history is read; live: followed at the head; none: not an NFT contract, or not known to be one yet, see reason; nocode: no contract at the address; failed: see reason.',
    ),
  synced: z
    .boolean()
    .describe('Whether ownership covers every block up to the head, and a node confirmed that head lately.'),
  reason: z
    .string()
    .nullable()
    .describe('Why the collection failed or is not synced; null: no reason is known or needed.'),
  retryAt: time.nullable().describe('Next attempt at a failed collection; null: none is scheduled.'),
  standard: z
    .enum(['ERC721', 'ERC1155'])
    .nullable()
    .describe('Standard that the contract claims or that its first log showed; null: not known yet.'),
  name: z.string().nullable().describe('Name that the contract returns.'),
  symbol: z.string().nullable().describe('Symbol that the contract returns.'),
  tokens: count('Tokens listed.'),
  fromBlock: digits.nullable().describe('First block of the history of the collection.'),
  toBlock: digits.nullable().describe('Last block that is covered without a gap.'),
  headBlock: digits.nullable().describe('Head of the chain.'),
  progress: part.describe('Part of the blocks that is covered, from 0 to 1.'),
  blocksPerSecond: z
    .number()
    .min(0)
    .nullable()
    .describe('Blocks of history read per second in the last minutes; null: no history is being read.'),
  secondsLeft: z
    .int()
    .min(0)
    .nullable()
    .describe('Estimate of the seconds until the history is read, at that rate; null: no estimate can be made.'),
  metadataProgress: part.describe('Part of the tokens whose metadata was tried at least once, from 0 to 1.'),
  possibleSpam: z.boolean().describe('possible_spam of the records.'),
  verified: z.boolean().describe('verified_collection of the records.'),
  incomplete: z.string().nullable().describe('Omitted transfers, and why; null: none.'),
}

export const collectionSchema = z
  .object(collectionShape)
  .meta({ id: 'AdminCollection', description: 'Status of a collection.' })
export type CollectionReport = z.infer<typeof collectionSchema>

const discoverySchema = z
  .object({
    firstBlock: digits.describe('First block with transfers that Mintmark saw.'),
    firstSeenAt: time.describe('Time of that block.'),
    transfers: digits.describe('Transfers of the last 24 hours, in full hours of block time.'),
    mints: digits.describe('Mints among them.'),
  })
  .optional()
  .describe('Only with order: counts from new blocks.')

/** Public facts of a collection, for every key. */
export const listedCollectionSchema = collectionSchema
  .pick({
    ...{ chain: true, chainId: true, address: true, name: true, symbol: true, standard: true, tokens: true },
    ...{ synced: true, progress: true, possibleSpam: true, verified: true },
  })
  .extend({
    status: z
      .enum([...collectionStatuses, 'known'])
      .describe('As in AdminCollection; known: new blocks showed it, and nobody requested it.'),
    discovery: discoverySchema,
  })
  .meta({ id: 'ListedCollection', description: 'A collection that this server indexes or knows.' })
export type ListedReport = z.infer<typeof listedCollectionSchema>

export const verdictSchema = z
  .object({
    possibleSpam: z.boolean().describe('possible_spam of the records.'),
    verified: z.boolean().describe('verified_collection of the records.'),
    score: z.int().min(0).max(100).describe('Score by the rules of docs/spam.md.'),
    reasons: z.array(z.string()).describe('Lists that contain the contract, and one line for each rule that applies.'),
    spamOverride: z.boolean().nullable().describe("The operator's override; null: none."),
    verifiedOverride: z.boolean().nullable().describe("The operator's override; null: none."),
    assessedAt: time.nullable().describe('When the collection was last assessed; null: not yet.'),
  })
  .meta({ id: 'Verdict', description: 'Whether a collection counts as spam and as verified, and why.' })
export type VerdictReport = z.infer<typeof verdictSchema>

const metadataSchema = z
  .object({
    ok: count('Tokens whose metadata was read.'),
    failed: count('Tokens whose metadata could not be read and is tried again.'),
    permanent: count('Tokens that failed permanently: read again only on request.'),
    due: count('Tokens whose metadata is pending.'),
    parked: count('How many of the due tokens wait for a dead host, which does not respond.'),
    progress: part.describe('Part of the tokens that was tried at least once, from 0 to 1.'),
    sweep: z
      .object({
        beginsAt: time.nullable().describe('Earliest time at which the search begins; null: in progress.'),
      })
      .nullable()
      .describe('Search of all tokens for metadata to read again; null: none is requested.'),
    reasons: z
      .array(
        z.object({
          reason: z.string().describe('The reason.'),
          tokens: count('Tokens that fail for this reason.'),
        }),
      )
      .describe('The most frequent reasons of failure, at most five.'),
  })
  .meta({ id: 'MetadataSummary', description: 'The metadata of the tokens by state.' })

const hostSchema = z
  .object({
    host: z.string().meta({ description: 'Host and port; ipfs or arweave: all gateways.', examples: ['meta.example'] }),
    state: z.enum(['ok', 'dead']).describe('dead: the host does not respond, and its tokens wait.'),
    failures: z.int().min(0).describe('Attempts in a row without a response.'),
    fault: z.string().nullable().describe('Why the last of these attempts had no response.'),
    tokensWaiting: count('Tokens that wait for the host.'),
    deadSince: time.nullable().describe('Since when the host is dead; null: it responds.'),
    faultAt: time.nullable().describe('When the host last did not respond.'),
    retryAt: time.nullable().describe('Next attempt at a dead host.'),
  })
  .meta({ id: 'DocumentHost', description: 'A host that serves metadata.' })

const skippedSchema = z
  .object({
    wideLogs: count('Oversized logs, which are skipped.'),
    surplusTransfers: count('Transfers of tokens beyond sync.maxTokens.'),
    logs: z
      .array(
        z.object({
          block: count('Block of the log.'),
          logIndex: z.int().min(0).describe('Index of the log in the block.'),
          reason: z
            .enum(['wide', 'surplus'])
            .describe('wide: the log contains too many tokens; `surplus`: tokens beyond sync.maxTokens.'),
          transfers: count('How many transfers of the log are skipped.'),
          transactionHash: z.string().describe('Transaction of the log.'),
        }),
      )
      .describe('The latest logs with skipped transfers, at most 20.'),
  })
  .meta({ id: 'LeftOut', description: 'Transfers on the chain that the server skipped in the collection.' })

export const collectionDetailSchema = collectionSchema
  .and(
    z.object({
      requestedAt: time.describe('When the collection was requested.'),
      requestedBy: z
        .object({
          keyId: digits.describe("Id of the key; 0: the configuration's own, which commands use too."),
          name: z.string().nullable().describe("Name of the key; null: the configuration's own, or a deleted key."),
        })
        .nullable()
        .describe('The key that requested the collection; null: not known.'),
      metadata: metadataSchema.nullable().describe('null: counting took too long.'),
      hosts: z.array(hostSchema).nullable().describe('Hosts of the metadata; null: counting took too long.'),
      verdict: verdictSchema,
      leftOut: skippedSchema,
      previews: z
        .record(z.string(), digits)
        .nullable()
        .meta({
          description: 'Previews that were requested, by status; null: counting took too long.',
          examples: [{ success: '12', unsupported_media: '1' }],
        }),
    }),
  )
  .meta({
    id: 'AdminCollectionDetail',
    description: 'A collection in detail. Counts over the tokens of a large collection may be up to 40 seconds old.',
  })
export type CollectionDetailReport = z.infer<typeof collectionDetailSchema>

export const removalSchema = z
  .object({
    ...place,
    tokens: count('Tokens that the collection listed. Their data is removed in the background.'),
    queued: z.boolean().describe('Whether the collection is queued to be indexed from the beginning.'),
  })
  .meta({ id: 'CollectionRemoval', description: 'A collection that was removed.' })
export type RemovalReport = z.infer<typeof removalSchema>

const word = (description: string) => z.enum(flagValues).nullish().describe(description)

export const flagSchema = z
  .object({
    spam: word('possible_spam of the collection; auto: by lists and rules. Omitted: unchanged.'),
    verified: word('verified_collection; auto: by lists. Omitted: unchanged.'),
  })
  .meta({ id: 'CollectionFlag', description: "The operator's override.", examples: [{ spam: 'yes' }] })
