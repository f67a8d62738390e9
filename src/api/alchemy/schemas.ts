import { z } from 'zod'
import { allowing } from '../../util/allowed.ts'

const text = z.string().nullable()
const address = z.string().regex(/^0x[0-9a-f]{40}$/)
const time = z.iso.datetime().nullable()
const blockNumber = z.int().min(0).nullable()
const digits = z.string().regex(/^\d+$/)

const blockTimestamp = time.describe('Time of the block.')

/** A contract; unlisted fields are OpenSea's. */
const contractSchema = z
  .object({
    address: address.describe('The contract.'),
    name: text.describe('Name of the contract.'),
    symbol: text.describe('Symbol of the contract.'),
    totalSupply: text.describe('Tokens in existence; null for ERC1155, and while they are not all known.'),
    tokenType: z
      .enum(['ERC721', 'ERC1155', 'NO_SUPPORTED_NFT_STANDARD', 'NOT_A_CONTRACT'])
      .nullable()
      .describe('The standard; null while it is not known.'),
    contractDeployer: address.nullable().describe('Sender of the transaction that deployed the contract.'),
    deployedBlockNumber: blockNumber.describe('Block of the deployment.'),
    openSeaMetadata: z
      .record(z.string(), text)
      .describe("OpenSea's fields, from contractURI; others are null. lastIngestedAt: when the contract was read."),
    isSpam: z.boolean().nullable().describe('Whether it counts as spam.'),
    spamClassifications: z.array(z.string()).describe('Always empty.'),
  })
  .meta({ id: 'AlchemyContract', description: "A contract in Alchemy's form." })

const imageSchema = z
  .object({
    cachedUrl: text.describe('Thumbnail of at most 500 pixels.'),
    thumbnailUrl: text.describe('Thumbnail of at most 250 pixels.'),
    pngUrl: text.describe('Always null: thumbnails are WebP.'),
    contentType: text.describe('Type of the original.'),
    size: z.int().min(0).nullable().describe('Bytes of the original.'),
    originalUrl: text.describe('URL of the original.'),
  })
  .meta({ id: 'AlchemyImage', description: 'An image; a URL is null until it exists.' })

const nftSchema = z
  .object({
    contract: contractSchema,
    tokenId: digits.describe('The token, decimal.'),
    tokenType: text.describe('Standard of the token.'),
    name: text.describe('Name in the metadata.'),
    description: text.describe('Description in the metadata.'),
    tokenUri: text.describe('Where the metadata is.'),
    image: imageSchema,
    animation: imageSchema,
    raw: z
      .object({
        tokenUri: text.describe('As the contract returns it.'),
        metadata: z.unknown().describe('The metadata; {} if there is none.'),
        error: text.describe('Why there is none.'),
      })
      .describe('As it was read.'),
    collection: z.record(z.string(), text).nullable().describe('Name of the contract, its link and its banner.'),
    mint: z
      .object({
        mintAddress: address.nullable().describe('The recipient.'),
        blockNumber: blockNumber.describe('Block of the mint.'),
        timestamp: time.describe('Time of the block.'),
        transactionHash: text.describe('The transaction.'),
      })
      .describe('The mint.'),
    owners: z.null().describe('Always null: getOwnersForNFT lists them.'),
    timeLastUpdated: time.describe('When the metadata was last read.'),
    balance: digits.optional().describe('Units that the wallet owns.'),
    acquiredAt: z
      .object({ blockTimestamp, blockNumber: blockNumber.describe('The block.') })
      .optional()
      .describe('When the wallet received the token.'),
  })
  .meta({ id: 'AlchemyNft', description: "A token in Alchemy's form." })

const baseNft = z.object({
  contractAddress: z
    .string()
    .regex(/^0x[0-9a-fA-F]{40}$/)
    .describe('The contract, as the request wrote it.'),
  tokenId: digits.describe('The token, decimal.'),
  balance: digits.optional().describe('Units that the wallet owns.'),
})

const walletContract = contractSchema.extend({
  displayNft: z.record(z.string(), text).describe('Id and name of one of the tokens.'),
  image: imageSchema,
  totalBalance: text.describe('Units that the wallet owns.'),
  numDistinctTokensOwned: digits.describe('Tokens that the wallet holds.'),
})

const ownerBalances = z.object({
  ownerAddress: address.describe('The owner.'),
  tokenBalances: z.array(z.record(z.string(), digits)).describe('tokenId and balance of each token.'),
})

const pageKey = text.optional().describe('Cursor of the next page; null on the last one.')

