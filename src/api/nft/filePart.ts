import { RangeNotSatisfiableError } from '../http/errors.ts'
import type { Exchange } from '../http/route.ts'

/**
 * The part of a file in the Range header, from `from` to before `to`. undefined: the whole file, also for several
 * ranges, for an invalid one, which a server must ignore (RFC 9110, section 14.1.1 and 14.2), or if If-Range does not
 * match the file. Throws RangeNotSatisfiableError.
 */
export function filePart(
  file: { bytes: number; discard(): void },
  { etag, exchange }: { etag: string; exchange: Exchange },
): { from: number; to: number } | undefined {
  const ifRange = exchange.header('if-range')
  const [, first, last] = /^bytes=(\d*)-(\d*)$/i.exec(exchange.header('range')?.trim() ?? '') ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined
  if (ifRange !== undefined && ifRange !== etag) return undefined
  const { bytes } = file
  const from = first === '' ? Math.max(0, bytes - Number(last)) : Number(first)
  const to = first === '' || last === '' ? bytes : Math.min(bytes, Number(last) + 1)
  if (from < to) return { from, to }
  file.discard()
  throw new RangeNotSatisfiableError(bytes)
}
