import { setTimeout as after } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { rawBlock } from '../../../test/ipfsBlocks.ts'
import { gatewaysOver } from '../../../test/ipfsGateway.ts'
import { createRawServer, httpAnswer } from '../../../test/rawServer.ts'
import type { GuardedSettings } from '../guard/outboundSettings.ts'

const documents = 1_200
const blocks = Array.from({ length: documents }, (_, i) => rawBlock(Buffer.from(`{"name":"token ${i}"}`)))
const held = new Map(blocks.map(({ cid, bytes }) => [`/ipfs/${cid}`, Buffer.from(bytes)]))

type Under = { now: number; most: number }

/** A gateway that answers after 20 ms, and rejects requests while `bears` are in progress. */
async function startGateway(all: Under, bears = Number.POSITIVE_INFINITY) {
  const own: Under & { rejected: number } = { now: 0, most: 0, rejected: 0 }
  const server = await createRawServer(async (_, socket, path) => {
    if (own.now >= bears) {
      own.rejected++
      socket.write(httpAnswer(429))
      return
    }
    for (const under of [own, all]) {
      under.now++
      under.most = Math.max(under.most, under.now)
    }
    await after(20)
    for (const under of [own, all]) under.now--
    socket.write(httpAnswer(200, held.get(path)!, { 'content-type': 'application/json' }))
  })
  return { own, url: server.url, [Symbol.asyncDispose]: server[Symbol.asyncDispose] }
}

/** Gateways whose requests wait as long as necessary. */
const patiently = (servers: { url: string }[], settings: Partial<GuardedSettings> = {}) =>
  gatewaysOver(servers, { maxWaitMs: 600_000, ...settings }, 600_000)

/** Reads each metadata once, with as many concurrent requests as a collection has. */
async function readAll(gateways: ReturnType<typeof gatewaysOver>, count = documents): Promise<void> {
  const queue = blocks.slice(0, count).values()
  const worker = async () => {
    for (const { cid } of queue) {
      const content = { network: 'ipfs', id: cid.toString(), path: '', original: null } as const
      expect((await gateways.get(content)).verified).toBe(true)
    }
  }
  await Promise.all(Array.from({ length: 200 }, worker))
}

test('default: gateways that respond well get more and more concurrent requests', async () => {
  const all: Under = { now: 0, most: 0 }
  await using first = await startGateway(all)
  await using second = await startGateway(all)
  await using third = await startGateway(all)
  await using gateways = patiently([first, second, third])
  await readAll(gateways)
  // Three gateways with a limit of eight each would have 24, however well they answered. On a quiet machine they have more than 60.
  expect(all.most).toBeGreaterThan(30)
})

test('behavior: gateways and other hosts never exceed their limits of concurrent requests', async () => {
  const all: Under = { now: 0, most: 0 }
  await using only = await startGateway(all)
  await using gateways = patiently([only], { perGatewayConcurrency: 10 })
  await readAll(gateways, 200)
  expect(only.own.most).toBe(10)
  await using stranger = await startGateway(all)
  await using others = patiently([stranger], { ipfsGateways: [] })
  await readAll(others, 200)
  expect(stranger.own.most).toBe(8)
})

test('behavior: a gateway that rejects requests gets fewer, and the others continue', async () => {
  const all: Under = { now: 0, most: 0 }
  await using good = await startGateway(all)
  await using small = await startGateway(all, 10)
  await using gateways = patiently([small, good])
  await readAll(gateways)
  expect(small.own.rejected).toBeGreaterThan(0)
  // Each rejection halves the limit, which then grows by one per round.
  expect(small.own.rejected).toBeLessThan(documents / 40)
  // It started with eight; the growth depends on the load of the machine.
  expect(good.own.most).toBeGreaterThan(12)
})
