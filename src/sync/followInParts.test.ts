import fc from 'fast-check'
import { expect, inject, test } from 'vitest'
import { address, createChainOfTwo, neighbour, never, useCollectionsInParts } from '../../test/collectionsInParts.ts'
import { createScriptedChain, type ScriptedChain } from '../../test/scriptedChain.ts'
import { createNftQuery } from '../nft/pages/createNftQuery.ts'
import type { Address } from '../util/hex.ts'

const database = useCollectionsInParts()

async function owners(): Promise<Record<string, string>> {
  const sql = `SELECT token_id, encode(owner, 'hex') FROM token WHERE amount > 0`
  return Object.fromEntries(await database.db.rows<[string, string]>(sql))
}

function truth(chain: ScriptedChain): Record<string, string> {
  const owner = new Map<string, string>()
  for (const { topics } of chain.logs()) owner.set(String(BigInt(topics[3]!)), topics[2]!.slice(26))
  return Object.fromEntries([...owner].filter(([, holder]) => holder !== '0'.repeat(40)))
}

const inParts = fc.array(
  fc.record({
    drop: fc.nat(8),
    add: fc.array(fc.array(fc.record({ token: fc.nat(5), from: fc.nat(3), to: fc.nat(3) }), { maxLength: 9 }), {
      minLength: 1,
      maxLength: 6,
    }),
    /** Steps of the follower before the chain continues, and whether another process follows it afterwards. */
    steps: fc.nat(5),
    dies: fc.boolean(),
  }),
  { minLength: 1, maxLength: 8 },
)

test('behavior: a collection stored in parts ends in the state of the chain, despite reorganisations and crashes', async () => {
  await fc.assert(
    fc.asyncProperty(
      inParts,
      fc.integer({ min: 9, max: 12 }),
      fc.integer({ min: 1, max: 4 }),
      async (all, finality, most) => {
        await database.wipe()
        const chain = createScriptedChain(address, finality)
        for (let i = 0; i < 5; i++) chain.add([])
        await database.addCollection(address)
        let follower = await database.follow(chain, most)
        await database.settle(follower)
        let final = 0n
        for (const { drop, add, steps, dies } of all) {
          chain.drop(Math.min(drop, Number(chain.head() - final)))
          for (const block of add) chain.add(block)
          for (let i = add.length; i <= drop; i++) chain.add([])
          for (let i = 0; i < steps; i++) await follower.step(never)
          if (dies) follower = await database.follow(chain, most)
          const now = chain.head() - BigInt(finality)
          if (now > final) final = now
        }
        await database.settle(follower)
        expect(await owners()).toEqual(truth(chain))
        const rows = await database.db.rows(
          `SELECT h.block_number, c.status, c.stored_of_next, c.tokens, c.transfers, (SELECT count(*) FROM transfer), (SELECT sum(transfers) FROM token)
         FROM chain h, collection c`,
        )
        const [tokens, moved] = [BigInt(Object.keys(truth(chain)).length), BigInt(chain.logs().length)]
        expect(rows).toEqual([[chain.head(), 'live', null, tokens, moved, moved, moved === 0n ? null : moved]])
      },
    ),
    { numRuns: 8 * inject('rounds') },
  )
})

test('behavior: while one collection catches up with a large block in parts, the others of the chain follow each block', async () => {
  const chain = createChainOfTwo(20)
  await database.addCollection(address)
  await database.addCollection(neighbour)
  const follower = await database.follow(chain, 4)
  await database.settle(follower)
  const add = (transfers: number) => {
    chain.add(
      Array.from({ length: transfers + 1 }, (_, i) => ({ token: 100 * Number(chain.head()) + i, from: 0, to: 1 })),
    )
    chain.logs().at(-1)!.address = neighbour
  }
  const query = createNftQuery({ db: database.db })
  const stateOf = async (contract: Address) => {
    const { status, toBlock, tokens } = (await query.state(1n, contract))!
    return { status, toBlock, tokens: Number(tokens) }
  }
  add(10)
  await follower.step(never)
  const large = chain.head()
  const seen: unknown[] = []
  for (let blocks = 1; (await stateOf(address)).status !== 'live'; blocks++) {
    expect(await stateOf(neighbour)).toEqual({ status: 'live', toBlock: chain.head(), tokens: blocks })
    const { status, toBlock, tokens } = await stateOf(address)
    expect({ status, isBehind: toBlock! < chain.head() }).toEqual({ status: 'syncing', isBehind: true })
    if (toBlock! < large) seen.push(tokens)
    add(0)
    await follower.step(never)
  }
  expect([...new Set(seen)]).toEqual([0, 4, 8])
  expect(await stateOf(address)).toMatchObject({ toBlock: chain.head(), tokens: 10 })
})
