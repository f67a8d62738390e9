// @module-tag system

import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { recountLedger } from '../../src/stream/ledger/recountLedger.ts'
import { startAnvil } from '../anvil.ts'
import { plain721 } from '../contracts/artifacts/plain721.ts'
import { createTestDatabase } from '../database.ts'
import { testApiKey } from '../mintmark.ts'
import { patience } from '../patience.ts'
import { startReceiver } from '../receiver.ts'
import { startServiceProcess } from '../serviceProcess.ts'
import { createStreamClient } from '../stream/streamServer.ts'
import { temporaryDataFolder } from '../temporaryFolder.ts'

test('behavior: other processes take over from frozen, killed or stopped ones, and a resumed process sends and writes nothing', async () => {
  await using anvil = await startAnvil({ slotsInAnEpoch: 1 })
  const [holder] = anvil.accounts
  const contract = await anvil.deploy(plain721, ['Moved', 'MVD', ''])
  const { db, url: databaseUrl, drop } = await createTestDatabase()
  await using receiver = await startReceiver()
  const folder = await temporaryDataFolder()
  async function start(role: 'api' | 'sync' | 'deliver') {
    const file = join(folder, `${role}.json`)
    const config = {
      ...{ role, port: 0, apiKey: testApiKey, databaseUrl, databasePoolSize: 8, dataDir: join(folder, 'data') },
      chains: { local: { id: '0x7a69', rpc: [anvil.url], pollIntervalMs: 50 } },
      outbound: { allow: ['127.0.0.1'] },
    }
    await writeFile(file, JSON.stringify(config))
    return startServiceProcess(file)
  }
  const started: ChildProcess[] = []
  const startBoth = async () => {
    for (const { child } of await Promise.all([start('sync'), start('deliver')])) started.push(child)
  }
  const api = await start('api')
  await startBoth()
  await startBoth()
  const streams = createStreamClient({ url: api.url, db, receiverUrl: receiver.url })
  const { id } = await streams.create({ includeContractLogs: true })
  await streams.add(id, contract)
  const [stream] = await db.rows<[number]>('SELECT partition FROM stream WHERE id = $1', [id])

  /** The processes that follow the chain and deliver the stream. It waits until two processes share each kind. */
  async function holders(): Promise<{ child: ChildProcess; worker: number }[]> {
    const rows = await vi.waitFor(async () => {
      const found = await db.rows<[number, number]>(
        `SELECT w.pid, w.id FROM lease JOIN worker w ON w.id = worker_id
         WHERE (kind = 'chain' AND lease.key = 31337 OR kind = 'delivery' AND key = $1)
           AND (SELECT count(DISTINCT worker_id) > 1 AND bool_and(worker_id IS NOT NULL) FROM lease p WHERE p.kind = CASE lease.kind WHEN 'chain' THEN 'partition' ELSE 'delivery' END)
         ORDER BY kind`,
        [stream![0]],
      )
      expect(found).toHaveLength(2)
      return found
    }, patience)
    return rows.map(([pid, worker]) => ({ child: started.find((child) => child.pid === pid)!, worker }))
  }

  let token = 1n
  /** Mints a token, and waits for the webhook of its block. */
  async function mint(): Promise<void> {
    const { blockHash } = await anvil.send({
      to: contract,
      abi: plain721.abi,
      functionName: 'mint',
      args: [holder!, token++],
    })
    const reported = () =>
      receiver.received.some(({ body }) => body.includes(blockHash) && body.includes('"confirmed":false'))
    await receiver.until(reported)
  }
  /** Waits until the ledger has every attempt. The test webhook does not count. */
  async function untilSettled(): Promise<void> {
    await vi.waitFor(async () => {
      const [row] = await db.rows('SELECT count(*)::int FROM webhook_attempt')
      expect(row![0]).toBe(receiver.received.length - 1)
    }, patience)
  }
  /** Milliseconds until other workers hold all leases of these workers, and until a block's webhook arrives. */
  async function takeover(workers: readonly number[]): Promise<string> {
    const began = performance.now()
    await vi.waitFor(
      async () => {
        const rows = await db.rows('SELECT 1 FROM lease WHERE worker_id = ANY($1::integer[]) OR worker_id IS NULL', [
          workers,
        ])
        expect(rows).toHaveLength(0)
      },
      { ...patience, interval: 20 },
    )
    const taken = performance.now() - began
    await mint()
    return `leases after ${Math.round(taken)} ms, a webhook after ${Math.round(performance.now() - began)} ms`
  }

  await mint()
  for (const signal of ['SIGSTOP', 'SIGKILL', 'SIGTERM'] as const) {
    const held = await holders()
    await untilSettled()
    for (const { child } of held) child.kill(signal)
    process.stdout.write(`${signal}: ${await takeover(held.map(({ worker }) => worker))}\n`)
    if (signal === 'SIGSTOP') {
      await mint()
      await untilSettled()
      const rows = () => db.rows('SELECT failure, block_number, (SELECT count(*) FROM webhook_attempt) FROM chain')
      const sent = receiver.received.length
      const before = await rows()
      for (const { child } of held) child.kill('SIGCONT')
      // The processes register again under new worker ids.
      await vi.waitFor(async () => {
        const pids = held.map(({ child }) => child.pid)
        const back = await db.rows('SELECT 1 FROM worker WHERE pid = ANY($1::integer[]) AND id <> ALL($2::integer[])', [
          pids,
          held.map(({ worker }) => worker),
        ])
        expect(back).toHaveLength(2)
      }, patience)
      expect(receiver.received).toHaveLength(sent)
      expect(await rows()).toEqual(before)
    } else {
      await Promise.all(held.map(({ child }) => child.exitCode ?? child.signalCode ?? once(child, 'exit')))
      if (signal === 'SIGKILL') await startBoth()
    }
  }
  const ids = receiver.received.flatMap(({ headers }) => headers['webhook-id'] ?? [])
  expect(new Set(ids).size).toBe(ids.length)
  expect((await recountLedger(db)).mismatches).toEqual([])
  for (const child of [api.child, ...started]) {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM')
      await once(child, 'exit')
    }
  }
  await drop()
})