const listSchema = z
  .object({
    nfts: z
      .array(z.union([nftSchema, baseNft]))
      .optional()
      .describe('Tokens of a contract.'),
    ownedNfts: z
      .array(z.union([nftSchema, baseNft]))
      .optional()
      .describe('Tokens of a wallet.'),
    owners: z
      .array(z.union([address, ownerBalances]))
      .optional()
      .describe('Owners.'),
    contracts: z
      .array(z.union([contractSchema, walletContract]))
      .optional()
      .describe('Contracts.'),
    totalCount: z.int().min(0).nullable().optional().describe('Items of all pages; null: not counted.'),
    validAt: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('blockNumber, blockHash and blockTimestamp of the response.'),
    pageKey,
    isHolderOfContract: z.boolean().optional().describe('Whether the wallet holds a token.'),
    isSpamContract: z.boolean().optional().describe('Whether the contract counts as spam.'),
    contractAddresses: z.array(address).optional().describe('Contracts that count as spam.'),
    isAirdrop: z.boolean().nullable().optional().describe('Whether another address sent the mint.'),
    rarities: z
      .array(z.record(z.string(), z.unknown()))
      .optional()
      .describe('traitType, value and prevalence, from 0 to 1, of each trait of a token.'),
    summary: z
      .record(z.string(), z.record(z.string(), z.int().min(0)))
      .optional()
      .describe('How many tokens have each value of each trait; at most 20,000 values.'),
    totalSupply: text.optional().describe('Tokens in existence.'),
    contractAddress: address.optional().describe('The contract.'),
    success: z.boolean().optional().describe('Whether it is done.'),
    numTokensInvalidated: z.int().min(0).optional().describe('Tokens that are read again.'),
    reingestionState: z.string().optional().describe('State of the reading.'),
    progress: text.optional().describe('Percentage that is read.'),
    message: z.string().optional().describe('Why a report is not stored.'),
    openSea: z.unknown().optional().describe('No price, and why.'),
    looksRare: z.unknown().optional().describe('No price, and why.'),
    nftSales: z.array(z.unknown()).optional().describe('Always empty.'),
    error: z.string().optional().describe('Why it is empty.'),
  })
  .meta({ id: 'AlchemyAnswer', description: 'Each operation returns some of these fields.' })

/** Responses of operations with GET. */
export const answerSchema = z.union([listSchema, nftSchema, contractSchema])

/** Responses of operations with POST. */
export const batchSchema = z.union([listSchema, nftSchema])

const rpcId = z.union([z.string(), z.number()]).nullable()

/** Most requests of a batch, as the published client sends them. */
export const mostRequests = 100

const rpcCall = z
  .looseObject({
    method: z.unknown().optional().describe('alchemy_getAssetTransfers.'),
    params: z.unknown().optional().describe('A list with one object.'),
    id: z.unknown().optional().describe('The response contains the same id.'),
  })
  .meta({ id: 'AlchemyCall', description: 'A request of JSON-RPC 2.0.' })

/** Any object: `respond` reports its errors with its id, as JSON-RPC requires. */
export const rpcRequestSchema = allowing(
  `a JSON-RPC request or a list of 1 to ${mostRequests} requests`,
  z.union([rpcCall, z.array(z.unknown())]),
)

const transfer = z
  .object({
    blockNum: z.string().describe('The block, hex.'),
    uniqueId: z.string().describe('Unique id of the transfer.'),
    hash: z.string().describe('The transaction.'),
    from: address.describe('The sender.'),
    to: address.describe('The recipient.'),
    value: z.null().describe('Always null.'),
    erc721TokenId: text.describe('The token of ERC721, 32 bytes.'),
    erc1155Metadata: z
      .array(z.object({ tokenId: z.string().describe('The token, hex.'), value: z.string().describe('Units, hex.') }))
      .nullable()
      .describe('The tokens of ERC1155.'),
    tokenId: text.describe('As erc721TokenId.'),
    asset: text.describe('Symbol of the contract.'),
    category: z.enum(['erc721', 'erc1155']).describe('The standard.'),
    rawContract: z
      .object({
        value: z.null().describe('Always null.'),
        address: address.describe('The contract.'),
        decimal: z.null().describe('Always null.'),
      })
      .describe('The contract.'),
    metadata: z.object({ blockTimestamp }).optional().describe('With withMetadata.'),
  })
  .meta({ id: 'AlchemyTransfer', description: "A transfer in Alchemy's form." })

const rpcResponse = z
  .object({
    jsonrpc: z.literal('2.0').describe('The version.'),
    id: rpcId.describe('Id of the request.'),
    result: z
      .object({
        transfers: z.array(transfer).describe('The transfers.'),
        pageKey: text.describe('Cursor of the next page; null on the last one.'),
      })
      .optional()
      .describe('The result.'),
    error: z
      .object({
        code: z.int().min(-32_768).max(0).describe('The error.'),
        message: z.string().describe('Message of the error.'),
      })
      .optional()
      .describe('Instead of a result.'),
  })
  .meta({ id: 'AlchemyResponse', description: 'A response of JSON-RPC 2.0.' })

export const rpcResponseSchema = z.union([rpcResponse, z.array(rpcResponse)])
