import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { BadRequestError, NotFoundError } from '../../util/errors.ts'
import type { Address, Hex } from '../../util/hex.ts'
import { fileFormats } from '../fileQuery.ts'

const hash = z.string().regex(/^0x[0-9a-f]{64}$/) as unknown as z.ZodType<Hex>

const snapshotFacts = z.object({
  chain: z.string(),
  chainId: z.string().regex(/^\d{1,19}$/),
  contract: z.string().regex(/^0x[0-9a-f]{40}$/) as unknown as z.ZodType<Address>,
  /** `both`: it may have tokens of both standards. */
  standard: z.enum(['ERC721', 'ERC1155', 'both']).nullable(),
  block: z.string().regex(/^\d{1,19}$/),
  blockHash: hash,
  root: hash.nullable(),
  holders: z.int().min(0),
  format: z.enum(fileFormats),
})

/**
 * Facts of a file of holders, in a file of the same name with `.json` appended, so that the file itself is a plain
 * table.
 */
export type WrittenSnapshot = z.output<typeof snapshotFacts>

export const factsPath = (path: string) => `${path}.json`

/**
 * Reads the facts beside a file of holders. Throws NotFoundError if they are missing, BadRequestError if they are
 * invalid.
 */
export async function readSnapshotFacts(path: string): Promise<WrittenSnapshot> {
  const beside = factsPath(path)
  const text = await readFile(beside, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    throw new NotFoundError(
      `${beside} is missing, which has the chain, the contract and the block of ${path}: "mintmark snapshot" writes both files; a response has its content in the header x-snapshot-facts`,
    )
  })
  try {
    return snapshotFacts.parse(JSON.parse(text))
  } catch (cause) {
    throw new BadRequestError(`${beside} does not contain valid facts of a snapshot`, { cause })
  }
}
