import { gunzipSync } from 'node:zlib'
import { parse as parseCsv } from 'csv-parse/sync'
import { parse as parseYaml } from 'yaml'
import { describeError, MintmarkError } from '../../util/errors.ts'
import { collectAddresses, type ListedAddress, type ListWriter } from './collectAddresses.ts'
import { readAddressRows } from './readAddressRows.ts'

export type AddressListHint = {
  /** File name or URL of the list, whose extension decides the format; else the content does. */
  name?: string
  /** Default chain of entries. */
  chainId?: bigint
}

export type AddressList = {
  /** Each address once per chain, with its highest score, in order of appearance. */
  entries: ListedAddress[]
  /** Number of rows without an address, and of invalid addresses. */
  rejected: number
}

/** Longest list, decompressed. The largest public list of 2025 has 4 MB. */
const maxListBytes = 64 * 1_048_576

/**
 * Reads a list of spam contracts or of verified ones: YAML or plain `chainId/address/score` lines, token lists
 * (`{tokens: [{chainId, address}]}`), JSON arrays or objects of addresses, CSV with or without a header, one address a line; each also as
 * gzip. Chain ids are decimal or 0x hex. Works synchronously, at about 5 MB of YAML a second.
 *
 * @throws AddressListError when nothing can be read from it
 */
export function parseAddressList(source: string | Uint8Array, hint: AddressListHint = {}): AddressList {
  const text = toText(source)
  const found = new Map<string, ListedAddress>()
  let rejected = 0
  const writer: ListWriter = {
    add(entry) {
      const key = `${entry.chainId}/${entry.address}`
      const known = found.get(key)
      if (!known || (entry.score ?? -1) > (known.score ?? -1)) found.set(key, entry)
    },
    reject: () => rejected++,
  }
  try {
    read(text, hint, writer)
  } catch (cause) {
    throw new AddressListError(`The list cannot be read: ${describeError(cause).slice(0, 300)}`, { cause })
  }
  if (found.size === 0) throw new AddressListError('The list holds no address', { details: { rejected } })
  return { entries: [...found.values()], rejected }
}

function read(text: string, hint: AddressListHint, writer: ListWriter): void {
  const chainId = hint.chainId ?? null
  const format = formatOf(text, hint.name)
  if (format === 'json') collectAddresses(JSON.parse(text), chainId, writer)
  // With the failsafe schema all scalars stay texts; an unquoted 0x… would otherwise become a number and lose digits.
  else if (format === 'yaml') collectAddresses(parseYaml(text, { schema: 'failsafe' }), chainId, writer)
  else readAddressRows(parseCsv(text, csvOptions), chainId, writer)
}

const csvOptions = {
  bom: true,
  comment: '#',
  comment_no_infix: true,
  delimiter: [',', ';', '\t'],
  relax_column_count: true,
  relax_quotes: true,
  skip_empty_lines: true,
  trim: true,
}

function formatOf(text: string, name = ''): 'json' | 'yaml' | 'rows' {
  const ending = /\.(json|ya?ml|csv|tsv|txt)(?:\.gz)?$/i.exec(name.split(/[?#]/, 1)[0]!)?.[1]?.toLowerCase()
  if (ending === 'json') return 'json'
  if (ending === 'yaml' || ending === 'yml') return 'yaml'
  if (ending) return 'rows'
  if (/^\s*[[{]/.test(text)) return 'json'
  return /^(?:---|- |[\w-]+:\s*$)/m.test(text.slice(0, 2000)) ? 'yaml' : 'rows'
}

function toText(source: string | Uint8Array): string {
  if (typeof source === 'string') return withinBounds(source)
  const zipped = source[0] === 0x1f && source[1] === 0x8b
  try {
    return withinBounds(
      new TextDecoder().decode(zipped ? gunzipSync(source, { maxOutputLength: maxListBytes }) : source),
    )
  } catch (cause) {
    if (cause instanceof AddressListError) throw cause
    throw new AddressListError(`The list cannot be decompressed: ${describeError(cause)}`, { cause })
  }
}

function withinBounds(text: string): string {
  if (text.length <= maxListBytes) return text.replace(/^\ufeff/, '')
  throw new AddressListError(`The list has ${text.length} characters, at most ${maxListBytes} are read`)
}

/** An unusable list: too large, malformed, or without any address. */
export class AddressListError extends MintmarkError {
  readonly code = 'ADDRESS_LIST'
}
