import { hash } from 'node:crypto'
import { databaseEpoch } from '../../../db/epoch.ts'
import { defineByteColumns } from '../../../db/pipeline/byteColumns.ts'
import type { ByteRow } from '../../../db/pipeline/byteRows.ts'
import { larger } from '../../../util/extremes.ts'
import type { Address } from '../../../util/hex.ts'
import type { HeldTokens, OriginBlock, ShownCollection } from '../../query.ts'
import { blockOfPosition } from '../../transfers/position.ts'
import type { WholePageOptions, WholePlace, WholeState, WholeTokens } from '../../walletQuery.ts'
import { isoOf } from '../origins/originRows.ts'
import { pageColumns } from '../rows/metadataTexts.ts'
import { isErc1155At, tokenIdAt, tokensIn } from '../rows/tokenLines.ts'
import type { ShownContract } from './requestKnown.ts'
import { markOf, shownCollection } from './walletTokens.ts'
import { stateIn } from './wholeState.ts'

/** Columns of a page of tokens that decide its mark. */
const tokenNames = ['end', 'epoch', 'contracts', 'bytes', 'received', 'places', 'times', 'collections'] as const

/**
 * Columns of the row of `tokensSql`. In the order of the page, of each token: contracts: 20 bytes; bytes: `tokenBytes`; received: position of its last
 * receipt, places: of the receipt that decides its place in the walk, if its order is fixed, and times: Unix seconds of the last receipt, -1:
 * unknown, 8 bytes each. collections: a JSON list of the contracts, see `contractIn`. end: if the page reached its scan limit, position, contract and
 * hash of the last scanned token, and the position of the first. state: of the wallet at the same
 * moment (`stateText`). metadataRead: as for wallets of indexed collections; the columns of an already read page follow (`pageColumns`).
 */
export const wholeColumns = defineByteColumns([...tokenNames, 'state', 'metadataRead'])

type PageContract = {
  address: Address
  state: ShownCollection
  /** It is not a collection, also after a client requested it while it had no code: see `insertKnown`. */
  isKnown: boolean
  /** Its names were requested. */
  isNamed: boolean
  /** It has no spam verdict yet. */
  isUnassessed: boolean
}

/** A token of a page. */
export type WholeToken = {
  contract: PageContract
  hash: string
  /** Its bytes in those of the page. */
  start: number
  end: number
  receivedPosition: bigint
  /** Decides its place in the order `acquired`: the last receipt, or an earlier one if the order of the walk is fixed. */
  position: bigint
  /** Unix seconds; null: unknown, or not read. */
  receivedTime: bigint | null
}

/** Where a token is in either order. */
type Place = { address: Address; hash: string; position: bigint }

/** A page of tokens. `end`: the last scanned place if the page reached its scan limit; no token is after it. */
export type WholePage = {
  tokens: readonly WholeToken[]
  end: (Place & { first: bigint }) | null
  bytes: Buffer
  /** The wallet at the same moment; undefined: it was removed. */
  state: WholeState | undefined
  mark: string
  /** Metadata of the tokens, if it was read with them; else null. */
  metadata: ByteRow | null
}

/** Reads the row of `tokensSql`. */
export function wholePageIn(row: ByteRow, order: WholePageOptions['order']): WholePage {
  const { end, epoch, contracts, bytes, received, places, times, collections, state, metadataRead } =
    wholeColumns.read(row)
  const byDigits = new Map<string, PageContract>()
  const epochText = databaseEpoch.decode(epoch!.toString('latin1'))
  for (const listed of collections ? (JSON.parse(collections.toString()) as Listed[]) : []) {
    const contract = contractIn(listed, epochText)
    byDigits.set(contract.address.slice(2), contract)
  }
  const digits = contracts?.toString('hex') ?? ''
  const rows = bytes ?? nothing
  const found = tokensIn(rows).map(({ start, end, hash }, i): WholeToken => {
    const time = times?.readBigInt64BE(8 * i) ?? unknownTime
    return {
      contract: byDigits.get(digits.slice(addressDigits * i, addressDigits * (i + 1)))!,
      hash,
      start,
      end,
      receivedPosition: received!.readBigInt64BE(8 * i),
      position: (places ?? received)!.readBigInt64BE(8 * i),
      receivedTime: time === unknownTime ? null : time,
    }
  })
  const last = end && endIn(end.toString('latin1'))
  return {
    tokens: last ? found.filter((token) => !isBehind(token, last, order)) : found,
    end: last,
    bytes: rows,
    state: state ? stateIn(state.toString()) : undefined,
    mark: markOf(row.slice(0, tokenNames.length)),
    metadata: metadataRead?.toString() === 'true' ? row.slice(wholeColumns.names.length) : null,
  }
}

const addressDigits = 40
const unknownTime = -1n
const nothing = Buffer.alloc(0)

type Listed = [numbers: string, name: string | null, symbol: string | null]

