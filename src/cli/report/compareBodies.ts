/** How often a field was equal in two answers, with an example of a difference. */
export type FieldComparison = {
  same: number
  different: number
  onlyHere: number
  onlyThere: number
  example: { here: unknown; there: unknown } | null
}

/** Comparisons by field name; [] represents list items. */
export type Comparison = Map<string, FieldComparison>

/** Fields that identify a list item, so that lists in different orders can be compared. */
const identities = [
  ['contractAddress', 'tokenId'],
  ['token_address', 'token_id'],
  ['ownerAddress'],
  ['owner_of'],
  ['uniqueId'],
  ['address'],
  ['tokenId'],
  ['token_id'],
]

/** Compares two JSON values field by field, and adds the results. */
export function compareBodies(
  { here, there }: { here: unknown; there: unknown },
  found: Comparison,
  path = '',
): Comparison {
  if (Array.isArray(here) && Array.isArray(there)) {
    for (const item of pairs(here, there)) compareBodies(item, found, `${path}[]`)
    note(found, `${path}[] (number of items)`, { here: here.length, there: there.length })
  } else if (isObject(here) && isObject(there))
    for (const name of new Set([...Object.keys(here), ...Object.keys(there)]))
      compareBodies({ here: here[name], there: there[name] }, found, path === '' ? name : `${path}.${name}`)
  else note(found, path, { here, there })
  return found
}

function note(found: Comparison, path: string, { here, there }: { here: unknown; there: unknown }): void {
  const field = found.get(path) ?? { same: 0, different: 0, onlyHere: 0, onlyThere: 0, example: null }
  const [isHere, isThere] = [isSomething(here), isSomething(there)]
  if (isHere && !isThere) field.onlyHere++
  else if (isThere && !isHere) field.onlyThere++
  else if (isHere && !isSame(here, there)) field.different++
  else field.same++
  if (!(isHere === isThere && (!isHere || isSame(here, there)))) field.example ??= { here, there }
  found.set(path, field)
}

/** Missing, null and empty are equivalent. */
const isSomething = (value: unknown) => value !== undefined && value !== null && value !== ''

/** Addresses and hashes are compared case-insensitively. */
function isSame(here: unknown, there: unknown): boolean {
  if (typeof here !== 'string' || typeof there !== 'string') return JSON.stringify(here) === JSON.stringify(there)
  return here === there || (/^0x[0-9a-fA-F]+$/.test(here) && here.toLowerCase() === there.toLowerCase())
}

/** Pairs items of two lists by identity, else by position. Unmatched items are omitted. */
function pairs(here: readonly unknown[], there: readonly unknown[]): { here: unknown; there: unknown }[] {
  const names = [...here, ...there].map(identityOf)
  if (names.some((name) => name === undefined))
    return Array.from({ length: Math.min(here.length, there.length) }, (_, i) => ({ here: here[i], there: there[i] }))
  const others = new Map(there.map((item) => [identityOf(item), item]))
  return here.flatMap((item) => {
    const name = identityOf(item)
    return others.has(name) ? [{ here: item, there: others.get(name) }] : []
  })
}

function identityOf(item: unknown): string | undefined {
  if (typeof item === 'string') return item.toLowerCase()
  if (!isObject(item)) return undefined
  const { contract } = item
  const whole = isObject(contract) ? { contractAddress: contract.address, ...item } : item
  const members = identities.find((names) => names.every((name) => typeof whole[name] === 'string'))
  return members?.map((name) => String(whole[name]).toLowerCase()).join(' ')
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
