import { expect, test } from 'vitest'
import { QueueModel } from '../../../../test/stream/queueModel.ts'
import type { Target } from '../attempt/target.ts'
import { type ClaimOwner, createClaims } from './claims.ts'
import { createLoader } from './createLoader.ts'
import { createStreamState, type SendQueue, setTarget } from './sendQueue.ts'

test('behavior: a stream whose only retry is held by a probe has its send queue read only once', async () => {
  const rows = new QueueModel()
  rows.enqueue(1n, { failures: 1, dueAt: 0 })
  const claims = createClaims<ClaimOwner>()
  const unused = () => Promise.reject(new Error('only retries are wanted'))
  const loader = createLoader({
    queue: {
      ...{ first: unused, replays: unused },
      retries: async (requested) => requested.map((one) => ({ ...rows.read('retries', one, 0), cut: false })),
    },
    claims,
    settings: { bufferBytes: 1_048_576, maxConcurrencyPerStream: 1 },
    onCapacity() {},
  })
  const onWanted = (sendQueue: SendQueue) => {
    if (sendQueue.kind === 'retries') loader.want(sendQueue)
  }
  const stream = createStreamState({ partition: 7, streamId: 's' }, { onWaiting() {}, onWanted, onDropped() {} })
  claims.take({ held: 0, stream }, rows.oldest()!)
  setTarget(stream, { status: 'active', url: 'http://receiver.example/' } as Target)
  expect(await loader.load()).toBe(true)
  expect(await loader.load()).toBe(false)
})
