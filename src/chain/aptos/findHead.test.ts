import { expect, test } from 'vitest'
import { createRandom, freshSeed } from '../../../test/random.ts'
import { findHead } from './findHead.ts'

const seed = freshSeed()

test.each([0n, 1n, 99_999n, 100_000n, 100_001n, 1_600_000n, 6_643_353_877n, 2n ** 39n])(
  'default: finds the head %s to within 100,000 versions, in at most nine rounds of eight probes',
  async (head) => {
    let requested = 0
    const found = await findHead(0n, async (version) => {
      requested += 1
      return version <= head
    })
    expect(found).toBeLessThanOrEqual(head)
    expect(head - found).toBeLessThanOrEqual(100_000n)
    expect(requested).toBeLessThanOrEqual(9 * 8)
  },
)

test(`behavior: never returns a version beyond the head, from any start (seed ${seed})`, async () => {
  const random = createRandom(seed)
  for (let i = 0; i < 200; i++) {
    const head = BigInt(random.int(2 ** 32)) * 4n
    const from = (head * BigInt(random.int(1_000))) / 1_000n
    const found = await findHead(from, async (version) => version <= head)
    expect(found >= from && found <= head && head - found <= 100_000n).toBe(true)
  }
})

test('behavior: a probe that fails by chance still leads to within 100,000 versions of the head', async () => {
  let first = true
  const found = await findHead(0n, async (version) => {
    const unlucky = first
    first = false
    return !unlucky && version <= 5_000_000n
  })
  expect(5_000_000n - found).toBeLessThanOrEqual(100_000n)
})
