import type { Database } from '../../../db/database.ts'
import { bufferToHex } from '../../../util/hex.ts'
import { nameOfBlock, type PageTimes, timesIfReachable, type UntimedBlock } from '../../blocks/createBlockTimes.ts'
import { blockOfPosition } from '../../transfers/position.ts'
import type { WholeFilter } from '../../walletQuery.ts'
import type { WholeToken } from './wholePage.ts'

/** Tokens with the times at which the wallet received them, also if the node's logs had none. */
export type ReceivedTimes = (filter: WholeFilter, tokens: readonly WholeToken[]) => Promise<readonly WholeToken[]>

const ofMoves = `
SELECT DISTINCT m.position, m.block_hash FROM wallet_move m WHERE m.partition = $1 AND m.wallet_id = $2 AND m.position = ANY($3::int8[])`

/** The order makes PostgreSQL take the key, as for the logs of a page's tokens (`selectLogs`). */
const ofTransfers = `
SELECT DISTINCT x.position, x.block_hash FROM unnest($1::int2[], $2::int8[], $3::int8[]) AS a (partition, id, position) CROSS JOIN LATERAL (
  SELECT x.position, x.block_hash FROM transfer x
  WHERE x.partition = a.partition AND x.partition = ANY($1::int2[]) AND x.collection_id = a.id AND x.position = a.position
  ORDER BY x.position, x.item LIMIT 1
) x`

export function createReceivedTimes(db: Database, times: PageTimes): ReceivedTimes {
  /** `blocks`: of the logs, by position. */
  async function timesOf(
    chainId: bigint,
    of: keyof PageTimes,
    blocks: ReadonlyMap<bigint, UntimedBlock>,
  ): Promise<Map<bigint, bigint>> {
    const named = new Map(Array.from(blocks.values(), (block) => [nameOfBlock(block.number, block.hash), block]))
    const found = await timesIfReachable(times[of], chainId, named)
    return new Map(
      [...blocks].flatMap(([position, { number, hash }]) => {
        const time = found.get(nameOfBlock(number, hash))
        return time === undefined ? [] : [[position, time] as const]
      }),
    )
  }

  return async ({ chainId, of: { partition, id } }, tokens) => {
    const untimed = tokens.filter(({ receivedTime }) => receivedTime === null)
    if (untimed.length === 0) return tokens
    const positions = untimed.map(({ receivedPosition }) => receivedPosition)
    const moves = await blocksAt(db, ofMoves, [partition, id, positions], () => ({ partition, collectionId: id }))
    // Transfers of collections that are not in the wallet's own rows.
    const others = untimed.filter(({ receivedPosition }) => !moves.has(receivedPosition))
    const byPosition = new Map(others.map((token) => [token.receivedPosition, token.contract.state]))
    const lists = [
      others.map(({ contract }) => contract.state.partition),
      others.map(({ contract }) => contract.state.id),
      others.map((token) => token.receivedPosition),
    ]
    const transfers =
      others.length === 0
        ? new Map<bigint, UntimedBlock>()
        : await blocksAt(db, ofTransfers, lists, (position) => {
            const { partition, id } = byPosition.get(position)!
            return { partition, collectionId: id }
          })
    const found = new Map([
      ...(await timesOf(chainId, 'moves', moves)),
      ...(await timesOf(chainId, 'transfers', transfers)),
    ])
    return tokens.map((token) => ({
      ...token,
      receivedTime: token.receivedTime ?? found.get(token.receivedPosition) ?? null,
    }))
  }
}

/** Blocks of logs, by position. `ownerOf`: the owner of the rows. */
async function blocksAt(
  db: Database,
  text: string,
  values: unknown[],
  ownerOf: (position: bigint) => Pick<UntimedBlock, 'partition' | 'collectionId'>,
): Promise<Map<bigint, UntimedBlock>> {
  const rows = await db.rows<[bigint, Buffer]>(text, values)
  return new Map(
    rows.map(([position, hash]) => [
      position,
      { ...ownerOf(position), number: blockOfPosition(position), hash: bufferToHex(hash) },
    ]),
  )
}
