import { expect, test } from 'vitest'
import { startThread } from './thread.ts'

const start = () => startThread<string, string>('../../../test/blockedThread', null)

test('behavior: stop ends a thread during a message that it never answers', async () => {
  const thread = start()
  expect(await thread.send('first')).toBe('first')
  const failed = expect(thread.send('block')).rejects.toThrow('ended before its work was done')
  await thread.stop()
  await thread.ended
  await failed
  await expect(thread.send('later')).rejects.toThrow('ended before its work was done')
})

test('behavior: stop ends a thread that still loads, after its first message', async () => {
  const thread = start()
  const first = thread.send('first')
  const stopped = thread.stop()
  expect(await first).toBe('first')
  await stopped
})

test('behavior: stop ends a thread without messages, and one that has ended', async () => {
  const thread = start()
  await thread.stop()
  await thread.ended
  await thread.stop()
})
