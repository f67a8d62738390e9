import { readFile } from 'node:fs/promises'
import { BadRequestError } from '../../util/errors.ts'
import type { Address } from '../../util/hex.ts'

/** Most addresses per file. */
const mostAddresses = 100_000

/**
 * Unique addresses of a file, one per line or in the first column of a CSV. Skips empty lines, lines that begin with #,
 * and a CSV header. Throws BadRequestError with the first invalid line.
 */
export async function readAddresses(path: string): Promise<Address[]> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new BadRequestError(`${path} cannot be read: ${error.code ?? error.message}`, { cause: error })
  })
  const found = new Set<Address>()
  for (const [i, line] of text.split(/\r?\n/).entries()) {
    const [first = ''] = line.split(/[,;\t]/)
    const field = first.trim().replace(/^"(.*)"$/, '$1')
    if (field === '' || field.startsWith('#')) continue
    if (/^0x[0-9a-f]{40}$/i.test(field)) found.add(field.toLowerCase() as Address)
    else if (i > 0)
      throw new BadRequestError(
        `line ${i + 1} of ${path} is not an address; allowed: 0x and 40 hex digits, one per line`,
      )
  }
  if (found.size === 0) throw new BadRequestError(`${path} has no address; allowed: 0x and 40 hex digits, one per line`)
  if (found.size > mostAddresses)
    throw new BadRequestError(`${path} has ${found.size} addresses; allowed: at most ${mostAddresses}`)
  return [...found]
}
