import type { Address } from '../../util/hex.ts'

/** A contract of a list. `chainId` null: on any chain. */
export type ListedAddress = { chainId: bigint | null; address: Address }

export type ListWriter = {
  add(entry: ListedAddress): void
  /** Counts a row without an address, or an invalid address. */
  reject(): void
}

/** Deeper entries are ignored; known lists are less nested. */
const maxNesting = 8

/**
 * Passes every entry of a decoded JSON or YAML list to `writer`: texts (`0x…`, `1/0x…/31`, `eip155:1:0x…`), objects with an `address`, and objects
 * whose keys are addresses or chain ids. A `chainId` of an object applies to all its entries.
 */
export function collectAddresses(value: unknown, chainId: bigint | null, writer: ListWriter, nesting = 0): void {
  if (nesting > maxNesting) return
  if (typeof value === 'string') addText(value, chainId, writer)
  else if (Array.isArray(value)) for (const item of value) collectAddresses(item, chainId, writer, nesting + 1)
  else if (typeof value === 'object' && value !== null) collectObject(value, chainId, writer, nesting)
}

function collectObject(object: object, outer: bigint | null, writer: ListWriter, nesting: number): void {
  const entries = Object.entries(object)
  const fields = new Map(entries.map(([key, value]) => [key.toLowerCase().replaceAll('_', ''), value]))
  const chainId = toChainId(fields.get('chainid') ?? fields.get('chain')) ?? outer
  const address = addressKeys.map((key) => fields.get(key)).find((field) => typeof field === 'string')
  if (typeof address === 'string') {
    addText(address, chainId, writer)
    return
  }
  for (const [key, value] of entries) {
    const keyed = parseEntry(key)
    // Texts and numbers are fields of a token list itself (name, logoURI, timestamp); entries are in lists and objects.
    if (keyed && value !== false) writer.add({ ...keyed, chainId: keyed.chainId ?? chainId })
    else if (typeof value === 'object' && value !== null)
      collectAddresses(value, toChainId(key) ?? chainId, writer, nesting + 1)
  }
}

export const addressKeys = ['address', 'contractaddress', 'tokenaddress', 'contract']

function addText(text: string, chainId: bigint | null, writer: ListWriter): void {
  const entry = parseEntry(text)
  if (entry) writer.add({ address: entry.address, chainId: entry.chainId ?? chainId })
  else if (/0x/i.test(text)) writer.reject()
}

/** `0x…`, `1/0x…`, `1/0x…/31` with a score, `eip155:1:0x…` (CAIP-10), `1:0x…`. Undefined for anything else. */
export function parseEntry(text: string): ListedAddress | undefined {
  const [, chain, address] = entryText.exec(text.trim()) ?? []
  if (!address) return undefined
  return { chainId: toChainId(chain), address: address.toLowerCase() as Address }
}

const entryText = /^(?:(?:eip155:)?(\d{1,20}|0x[\da-f]{1,16})[/:])?(0x[\da-f]{40})(?:[/:]\d{1,9}(?:\.\d{1,9})?)?$/i

/** A chain id as number, digits or 0x hex; null for anything else. */
export function toChainId(value: unknown): bigint | null {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value > 0 ? BigInt(value) : null
  return typeof value === 'string' && /^(?:\d{1,20}|0x[\da-f]{1,16})$/i.test(value) ? BigInt(value) : null
}
