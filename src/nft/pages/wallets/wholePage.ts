import { hash } from 'node:crypto'
import { databaseEpoch } from '../../../db/epoch.ts'
import { defineByteColumns } from '../../../db/pipeline/byteColumns.ts'
import type { ByteRow } from '../../../db/pipeline/byteRows.ts'
import type { Address } from '../../../util/hex.ts'
import type { HeldTokens, OriginBlock, ShownCollection } from '../../query.ts'
import { blockOfPosition } from '../../transfers/position.ts'
import type { WholePageOptions, WholePlace, WholeTokens } from '../../walletQuery.ts'
import { isoOf } from '../origins/originRows.ts'
import { isErc1155At, tokenIdAt, tokensIn } from '../rows/tokenLines.ts'
import type { ShownContract } from './createShownKnown.ts'
import { markOf } from './walletTokens.ts'

/** Columns of a page of tokens that decide its mark. */
const tokenNames = ['end', 'epoch', 'contracts', 'bytes', 'received', 'times', 'collections'] as const

/**
 * Columns of the row of `tokensSql`. In the order of the page, of each token: contracts: 20 bytes; bytes: `tokenBytes`; received: position of its last
 * receipt, and times: Unix seconds of it, -1: unknown, 8 bytes each. collections: a JSON list of the contracts, see `contractIn`. end: if the page
 * reached its scan limit, position, contract and hash of the last scanned token. documentsRead: as for wallets of indexed collections; the columns of
 * an already read page follow (`pageColumns`).
 */
export const wholeColumns = defineByteColumns([...tokenNames, 'documentsRead'])

/** A contract of a page, and whether it is not a collection, also after a client requested it while it had no code: see `insertKnown`. */
type PageContract = { state: ShownCollection; isKnown: boolean }

/** A token of a page. */
export type WholeToken = PageContract & {
  contract: Address
  hash: string
  /** Its bytes in those of the page. */
  start: number
  end: number
  receivedPosition: bigint
  /** Unix seconds; null: unknown, or not read. */
  receivedTime: bigint | null
}

/** A page of tokens. `end`: the last scanned place if the page reached its scan limit; no token is after it. */
export type WholePage = {
  tokens: readonly WholeToken[]
  end: (Pick<WholeToken, 'contract' | 'hash'> & { receivedPosition: bigint }) | null
  bytes: Buffer
  mark: string
  /** Metadata of the tokens, if it was read with them; else null. */
  documents: ByteRow | null
}

/** Reads the row of `tokensSql`. */
export function wholePageIn(row: ByteRow, order: WholePageOptions['order']): WholePage {
  const { end, epoch, contracts, bytes, received, times, collections, documentsRead } = wholeColumns.read(row)
  const found: WholeToken[] = []
  const byContract = new Map<string, PageContract>()
  const epochText = databaseEpoch.decode(epoch!.toString('latin1'))
  for (const listed of collections ? (JSON.parse(collections.toString()) as Listed[]) : []) {
    const [contract, ...numbers] = listed[0].split(' ')
    byContract.set(contract!, contractIn(numbers, listed, epochText))
  }
  const digits = contracts?.toString('hex') ?? ''
  const rows = bytes ?? nothing
  for (const [i, token] of tokensIn(rows).entries()) {
    const contract = digits.slice(addressDigits * i, addressDigits * (i + 1))
    const time = times?.readBigInt64BE(8 * i) ?? unknownTime
    found.push({
      ...token,
      ...byContract.get(contract)!,
      contract: `0x${contract}`,
      receivedPosition: received!.readBigInt64BE(8 * i),
      receivedTime: time === unknownTime ? null : time,
    })
  }
  const last = end && endIn(end.toString('latin1'))
  return {
    tokens: last ? found.filter((token) => !isBehind(token, last, order)) : found,
    end: last,
    bytes: rows,
    mark: markOf(row.slice(0, tokenNames.length)),
    documents: documentsRead?.toString() === 'true' ? row.slice(wholeColumns.names.length) : null,
  }
}

const addressDigits = 40
const unknownTime = -1n
const nothing = Buffer.alloc(0)

type Listed = [numbers: string, name: string | null, symbol: string | null]

function contractIn(numbers: readonly string[], [, name, symbol]: Listed, epoch: string): PageContract {
  const [id, partition, longest, spam, verified, isKnown] = numbers
  const state = {
    ...{ epoch, id: BigInt(id!), partition: Number(partition), name, symbol },
    metadataLongest: Number(longest),
    possibleSpam: spam === 't',
    verified: verified === 't',
  }
  return { state, isKnown: isKnown === 't' }
}

function endIn(text: string): NonNullable<WholePage['end']> {
  const [position, contract, hash] = text.split(' ')
  return { receivedPosition: BigInt(position!), contract: `0x${contract!}`, hash: hash! }
}

/** Whether a token comes after `end`. Both orders are descending. */
function isBehind(
  token: Pick<WholeToken, 'receivedPosition' | 'contract' | 'hash'>,
  end: NonNullable<WholePage['end']>,
  order: WholePageOptions['order'],
): boolean {
  if (order === 'acquired' && token.receivedPosition !== end.receivedPosition)
    return token.receivedPosition < end.receivedPosition
  return token.contract === end.contract ? token.hash < end.hash : token.contract < end.contract
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

/** The answer of a page that was read with one token more than `limit`. `known`: its contracts that are not collections. */
export function tokensOf(
  page: WholePage,
  holder: Address,
  { limit, order, acquired }: Pick<WholePageOptions, 'limit' | 'order' | 'acquired'>,
): WholeTokens & { known: () => ShownContract[] } {
  const { tokens, end, bytes, documents } = page
  const shown = tokens.slice(0, limit)
  const runs = runsOf(shown)
  const held = runs.map((run): HeldTokens => {
    const [{ state, contract: address, start }] = run
    return {
      ...{ state, address, holder },
      hashes: run.map(({ hash }) => hash),
      amounts: [],
      bytes: bytes.subarray(start, run.at(-1)!.end),
      ...(acquired && { acquired: run.map(acquiredOf) }),
    }
  })
  const placeOf = (contract: Address, hash: string, position: bigint): WholePlace => ({
    ...{ contract, hash },
    ...(order === 'acquired' && { received: String(position) }),
  })
  const last = tokens.length > limit ? shown.at(-1) : end
  return {
    held,
    known: () => runs.filter(([{ isKnown }]) => isKnown).map((run) => shownContract(run, bytes)),
    // Times that the row did not have were read from a node.
    mark: acquired
      ? hash('sha1', `${page.mark} ${shown.map((token) => token.receivedTime).join()}`, 'base64')
      : page.mark,
    next: last ? placeOf(last.contract, last.hash, last.receivedPosition) : null,
    placeOf({ address }, hash) {
      const token = shown.find((one) => one.hash === hash && one.contract === address)!
      return placeOf(address, hash, token.receivedPosition)
    },
    documents,
  }
}

function shownContract(run: readonly [WholeToken, ...WholeToken[]], bytes: Buffer): ShownContract {
  const [{ state, contract, start }] = run
  const tokens = run.map((token) => ({ hash: token.hash, tokenId: tokenIdAt(bytes, token.start) }))
  return { id: state.id, address: contract, standard: isErc1155At(bytes, start) ? 'ERC1155' : 'ERC721', tokens }
}

const acquiredOf = ({ receivedPosition, receivedTime }: WholeToken): OriginBlock => ({
  block: blockOfPosition(receivedPosition),
  time: isoOf(receivedTime),
})
