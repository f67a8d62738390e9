import { z } from 'zod'
import { type FileFormat, fileFormats, type MadeFile } from '../../nft/fileQuery.ts'
import type { Answer } from '../http/answer.ts'
import { choice } from '../http/parameters.ts'
import { indexHeaderSchema } from './schemas.ts'

const contentTypes: Record<FileFormat, string> = {
  csv: 'text/csv; charset=utf-8',
  ndjson: 'application/x-ndjson; charset=utf-8',
}

/** What `/openapi.json` says of the types of files. */
export const fileContentTypes = ['text/csv', 'application/x-ndjson']

export function formatParameter() {
  return choice({
    description: 'csv: a head and a line for each row. ndjson: a JSON object on each line.',
    values: fileFormats,
    default: 'csv',
  })
}

/** A header of a file, which its 304 lacks. */
export const fileHeader = (description: string) => z.string().optional().describe(description)

/** Headers of each file, beside those of its collection. */
export const fileHeaderSchema = indexHeaderSchema.extend({
  etag: z.string().describe('Version of the file. Send it back as If-None-Match.'),
  'content-disposition': fileHeader('The name under which browsers save the file.'),
})

/** Headers that stand with a file and with the 304 for it. The body is sent as it is, as `content-length` tells its length beforehand. */
export function fileValidators(etag: string): string[] {
  return ['etag', etag, 'cache-control', 'private, no-cache']
}

/** The answer that sends a file. `name`: without its ending. */
export function fileAnswer(
  file: MadeFile<object>,
  { name, format, headers }: { name: string; format: FileFormat; headers: readonly string[] },
): Answer {
  const own = [
    'content-type',
    contentTypes[format],
    'content-length',
    String(file.bytes),
    'content-disposition',
    `attachment; filename="${name}.${format}"`,
  ]
  return { status: 200, headers: [...own, ...headers], body: null, stream: file }
}
