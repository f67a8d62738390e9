// @module-tag citus

import { expect, test } from 'vitest'
import { stages } from '../../src/db/staging/stagingTables.ts'
import type { Address } from '../../src/util/hex.ts'
import { startAnvil } from '../anvil.ts'
import { runCommand } from '../commandLine.ts'
import { plain721 } from '../contracts/artifacts/plain721.ts'
import { databaseUrl } from '../database.ts'
import { startTestServer, testApiKey } from '../mintmark.ts'
import { onServer } from '../onServer.ts'
import { patience } from '../patience.ts'
import { startReceiver } from '../receiver.ts'
import { clusterMissing } from './cluster.ts'
import { startOwnCluster } from './ownCluster.ts'

/** Number of blocks with the next token of each collection, both before and after the shards move. */
const around = 3

test.skipIf(clusterMissing !== undefined)(
  'behavior: a node is added and takes its shards while pages, blocks, history and webhooks continue, without errors or loss (skipped where no Citus is installed)',
  async () => {
    const { cluster, postgres, connection, db } = await startOwnCluster({ name: 'rebalance', poolSize: 2 })
    const url = databaseUrl(connection)
    const { database } = connection
    await using anvil = await startAnvil()
    await using receiver = await startReceiver()
    const contracts: Address[] = []
    for (let i = 0; i < 4; i++) contracts.push(await anvil.deploy(plain721, [`N${i}`, `N${i}`, 'data:,']))
    /** The blocks of each collection's mints, in order. */
    const minted = new Map(contracts.map((contract) => [contract, [] as bigint[]]))
    const mintNext = async () => {
      for (const [to, blocks] of minted) {
        const id = BigInt(blocks.length)
        const args = [anvil.accounts[1]!, id, 1n] as const
        const sent = await anvil.send({ to, abi: plain721.abi, functionName: 'mintBatch', args })
        blocks.push(sent.blockNumber)
      }
    }
    for (let i = 0; i < around; i++) await mintNext()

    await using server = await startTestServer({
      rpc: [anvil.url],
      database: { db, connection, url, drop: async () => undefined },
      config: {
        outbound: { allow: ['127.0.0.1'] },
        chains: { local: { id: '0x7a69', rpc: [anvil.url], confirmations: 1 } },
      },
    })
    const created = await fetch(`${server.url}/streams/evm`, {
      method: 'PUT',
      headers: { 'x-api-key': testApiKey, 'content-type': 'application/json' },
      body: JSON.stringify({
        ...{ webhookUrl: receiver.url, description: 'all', tag: 'all', chainIds: ['0x7a69'] },
        ...{ includeContractLogs: true, allAddresses: true, topic0: ['Transfer(address,address,uint256)'] },
      }),
    })
    expect(created.status).toBe(200)
    for (const contract of contracts.slice(0, 3)) await server.untilSynced(contract, await anvil.blockNumber())
    const from = await anvil.blockNumber()

    const ended = new AbortController()
    let pages = 0
    /** A page must contain the tokens up to exactly the block that it reports. */
    const readPages = async () => {
      while (!ended.signal.aborted)
        for (const contract of contracts.slice(0, 3)) {
          const { body, headers } = await server.page(contract, { limit: 100 })
          const to = BigInt(headers.get('x-index-to-block')!)
          const expected = minted.get(contract)!.filter((block) => block <= to)
          // The list does not contain a block that is being minted.
          if (to <= minted.get(contract)!.at(-1)!) expect([to, body.result.length]).toEqual([to, expected.length])
          pages++
        }
    }
    const makeBlocks = async () => {
      while (!ended.signal.aborted && minted.get(contracts[0]!)!.length < 90) await mintNext()
    }
    const going = Promise.all([readPages(), makeBlocks()])

    const rebalanced = async () => {
      const rejected = await runCommand(['rebalance', '--json', '--database-url', url])
      expect(JSON.parse(rejected.out)).toMatchObject({ moved: [], shards: 4 })
      const spare = { ...(await cluster.startSpare()), database: database! }
      // Citus reports a node for every cluster database that it knows, so the new node needs all of them.
      const databases = [postgres.blank, postgres.template, database!]
      await onServer({ ...spare, database: 'postgres' }, ...databases.map((name) => `CREATE DATABASE ${name}`))
      await onServer(spare, 'SET client_min_messages = error', 'CREATE EXTENSION citus')
      await onServer(connection, `SELECT citus_add_node('${spare.host}', ${spare.port})`)
      // History of a collection is read while shards move.
      await server.page(contracts[3]!).catch(() => undefined)
      const done = await runCommand(['rebalance', '--database-url', url])
      expect(done).toMatchObject({ code: 0, err: '' })
      expect(done.out).toMatch(/^shards to move: \d\nshard \d+ was moved from 127\.0\.0\.1:\d+ to .*, \d left\n/)
      const status = JSON.parse((await runCommand(['status', '--json', '--database-url', url])).out)
      const nodes = status.cluster.nodes as { name: string; shards: number }[]
      expect(nodes.find(({ name }) => name === `${spare.host}:${spare.port}`)!.shards).toBeGreaterThan(0)
    }
    await Promise.all([going, rebalanced().finally(() => ended.abort())])
    for (let i = 0; i < around; i++) await mintNext()

    const head = await anvil.blockNumber()
    for (const contract of contracts) {
      await server.untilSynced(contract, head)
      expect(await server.walk(contract)).toHaveLength(minted.get(contract)!.length)
    }
    expect(pages).toBeGreaterThan(0)
    // The stream delivered every block since its start exactly once, confirmed ones too.
    const pending = [...minted.values()]
      .flat()
      .filter((block) => block > from && block < head)
      .sort()
    const reported = () =>
      receiver.received
        .map(({ body }) => JSON.parse(body) as { confirmed: boolean; block: { number: string } })
        .filter(({ confirmed, block }) => confirmed && BigInt(block.number) > from && BigInt(block.number) < head)
        .map(({ block }) => BigInt(block.number))
        .sort()
    await expect.poll(reported, patience).toEqual(pending)
    expect((await runCommand(['verify', '--streams', '--database-url', url])).code).toBe(0)
    // The staging tables are unchanged.
    const kind = '$$SELECT relpersistence::text || relreplident::text FROM pg_class WHERE oid = %L::regclass$$'
    for (const stage of stages) {
      const kinds = await db.rows(`SELECT DISTINCT result FROM run_command_on_placements('${stage}', ${kind})`)
      expect([stage, kinds]).toEqual([stage, [['ud']]])
    }
  },
)
