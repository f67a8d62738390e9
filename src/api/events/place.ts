import { z } from 'zod'
import { resumeDays } from '../../nft/changeQuery.ts'
import type { TransferPlace } from '../../nft/transferQuery.ts'
import type { FollowedBlock } from '../../nft/walletQuery.ts'
import type { Hex } from '../../util/hex.ts'
import { fault } from '../http/parseQuery.ts'
import type { Cursors } from '../pages/cursor.ts'
import type { FeedName } from './feed.ts'

/** Progress of a listener: everything up to `after`, on the chain with `block`; null: that cannot be undone. */
export type FeedPlace = { after: TransferPlace; block: FollowedBlock | null }

const payload = z.tuple([z.int(), z.string(), z.string(), z.int(), z.string().nullable(), z.string().nullable()])

/** The id of an event, which `Last-Event-ID` sends back: a cursor with its time in milliseconds. */
export function signPlace(
  cursors: Cursors,
  name: FeedName,
  { place, identity, now }: { place: FeedPlace; identity: string; now: number },
): string {
  const { after, block } = place
  const [number, hash] = block ? [String(block.number), block.hash] : [null, null]
  const values: z.input<typeof payload> = [Math.floor(now / 1_000), identity, ...after, number, hash]
  return cursors.sign(operationOf(name), values)
}

/** Throws BadRequestError if the id belongs to another feed, or is too old. */
export function readPlace(
  cursors: Cursors,
  name: FeedName,
  id: string,
  now: number,
): { place: FeedPlace; identity: string } {
  const read = payload.parse(readId(cursors, name, id))
  const [seconds, identity, position, item, number, hash] = read
  if (now / 1_000 - seconds > resumeDays * 86_400)
    throw fault('Last-Event-ID', `is older than ${resumeDays} days; allowed: a newer one, or none`)
  const block = number === null || hash === null ? null : { number: BigInt(number), hash: hash as Hex }
  return { place: { after: [position, item], block }, identity }
}

function readId(cursors: Cursors, name: FeedName, id: string): unknown {
  try {
    return cursors.read(operationOf(name), id)
  } catch {
    throw fault('Last-Event-ID', 'is not the id of an event of this address; allowed: the id of one, or none')
  }
}

const operationOf = ({ of, chainId, address }: FeedName) => `events ${of} ${chainId} ${address}`
