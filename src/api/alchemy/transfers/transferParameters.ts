import { z } from 'zod'
import type { OriginQuery } from '../../../nft/originQuery.ts'
import type { TransferOrder, TransferRange } from '../../../nft/transferQuery.ts'
import { allowing, orList } from '../../../util/allowed.ts'
import { highestBlock } from '../../../util/extremes.ts'
import { quantity } from '../../../util/hex.ts'
import { fault } from '../../http/parseQuery.ts'
import { validateBody } from '../../http/validate.ts'
import { contractAddress, mostContracts, ownerParameter } from '../parameters.ts'

/** Kinds of NFT transfers. Those of `specialnft` (CryptoKitties and similar contracts) are served as `erc721`. */
const served = ['erc721', 'erc1155', 'specialnft'] as const
const others = ['external', 'internal', 'erc20', 'native'] as const

/** Most transfers per answer. */
const mostTransfers = 1_000

const tags = ['earliest', 'latest', 'pending', 'safe', 'finalized', 'indexed'] as const

/** An optional field. `parse` returns undefined for invalid values. */
function field<T>(allowed: string, parse: (value: unknown) => T | undefined) {
  return z
    .unknown()
    .optional()
    .transform((value, context): T | null => {
      if (value === undefined || value === null) return null
      const found = parse(value)
      if (found !== undefined) return found
      const text = (JSON.stringify(value) ?? '').slice(0, 80)
      context.issues.push({ code: 'custom', input: value, message: `is ${text}; allowed: ${allowed}` })
      return z.NEVER
    })
}

function numberOf(value: unknown, most: number): number | undefined {
  const number = typeof value === 'string' && /^0x[0-9a-f]{1,13}$/i.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 && number <= most
    ? number
    : undefined
}

const hex = (number: number) => `0x${number.toString(16)}`

type Block = number | (typeof tags)[number]

const block = field<Block>(
  `the number of a block as hex text from 0x0 to ${hex(highestBlock)}, or ${tags.join(', ')}`,
  (value) =>
    (typeof value === 'string' ? tags.find((tag) => tag === value.toLowerCase()) : undefined) ??
    numberOf(value, highestBlock),
)

const addressAllowed = 'an address: 0x and 40 hex digits; this server does not resolve ENS names'

const schema = z.object({
  fromBlock: block,
  toBlock: block,
  fromAddress: allowing(addressAllowed, ownerParameter()).nullish(),
  toAddress: allowing(addressAllowed, ownerParameter()).nullish(),
  contractAddresses: allowing(
    `a list of at most ${mostContracts} addresses`,
    z.array(contractAddress()).max(mostContracts, `has too many; allowed: at most ${mostContracts} addresses`),
  ).nullish(),
  category: allowing(`a list of ${orList(served)}`, z.array(z.enum([...served, ...others])).min(1)),
  excludeZeroValue: z.boolean().nullish(),
  maxCount: field(
    `a hex text from 0x1 to ${hex(mostTransfers)}`,
    (value) => numberOf(value, mostTransfers) || undefined,
  ),
  order: allowing(
    'asc or desc',
    z.preprocess((value) => (typeof value === 'string' ? value.toLowerCase() : value), z.enum(['asc', 'desc'])),
  ).nullish(),
  withMetadata: z.boolean().nullish(),
  pageKey: z.string().nullish(),
})

export type TransferParameters = ReturnType<typeof readParameters>

/** The parameters of `alchemy_getAssetTransfers`. Throws BadRequestError. */
export function readParameters(params: unknown) {
  const [given] = Array.isArray(params) ? params : [params]
  const requested = validateBody(schema, given ?? {}) as z.output<typeof schema>
  const foreign = requested.category.find((name) => !served.includes(name as (typeof served)[number]))
  if (foreign !== undefined)
    throw fault('category', `is ${foreign}, and this server serves NFTs alone; allowed: ${served.join(', ')}`)
  const { fromBlock, toBlock, fromAddress, toAddress, contractAddresses, category } = requested
  return {
    fromBlock: fromBlock ?? 'earliest',
    toBlock: toBlock ?? 'latest',
    from: fromAddress ?? null,
    to: toAddress ?? null,
    contracts: contractAddresses && contractAddresses.length > 0 ? [...new Set(contractAddresses)].toSorted() : null,
    standards: { ERC721: category.includes('erc721'), ERC1155: category.includes('erc1155') },
    excludeZeroValue: requested.excludeZeroValue ?? true,
    limit: requested.maxCount ?? mostTransfers,
    order: (requested.order ?? 'asc').toUpperCase() as TransferOrder,
    withMetadata: requested.withMetadata ?? false,
    pageKey: requested.pageKey ?? undefined,
  }
}

/** The blocks that are requested, by number or tag. Throws BadRequestError. */
export async function readBlockRange(
  { fromBlock, toBlock }: Pick<TransferParameters, 'fromBlock' | 'toBlock'>,
  { origins, chainId }: { origins: OriginQuery; chainId: bigint },
): Promise<TransferRange> {
  const isOpen = toBlock === 'latest' || toBlock === 'pending' || toBlock === 'indexed'
  const isOfChain = (block: Block) => typeof block === 'string' && block !== 'earliest'
  const needsChain = isOfChain(fromBlock) || (!isOpen && isOfChain(toBlock))
  const { head, finalized } = needsChain ? await origins.blocks(chainId) : { head: null, finalized: null }
  const numberOf = (block: Block, unknown: bigint | null): bigint | null => {
    if (typeof block === 'number') return BigInt(block)
    if (block === 'earliest') return 0n
    return (block === 'safe' || block === 'finalized' ? finalized : head) ?? unknown
  }
  const from = numberOf(fromBlock, BigInt(highestBlock))
  const to = isOpen ? null : numberOf(toBlock, null)
  if (from !== null && to !== null && from > to)
    throw fault('fromBlock', `is ${quantity(from)}, above toBlock; allowed: a block up to ${quantity(to)}`)
  return { from, to }
}
