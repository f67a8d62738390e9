import { expect, test, vi } from 'vitest'
import { createDatabase } from '../src/db/database.ts'
import { lockDataDir } from '../src/db/embedded/dataDirLock.ts'
import { startEmbeddedPostgres } from '../src/db/embedded/startEmbeddedPostgres.ts'
import { migrate } from '../src/db/migrations/migrate.ts'
import { testBody } from '../src/stream/delivery/attempt/sendTestWebhook.ts'
import { changeSettings } from '../src/stream/settings/streamSettings.ts'
import { legacySignature } from '../src/stream/sign/signWebhook.ts'
import { noopLog } from '../src/util/log.ts'
import { type LongCommand, startCommand } from './commandLine.ts'
import { newCluster } from './newCluster.ts'
import { patience } from './patience.ts'
import { system } from './system.ts'
import { temporaryDataFolder } from './temporaryFolder.ts'

async function startListen(dataDir: string): Promise<LongCommand & AsyncDisposable & { url: string }> {
  const command = await startCommand(['listen', '--port', '0', '--data', dataDir], 'waiting for webhooks')
  const url = /http:\/\/127\.0\.0\.1:\d+/.exec(command.err())![0]
  return { ...command, url, [Symbol.asyncDispose]: command.stop }
}

test(
  'behavior: listen takes no lock on the data folder, and checks signatures while a server runs there',
  system,
  async () => {
    const dataDir = await newCluster(await temporaryDataFolder())
    await using listen = await startListen(dataDir)
    expect(listen.err()).toContain(
      `no server runs on ${dataDir}: signatures are checked once one runs; for a server elsewhere give --secret or --secret-key\n`,
    )
    // A server takes this lock first when it starts.
    lockDataDir(dataDir).release()

    const secretKey = 'the key of this server'
    const headers = { 'x-signature': legacySignature(testBody, secretKey) }
    const send = async () => (await fetch(listen.url, { method: 'POST', body: testBody, headers })).status
    const reported = (legacy: string, times: number) =>
      vi.waitFor(() => expect(listen.out().split(`x-signature ${legacy}`)).toHaveLength(times + 1), patience)
    expect(await send()).toBe(200)
    await reported('unknown secret', 1)
    const server = await startEmbeddedPostgres({ dataDir, log: noopLog })
    try {
      const db = createDatabase({ connection: server.connection, poolSize: 1, log: noopLog })
      await migrate(db, noopLog)
      await changeSettings(db, { secretKey })
      await db.close()
      expect(await send()).toBe(200)
      await reported('right', 1)
    } finally {
      await server.stop()
    }
    expect(await send()).toBe(200)
    await reported('unknown secret', 2)
  },
)

test('error: listen answers 400 to a body that is not a complete webhook', async () => {
  await using listen = await startListen(await temporaryDataFolder())
  const { status } = await fetch(listen.url, { method: 'POST', body: '{"logs":[]}' })
  expect(status).toBe(400)
  await vi.waitUntil(() => listen.out().includes('400 11 bytes that are not a webhook'), patience)
})
