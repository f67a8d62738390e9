// @module-tag system

import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { databaseUrl } from '../database.ts'
import { testApiKey } from '../mintmark.ts'
import { startSocketProxy } from '../operations/socketProxy.ts'
import { startServiceProcess } from '../serviceProcess.ts'
import { startReplicated } from '../startReplicated.ts'
import { temporaryFolder } from '../temporaryFolder.ts'

test('behavior: a server whose database address leads to a promoted standby exits, to be restarted', async () => {
  const { primary, replica } = await startReplicated()
  const target = { ...primary.connection }
  const proxy = await startSocketProxy(target)
  const folder = await temporaryFolder()
  const configFile = join(folder, 'mintmark.config.json')
  const url = databaseUrl({ ...target, host: proxy.folder })
  await writeFile(
    configFile,
    JSON.stringify({ port: 0, apiKey: testApiKey, databaseUrl: url, dataDir: join(folder, 'data') }),
  )
  const server = await startServiceProcess(configFile)
  let output = ''
  server.child.stderr?.on('data', (chunk: Buffer) => {
    output += chunk
  })
  await replica.untilReplayed()
  proxy.cut()
  await replica.promote()
  const { host, port: other } = replica.connection
  Object.assign(target, { host, port: other })
  const ended = once(server.child, 'exit')
  proxy.mend()
  expect((await ended)[0]).toBe(1)
  expect(output).toContain('continued from an earlier state')
  const again = await startServiceProcess(configFile)
  expect((await fetch(`${again.url}/ready`)).status).toBe(200)
})
