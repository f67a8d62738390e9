import { expect, test } from 'vitest'
import { chainIdHex } from './parameters.ts'

test('default: a chain id may be any that a configuration allows', () => {
  const chain = chainIdHex({ description: '' })
  for (const id of [1n, 2n ** 60n, 2n ** 63n - 1n]) expect(chain.parse(`0x${id.toString(16)}`)).toBe(id)
  for (const text of [`0x${(2n ** 63n).toString(16)}`, '0x', '1', '0xg'])
    expect(chain.safeParse(text).success).toBe(false)
})
