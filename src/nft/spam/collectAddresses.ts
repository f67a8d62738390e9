import type { NamedChain } from '../../sync/chainNames.ts'
import type { Address } from '../../util/hex.ts'

/** A contract of a list. `chainId` null: on any chain. */
export type ListedAddress = { chainId: bigint | null; address: Address }

/** null: none was given. undefined: it is unknown, so the entry must not apply to every chain. */
type ListedChain = bigint | null | undefined

/** The chains of this server, whose names a list may contain. */
export type ListChains = readonly Pick<NamedChain, 'id' | 'names'>[]

export type ListWriter = {
  chains: ListChains
  add(entry: ListedAddress): void
  /** Counts a row without an address, an invalid address, or an unknown chain. */
  reject(): void
}

/** Deeper entries are ignored; known lists are less nested. */
const maxNesting = 8

/**
 * Passes every entry of a decoded JSON or YAML list to `writer`: texts (`0x…`, `1/0x…/31`, `eip155:1:0x…`), objects with an `address`, and objects
 * whose keys are addresses or chains. A `chainId` of an object applies to all its entries; undefined: of an unknown chain.
 */
export function collectAddresses(value: unknown, chainId: ListedChain, writer: ListWriter, nesting = 0): void {
  if (nesting > maxNesting) return
  if (typeof value === 'string') addText(value, chainId, writer)
  else if (Array.isArray(value)) for (const item of value) collectAddresses(item, chainId, writer, nesting + 1)
  else if (typeof value === 'object' && value !== null) collectObject(value, chainId, writer, nesting)
}

function collectObject(object: object, outer: ListedChain, writer: ListWriter, nesting: number): void {
  const fields = fieldsOf(object)
  const chainId = chainIn(fields, outer, writer)
  const address = addressKeys.map((key) => fields.get(key)).find((field) => typeof field === 'string')
  if (typeof address === 'string') {
    addText(address, chainId, writer)
    return
  }
  for (const [key, value] of Object.entries(object)) {
    const keyed = parseEntry(key)
    const isObject = typeof value === 'object' && value !== null
    // Texts and numbers are fields of a token list itself (name, logoURI, timestamp); entries are in lists and objects.
    if (keyed && value !== false)
      addEntry(keyed, isObject ? chainIn(fieldsOf(value), chainId, writer) : chainId, writer)
    else if (isObject) collectAddresses(value, chainOf(key, writer.chains) ?? chainId, writer, nesting + 1)
  }
}

/** The fields of an object, by names in lower case without underscores. */
function fieldsOf(object: object): Map<string, unknown> {
  return new Map(Object.entries(object).map(([key, value]) => [key.toLowerCase().replaceAll('_', ''), value]))
}

/** The chain of an object with these fields, else `outer`. */
function chainIn(fields: ReadonlyMap<string, unknown>, outer: ListedChain, { chains }: ListWriter): ListedChain {
  const own = chainOf(fields.get('chainid') ?? fields.get('chain'), chains)
  return own === null ? outer : own
}

export const addressKeys = ['address', 'contractaddress', 'tokenaddress', 'contract']

function addText(text: string, chainId: ListedChain, writer: ListWriter): void {
  const entry = parseEntry(text)
  if (entry) addEntry(entry, chainId, writer)
  else if (/0x/i.test(text)) writer.reject()
}

function addEntry(entry: ListedAddress, outer: ListedChain, writer: ListWriter): void {
  const chainId = entry.chainId ?? outer
  if (chainId === undefined) writer.reject()
  else writer.add({ address: entry.address, chainId })
}

/** `0x…`, `1/0x…`, `1/0x…/31` with a score, `eip155:1:0x…` (CAIP-10), `1:0x…`. Undefined for anything else. */
export function parseEntry(text: string): ListedAddress | undefined {
  const [, chain, address] = entryText.exec(text.trim()) ?? []
  if (!address) return undefined
  return { chainId: chain ? BigInt(chain) : null, address: address.toLowerCase() as Address }
}

const entryText = /^(?:(?:eip155:)?(\d{1,20}|0x[\da-f]{1,16})[/:])?(0x[\da-f]{40})(?:[/:]\d{1,9}(?:\.\d{1,9})?)?$/i

/** The chain of an entry: an id as number, digits or 0x hex, or a name of one of `chains`. Any other value is unknown. */
export function chainOf(value: unknown, chains: ListChains): ListedChain {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value > 0 ? BigInt(value) : undefined
  if (value == null) return null
  if (typeof value !== 'string') return undefined
  if (value.trim() === '') return null
  const text = value.trim().toLowerCase()
  if (/^(?:\d{1,20}|0x[\da-f]{1,16})$/.test(text)) return BigInt(text)
  return chains.find(({ names }) => names.includes(text))?.id
}
