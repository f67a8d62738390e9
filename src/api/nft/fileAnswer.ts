import { z } from 'zod'
import { type FileFormat, fileFormats, type MadeFile } from '../../nft/fileQuery.ts'
import type { Answer } from '../http/answer.ts'
import { choice } from '../http/parameters.ts'
import type { Exchange } from '../http/route.ts'
import { filePart } from './filePart.ts'
import { indexHeaderSchema } from './schemas.ts'

const contentTypes: Record<FileFormat, string> = {
  csv: 'text/csv; charset=utf-8',
  ndjson: 'application/x-ndjson; charset=utf-8',
  parquet: 'application/vnd.apache.parquet',
}

/** Content types of files, for `/openapi.json`. */
export const fileContentTypes = ['text/csv', 'application/x-ndjson', 'application/vnd.apache.parquet']

export function formatParameter() {
  return choice({
    description: 'csv: a head and a line for each row. ndjson: a JSON object on each line. parquet: typed columns.',
    values: fileFormats,
    default: 'csv',
  })
}

/** A header of a file that its 304 does not have. */
export const fileHeader = (description: string) => z.string().optional().describe(description)

/** Headers of each file, besides those of its collection. */
export const fileHeaderSchema = indexHeaderSchema.extend({
  'content-disposition': fileHeader('The name under which browsers save the file.'),
})

/** Headers of a file and of its 304. The body is sent unchanged, and `content-length` is its length. */
export function fileValidators(etag: string): string[] {
  return ['etag', etag, 'cache-control', 'private, no-cache']
}

/**
 * The answer with a file, or with the part in the Range header. `name`: without extension; `headers`: those besides its
 * `validators`.
 */
export function fileAnswer(
  file: MadeFile<object>,
  options: {
    name: string
    format: FileFormat
    validators: readonly string[]
    headers: readonly string[]
    exchange: Exchange
  },
): Answer {
  const { name, format, validators, headers, exchange } = options
  const part = filePart(file, { etag: validators[1]!, exchange })
  const { from, to } = part ?? { from: 0, to: file.bytes }
  const own = [
    ...['content-type', contentTypes[format], 'content-length', String(to - from), 'accept-ranges', 'bytes'],
    ...['content-disposition', `attachment; filename="${name}.${format}"`],
    ...(part ? ['content-range', `bytes ${from}-${to - 1}/${file.bytes}`] : []),
  ]
  const stream = { open: () => file.open({ from, to }), discard: file.discard }
  return { status: part ? 206 : 200, headers: [...own, ...validators, ...headers], body: null, stream }
}
