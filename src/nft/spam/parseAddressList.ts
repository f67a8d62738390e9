import { parse as parseCsv } from 'csv-parse/sync'
import { parse as parseYaml } from 'yaml'
import { describeError, MintmarkError } from '../../util/errors.ts'
import { unpackGzip } from '../../util/files/unpackGzip.ts'
import {
  addressKeys,
  chainOf,
  collectAddresses,
  type ListChains,
  type ListedAddress,
  type ListWriter,
  parseEntry,
} from './collectAddresses.ts'

export type AddressList = {
  /** Each address once per chain, in order of appearance. */
  entries: ListedAddress[]
  /** Number of rows without an address, of invalid addresses, and of unknown chains. */
  rejected: number
}

/** Longest list, in bytes, also decompressed. The largest public list of 2025 has 4 MB. */
const maxListBytes = 64 * 1_048_576

/**
 * Reads a list of spam contracts or of verified ones: YAML or plain `chainId/address/score` lines, token lists
 * (`{tokens: [{chainId, address}]}`), JSON arrays or objects of addresses, CSV with or without a header, one address a line; each also as
 * gzip. Chains are ids, decimal or 0x hex, or names of `chains`. `name`: file name or URL of the list, whose extension decides the format; else the
 * content does. Reads about 5 MB of YAML a second.
 *
 * @throws AddressListError when nothing can be read from it
 */
export async function parseAddressList(source: Uint8Array, name: string, chains: ListChains): Promise<AddressList> {
  const unpacked = await unpackGzip(source, maxListBytes)
  if ('fault' in unpacked) throw new AddressListError(`The list cannot be decompressed: ${unpacked.fault}`)
  const found = new Map<string, ListedAddress>()
  let rejected = 0
  const writer: ListWriter = {
    chains,
    add: (entry) => found.set(`${entry.chainId}/${entry.address}`, entry),
    reject: () => rejected++,
  }
  const text = new TextDecoder().decode(unpacked.bytes)
  try {
    read(text, name, writer)
  } catch (cause) {
    throw new AddressListError(`The list cannot be read: ${describeError(cause).slice(0, 300)}`, { cause })
  }
  if (found.size === 0 && !isEmptied(text))
    throw new AddressListError('The list holds no address', { details: { rejected } })
  return { entries: [...found.values()], rejected }
}

/** An empty JSON list, or only comments: somebody removed the last contract. A file without any content is more likely a failed write. */
function isEmptied(text: string): boolean {
  const lines = text.split('\n').map((line) => line.trim())
  return lines.join('') === '[]' || (text.includes('#') && lines.every((line) => line === '' || line.startsWith('#')))
}

function read(text: string, name: string, writer: ListWriter): void {
  const format = formatOf(text, name)
  if (format === 'json') collectAddresses(JSON.parse(text), null, writer)
  // With the failsafe schema all scalars stay texts; an unquoted 0x… would otherwise become a number and lose digits.
  else if (format === 'yaml') collectAddresses(parseYaml(text, { schema: 'failsafe' }), null, writer)
  else readRows(parseCsv(text, csvOptions), writer)
}

/**
 * Passes every entry of a CSV or of a plain text to `writer`. A header specifies the columns. Without one, any column may contain the address,
 * preceded by its chain if that column is one.
 */
function readRows(rows: string[][], writer: ListWriter): void {
  const [first = []] = rows
  const header = first.map((cell) => cell.toLowerCase().replaceAll(/[_\s]/g, ''))
  const column = header.findIndex((cell) => addressKeys.includes(cell))
  const chainColumn = header.findIndex((cell) => cell === 'chainid' || cell === 'chain')
  for (const row of column < 0 ? rows : rows.slice(1)) {
    const at = column < 0 ? row.findIndex((cell) => parseEntry(cell)) : column
    const entry = parseEntry(row[at] ?? '')
    // Without a header, the column before an address may be anything else.
    const named = chainOf(row[column < 0 ? at - 1 : chainColumn], writer.chains)
    const chainId = entry?.chainId ?? (column < 0 ? (named ?? null) : named)
    if (entry && chainId !== undefined) writer.add({ ...entry, chainId })
    else writer.reject()
  }
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

function formatOf(text: string, name: string): 'json' | 'yaml' | 'rows' {
  const ending = /\.(json|ya?ml|csv|tsv|txt)(?:\.gz)?$/i.exec(name.split(/[?#]/, 1)[0]!)?.[1]?.toLowerCase()
  if (ending === 'json') return 'json'
  if (ending === 'yaml' || ending === 'yml') return 'yaml'
  if (ending) return 'rows'
  if (/^\s*[[{]/.test(text)) return 'json'
  return /^(?:---|- |[\w-]+:\s*$)/m.test(text.slice(0, 2000)) ? 'yaml' : 'rows'
}

/** An unusable list: too large, malformed, or without any address although it has content. */
export class AddressListError extends MintmarkError {
  readonly code = 'ADDRESS_LIST'
}