function contractIn([numbers, name, symbol]: Listed, epoch: string): PageContract {
  const [digits, id, partition, longest, spam, verified, ...known] = numbers.split(' ')
  const [isKnown, isNamed, isUnassessed] = known.map((flag) => flag === 't') as [boolean, boolean, boolean]
  const state = shownCollection({ epoch, name, symbol, id, partition, longest, spam, verified })
  return { address: `0x${digits!}`, state, isKnown, isNamed, isUnassessed }
}

function endIn(text: string): Place & { first: bigint } {
  const [position, digits, hash, first] = text.split(' ')
  return { position: BigInt(position!), address: `0x${digits!}`, hash: hash!, first: BigInt(first!) }
}

/** Whether a token comes after `end`. Both orders are descending. */
function isBehind(token: WholeToken, end: Place, order: WholePageOptions['order']): boolean {
  const { position, hash } = token
  const { address } = token.contract
  if (order === 'acquired' && position !== end.position) return position < end.position
  return address === end.address ? hash < end.hash : address < end.address
}

/** Consecutive tokens of one contract. */
function runsOf(tokens: readonly WholeToken[]): [WholeToken, ...WholeToken[]][] {
  const runs: [WholeToken, ...WholeToken[]][] = []
  for (const token of tokens) {
    const last = runs.at(-1)
    if (last && last[0].contract === token.contract) last.push(token)
    else runs.push([token])
  }
  return runs
}

/**
 * The answer of a page that was read with one token more than `limit`. `spam`: as `spamOf`. `since`: the position that gives the walk its order, if that
 * is fixed. Returns also `known`: its contracts that are not collections, and `isDecided`: each of its contracts has a spam verdict.
 */
export function tokensOf(
  page: WholePage,
  holder: Address,
  { limit, order, acquired, spam }: Pick<WholePageOptions, 'limit' | 'order' | 'acquired'> & { spam: boolean | null },
  since: string | undefined,
): Omit<WholeTokens, 'state'> & { known: () => ShownContract[]; isDecided: boolean } {
  const { tokens, end, bytes, metadata } = page
  const shown = tokens.slice(0, limit)
  const runs = runsOf(shown)
  const isHidden = ([{ contract }]: (typeof runs)[number]) => spam === true && contract.isUnassessed
  const listed = runs.filter((run) => !isHidden(run))
  const held = listed.map((run): HeldTokens => {
    const [{ contract, start }] = run
    const { state, address } = contract
    return {
      ...{ state, address, holder },
      hashes: run.map(({ hash }) => hash),
      bytes: bytes.subarray(start, run.at(-1)!.end),
      ...(acquired && { acquired: run.map(acquiredOf) }),
    }
  })
  const placeOf = ({ address, hash, position }: Place): WholePlace => ({
    ...{ contract: address, hash },
    ...(order === 'acquired' && { received: String(position), ...(since !== undefined && { since }) }),
  })
  const lastShown = tokens.length > limit ? shown.at(-1) : undefined
  const last = lastShown ? { ...lastShown, address: lastShown.contract.address } : end
  return {
    held,
    known() {
      const tried = new Set(metadata && pageColumns.read(metadata).hashes?.toString('hex').match(/.{32}/g))
      return runs
        .filter(([{ contract }]) => contract.isKnown)
        .map((run) => shownContract(run, bytes, (hash) => !isHidden(run) && !tried.has(hash)))
        .filter(({ isNamed, tokens }) => !isNamed || tokens.length > 0)
    },
    // Times that the row did not have were read from a node.
    mark: acquired
      ? hash('sha1', `${page.mark} ${shown.map((token) => token.receivedTime).join()}`, 'base64')
      : page.mark,
    next: last && placeOf(last),
    placeOf({ address }, hash) {
      const token = shown.find((one) => one.hash === hash && one.contract.address === address)!
      return placeOf({ ...token, address })
    },
    metadata,
    isDecided: !runs.some(([{ contract }]) => contract.isUnassessed),
  }
}

/**
 * The position that gives a walk its order, from its first page: every receipt up to there counts, and none after it. It is the later one of the first
 * row that the page shows and of the first that it scanned, as other tables may have later tokens than the scanned rows.
 */
export function startOf(shown: bigint | null | undefined, scanned: bigint | null | undefined): string | undefined {
  const positions = [shown, scanned].filter((position) => typeof position === 'bigint')
  return positions.length === 0 ? undefined : String(positions.reduce((a, b) => larger(a, b)))
}

/** `isWanted`: whether metadata of a token is requested. */
function shownContract(
  run: readonly [WholeToken, ...WholeToken[]],
  bytes: Buffer,
  isWanted: (hash: string) => boolean,
): ShownContract & Pick<PageContract, 'isNamed'> {
  const [{ contract, start }] = run
  const { address, isNamed } = contract
  const wanted = run.filter(({ hash }) => isWanted(hash))
  const tokens = wanted.map(({ hash, start }) => ({ hash, tokenId: tokenIdAt(bytes, start) }))
  return { address, standard: isErc1155At(bytes, start) ? 'ERC1155' : 'ERC721', tokens, isNamed }
}

const acquiredOf = ({ receivedPosition, receivedTime }: WholeToken): OriginBlock => ({
  block: blockOfPosition(receivedPosition),
  time: isoOf(receivedTime),
})
