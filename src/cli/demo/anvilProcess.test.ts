import { createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { AnvilStartError, startAnvilProcess } from './anvilProcess.ts'

test('error: fails when the port is in use', async () => {
  const server = createServer()
  onTestFinished(() => void server.close())
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port))
  })
  const starting = startAnvilProcess({ args: [], port })
  await expect(starting).rejects.toThrow(AnvilStartError)
  await expect(starting).rejects.toThrow(/in use/i)
})

test('error: fails on an option that anvil does not know', async () => {
  await expect(startAnvilProcess({ args: ['--no-such-option'] })).rejects.toThrow(/--no-such-option/)
})

test('behavior: stopping twice is harmless, and a killed chain is detected', async () => {
  const anvil = await startAnvilProcess({ args: [] })
  process.kill(anvil.pid, 'SIGKILL')
  await anvil.exited
  await anvil.stop()
  await anvil.stop()
})
