import { jsonNesting } from '../../../util/jsonNesting.ts'

/**
 * The JSON of an answer; undefined if it is none, which is an answer too: the caller judges it by its status. `too_nested`: nested so
 * deep, or of so many arrays and objects, that parsing it would hold up everything else.
 */
export type ParsedJson = { json: unknown } | 'too_nested'

/** An answer has this many bytes at least for each array and object; a log has 300. Without the bound 4 MB take a second to parse. */
const bytesPerContainer = 24
const anyContainers = 10_000

/** `nesting`: most arrays and objects within one another. */
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

/** Parses an answer in another thread; undefined: it is to be parsed here. Rejects with a ThreadError, or with the signal's reason. */
export type ParseElsewhere = (
  bytes: Buffer,
  nesting: number,
  signal: AbortSignal | undefined,
) => Promise<ParsedJson> | undefined
