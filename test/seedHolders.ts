import type { Database } from '../src/db/database.ts'
import { createHolderText } from '../src/nft/files/holderText.ts'
import { positionOf } from '../src/nft/transfers/position.ts'
import type { Address, Hex } from '../src/util/hex.ts'
import { seedCollection } from './seedCollection.ts'

/** A collection whose whole snapshot is larger than the buffers of a connection. */
export type SeededHolders = {
  address: Address
  /** The rows of its snapshot as CSV and their root, the same at any block from 200 on. */
  csv: string
  root: Hex
}

/** Enough for about 7 MB: a connection buffers at most 4 MB that its reader does not take, and little more at the reader. */
const tokens = 60_000

/** Above every token id, so that rows are long. */
const base = 10n ** 70n

/** Stores an ERC-721 in which each token has a different owner since block 200, and the blocks up to 1,000. */
export async function seedHolders(db: Database): Promise<SeededHolders> {
  const address: Address = `0x${'5e'.repeat(20)}`
  const { partition, id } = await seedCollection(db, { address })
  await db.run(
    `INSERT INTO block (chain_id, number, hash, parent_hash, timestamp)
     SELECT 1, n, decode(lpad(to_hex(n), 64, '0'), 'hex'), '\\x00', 0 FROM generate_series(200, 1000) n`,
  )
  await db.run(
    `INSERT INTO transfer (partition, collection_id, position, item, token_id, from_address, to_address, amount, transaction_hash, block_hash)
     SELECT $1, $2, $3::int8 + n, 0, $4::numeric + n, decode(repeat('0', 40), 'hex'), decode(lpad(to_hex(n), 40, 'a'), 'hex'), 1, '\\x00',
       decode(lpad(to_hex(200), 64, '0'), 'hex') FROM generate_series(1, $5::int) n`,
    [partition, id, positionOf(200, 0), String(base), tokens],
  )
  let rows = ''
  for (let n = 1; n <= tokens; n++) rows += `${base + BigInt(n)},0x${n.toString(16).padStart(40, 'a')},1\n`
  const text = createHolderText('csv')
  text.write(rows)
  return { address, csv: text.head + rows, root: text.finish().root! }
}
