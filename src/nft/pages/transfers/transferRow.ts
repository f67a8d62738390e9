/** SQL of the record facts of a collection `c` with a known standard, as bytes: its address, and a byte with spam and verified status. */
export const collectionBytes = `c.address || set_byte('\\x00', 0, coalesce(c.verified_override, c.verified)::int
    + 2 * coalesce(c.spam_override, c.possible_spam)::int)`

export const isVerified = 1
export const spamFlag = 2

/** Columns of a transfer `t` from which a record is written, in order. */
const ofTransfer = {
  position: 't.position',
  item: 't.item',
  blockTime: 't.block_time',
  transactionIndex: 't.transaction_index',
  tokenId: 't.token_id',
  amount: 't.amount',
  from: 't.from_address',
  to: 't.to_address',
  operator: 't.operator',
  transactionHash: 't.transaction_hash',
  blockHash: 't.block_hash',
}

/** Further columns for transfers of several collections. `collection`: SQL of `collectionBytes`. */
const ofSeveral = (collection: string) => ({ partition: 't.partition', collectionId: 't.collection_id', collection })

const names = Object.keys({ ...ofTransfer, ...ofSeveral('') }) as (
  | keyof typeof ofTransfer
  | keyof ReturnType<typeof ofSeveral>
)[]

/** Indexes of the columns. */
export const columnOf = Object.fromEntries(names.map((name, place) => [name, place])) as Record<
  (typeof names)[number],
  number
>

/**
 * SQL of a transfer `t` as the bytes of a row in PostgreSQL's format: number of columns, then type, length (32 bits each) and bytes of each; NULL has
 * length −1. `collection`: SQL of `collectionBytes`, for transfers of several collections. Writing records from these bytes takes both processes
 * together less than half of the time that PostgreSQL alone needed.
 */
export const transferBytes = (collection?: string) =>
  `record_send(ROW(${Object.values({ ...ofTransfer, ...(collection !== undefined && ofSeveral(collection)) }).join(', ')}))`

/** Columns of one row of `transferBytes` at a time. */
export type Row = {
  bytes: Buffer
  /** Locates the columns of the row at a position; returns its end. */
  read(at: number): number
  start(column: number): number
  end(column: number): number
  isNull(column: number): boolean
}

export function createRow(bytes: Buffer): Row {
  const starts = new Int32Array(names.length)
  const lengths = new Int32Array(names.length)
  return {
    bytes,
    read(start) {
      const columns = bytes.readInt32BE(start)
      let at = start + 4
      for (let column = 0; column < columns; column++) {
        const length = bytes.readInt32BE(at + 4)
        at += 8
        starts[column] = at
        lengths[column] = length
        if (length > 0) at += length
      }
      return at
    },
    start: (column) => starts[column]!,
    end: (column) => starts[column]! + lengths[column]!,
    isNull: (column) => lengths[column]! < 0,
  }
}
