import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../../../test/database.ts'
import { freshSeed } from '../../../test/random.ts'
import type { Coin } from '../../coin/coin.ts'
import { coinTypeHash } from '../../coin/coinType.ts'
import { renderRecord } from '../../coin/record.ts'
import { silentLog } from '../../log.ts'
import { migrate } from '../migrate.ts'
import { migrations } from './index.ts'

/** What makers write, the bytes of a name being valid UTF-8 by the time they are stored. */
const name = fc.string({
  unit: fc.constantFrom('a', '"', '\\', '\0', '\n', '\t', '\b', '\u001f', '\u007f', 'é', '\u2028', '🪙', '/'),
})
const handle = `0x${'1b'.repeat(32)}`

const coins = fc.array(
  fc.record({
    n: fc.nat(),
    name,
    symbol: name,
    decimals: fc.nat(255),
    version: fc.bigInt(0n, 2n ** 62n),
    createdMicros: fc.oneof(fc.constant(0n), fc.bigInt(0n, 4_000_000_000_000_000n)),
    supply: fc.constantFrom(null, { handle, key: handle }),
  }),
  { minLength: 1, maxLength: 40 },
)

test('behavior: coins stored as columns become the records that they were served as', async () => {
  const { db, drop } = await createTestDatabase({ migrated: false })
  onTestFinished(drop)
  await migrate(
    db,
    silentLog,
    migrations.filter(({ id }) => id < 8),
  )
  await db.run(`INSERT INTO coin_network (name) VALUES ('mainnet')`)
  const seed = freshSeed()
  process.stdout.write(`seed ${seed}\n`)
  const [made] = fc.sample(coins, { numRuns: 1, seed })
  const given = made!.map(({ n, ...rest }, i): Coin => {
    const type = `0x${n.toString(16)}::m${i}::LP<0x1::a::B, 0x2::c::D>`
    return { ...rest, type, hash: coinTypeHash(type), creator: n.toString(16).padStart(64, '0') }
  })
  for (const coin of given)
    await db.run(
      `INSERT INTO coin (network_id, imported, shown, coin_type_hash, coin_type, creator, decimals, name, symbol,
         supply_handle, supply_key, version, created_micros)
       SELECT id, false, true, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10 FROM coin_network`,
      [
        Buffer.from(coin.hash, 'hex'),
        coin.type,
        Buffer.from(coin.creator, 'hex'),
        coin.decimals,
        Buffer.from(coin.name),
        Buffer.from(coin.symbol),
        coin.supply?.handle ?? null,
        coin.supply?.key ?? null,
        coin.version,
        coin.createdMicros,
      ],
    )
  await migrate(db, silentLog)
  const stored = await db.rows<[string, string]>(`SELECT encode(coin_type_hash, 'hex'), record FROM coin`)
  expect(new Map(stored)).toEqual(new Map(given.map((coin) => [coin.hash, renderRecord(coin)])))
})
