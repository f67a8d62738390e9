// @module-tag system

import { expect, test } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import type { Address } from '../../src/util/hex.ts'
import { startAnvil } from '../anvil.ts'
import { plain721 } from '../contracts/artifacts/plain721.ts'
import { startTestServer } from '../mintmark.ts'
import { onCluster } from '../onCluster.ts'
import { createRawServer, httpAnswer } from '../rawServer.ts'

const tokens = 3_000n

/** Counts the rows that reading metadata writes, including those of failed transactions. */
async function countWrites(db: Database): Promise<() => Promise<number>> {
  await db.run('CREATE SEQUENCE writes')
  await db.run(
    `CREATE FUNCTION count_write() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM nextval(''writes''); RETURN NULL; END'`,
  )
  for (const [event, table] of [
    ['UPDATE', 'metadata_due'],
    ['INSERT OR UPDATE', 'token_metadata'],
    ['INSERT OR UPDATE', 'collection_host'],
  ])
    await db.run(`CREATE TRIGGER count_write AFTER ${event} ON ${table} FOR EACH ROW EXECUTE FUNCTION count_write()`)
  return async () => {
    const [row] = await db.rows<[bigint]>('SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM writes')
    return Number(row![0])
  }
}

// Local triggers count the rows, so a cluster is skipped.
test.skipIf(onCluster)(
  'behavior: a dead host with thousands of tokens costs few requests and writes, and is read once it recovers',
  async () => {
    await using anvil = await startAnvil({ slotsInAnEpoch: 4 })
    let isAlive = false
    await using host = await createRawServer((_, socket, path) => {
      if (isAlive) socket.write(httpAnswer(200, JSON.stringify({ name: `Token ${path}` })))
      else socket.destroy()
    })
    await using server = await startTestServer({
      rpc: [anvil.url],
      config: {
        outbound: { allow: ['127.0.0.1'] },
        metadata: { retryDelaysMs: [50, 3_600_000], coolOffMs: 0, concurrentDocuments: 50 },
      },
    })
    const { db } = server.database
    const writes = await countWrites(db)
    const [holder] = anvil.accounts as [Address]
    const address = await anvil.deploy(plain721, ['Lost', 'LOST', `${host.url}/`])
    for (let first = 0n; first < tokens; first += 500n)
      await anvil.send({
        to: address,
        abi: plain721.abi,
        functionName: 'mintBatch',
        args: [holder, first, 500n],
        gas: 100_000_000n,
      })
    await anvil.mine(10)
    await server.untilSynced(address, await anvil.blockNumber())

    const isBackingOff = `SELECT 1 FROM collection c JOIN collection_host h ON h.collection_id = c.id
    WHERE h.dead_since IS NOT NULL AND least(h.retry_at, c.metadata_due_at) > now() + interval '30 minutes'`
    await expect.poll(async () => (await db.rows(isBackingOff)).length).toBe(1)
    // Five sequential attempts and the parallel ones, plus one after 50 ms. Each of them checks five hundred tokens.
    // The same check runs between attempts if the failing host's pause is longer than metadata waits for a request.
    expect(host.requests.length).toBeLessThan(20)
    expect(await writes()).toBeLessThan(2_200)
    const [known] = await db.rows<[string, string]>('SELECT host, fault FROM collection_host')
    expect(known).toEqual([`127.0.0.1:${host.port}`, expect.stringContaining('cannot be reached')])

    isAlive = true
    // A client requests a token a minute after the last attempt. The host is requested again, and all other tokens follow.
    await db.run(`UPDATE collection_host SET fault_at = fault_at - interval '2 minutes'`)
    expect((await server.get(`/api/v2/nft/${address}/7/metadata/resync?chain=local`)).status).toBe(202)
    const remaining = `SELECT (SELECT count(*) FROM metadata_due WHERE due_at < now() + interval '30 minutes' OR host IS NOT NULL),
    (SELECT count(*) FROM collection_host WHERE dead_since IS NOT NULL)`
    await expect.poll(async () => (await db.rows(remaining))[0]).toEqual([0n, 0n])
    const [read] = await db.rows<[bigint]>(`SELECT count(*) FROM token_metadata WHERE state = 'ok'`)
    expect(Number(read![0])).toBeGreaterThan(Number(tokens) - 60)
  },
)
