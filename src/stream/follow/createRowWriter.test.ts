import { expect, test } from 'vitest'
import { openScriptedStreams, type ScriptedStreams } from '../../../test/stream/scriptedStreams.ts'
import { expectTruth, mintBlocks, stepAll } from '../../../test/stream/scriptedTruth.ts'

/** Makes the database reject rows of a stream, like rows that it cannot store. Returns a function that ends this. */
async function reject(
  { db }: ScriptedStreams,
  table: string,
  id: string,
  only = 'true',
): Promise<() => Promise<unknown>> {
  await db.run(`ALTER TABLE ${table} ADD CONSTRAINT refused CHECK (stream_id <> '${id}' OR NOT (${only})) NOT VALID`)
  return () => db.run(`ALTER TABLE ${table} DROP CONSTRAINT refused`)
}

for (const table of ['webhook', 'stream_confirmation'])
  test(`error: a stream whose row in ${table} the database rejects pauses at its block, and the others continue`, async () => {
    await using t = await openScriptedStreams(8)
    const [bad, good] = [await t.create({ from: 0n, all: true }), await t.create({ from: 0n, all: true })]
    mintBlocks(t, 4)
    await t.settle()
    const end = await reject(t, table, bad, 'block_number > 4')
    mintBlocks(t, 2)
    await stepAll(t)
    await expectTruth(t, good)
    expect(await t.demand.get(bad)).toMatchObject({
      status: 'paused',
      statusMessage: expect.stringMatching(/^paused: .*refused/),
    })
    mintBlocks(t, 4)
    await t.settle()
    await expectTruth(t, good)
    await end()
    expect(await t.demand.setStatus(bad, 'active')).toMatchObject({ effectiveBlocks: { '0x7a69': '5' } })
    await t.settle()
    await expectTruth(t, bad)
  })

test('error: a stream whose history or catch-up rows the database rejects is paused with the reason', async () => {
  await using t = await openScriptedStreams(4)
  mintBlocks(t, 10)
  await stepAll(t)
  for (const from of [0n, 8n]) {
    const id = await t.create({ from, all: true })
    const end = await reject(t, 'webhook', id)
    await t.settle()
    expect(await t.demand.get(id)).toMatchObject({
      status: 'paused',
      statusMessage: expect.stringMatching(/^paused: .*refused/),
    })
    await end()
    await t.demand.setStatus(id, 'active')
    await t.settle()
    await expectTruth(t, id, undefined, { from })
  }
})
