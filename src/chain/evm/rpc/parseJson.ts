import { jsonNesting } from '../../../util/jsonNesting.ts'

/**
 * The JSON of a response; undefined if it is not JSON, which the caller judges by the status. `too_nested`: nested so deep, or of so many arrays and
 * objects, that parsing it would block everything else.
 */
export type ParsedJson = { json: unknown } | 'too_nested'

/** A response has at least this many bytes per array and object; a log has 300. Without the limit 4 MB take a second to parse. */
const bytesPerContainer = 24
const anyContainers = 10_000

/** `nesting`: most nested arrays and objects. */
export function parseJson(bytes: Buffer, nesting: number): ParsedJson {
  const text = bytes.toString('utf8')
  const containers = anyContainers + text.length / bytesPerContainer
  if (jsonNesting(text, nesting, containers).beyondAt !== undefined) return 'too_nested'
  try {
    return { json: JSON.parse(text) }
  } catch {
    return { json: undefined }
  }
}

/** Parses a response in another thread; undefined: parse it here. Rejects with a ThreadError, or with the signal's reason. */
export type ParseElsewhere = (
  bytes: Buffer,
  nesting: number,
  signal: AbortSignal | undefined,
) => Promise<ParsedJson> | undefined
