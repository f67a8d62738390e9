import { expect, test } from 'vitest'
import { parseQuery } from './parseQuery.ts'

const shape = { scalars: new Set(['limit', 'chain']), lists: new Set(['x']) }

test.each([
  ['x=a&x=b'],
  ['x[]=a&x[]=b'],
  ['x%5B%5D=a&x%5b%5d=b'],
  ['x[0]=a&x[1]=b'],
  ['x%5B1%5D=b&x%5B0%5D=a'],
  ['x=a,b'],
  ['x=a%2Cb'],
  ['x[]=a,b'],
])('default: parses the list %s', (search) => {
  expect({ ...parseQuery(`?${search}`, shape) }).toEqual({ x: ['a', 'b'] })
})

test('behavior: ignores unknown parameters, including names of Object.prototype', () => {
  expect({ ...parseQuery('?network=mainnet&limit=1&__proto__=a&constructor=b&toString[]=c', shape) }).toEqual({
    limit: '1',
  })
})

test('behavior: decodes plus signs as spaces and keeps invalid percent-encoding', () => {
  expect({ ...parseQuery('?chain=bsc+testnet', shape) }).toEqual({ chain: 'bsc testnet' })
  expect({ ...parseQuery('?chain=bsc%20testnet', shape) }).toEqual({ chain: 'bsc testnet' })
  expect({ ...parseQuery('?chain=%zz', shape) }).toEqual({ chain: '%zz' })
})

test.each(['limit=1&limit=1', 'limit[]=1', 'limit[0]=1'])(
  'error: rejects %s for a parameter of one value',
  (search) => {
    expect(() => parseQuery(`?${search}`, shape)).toThrow(
      expect.objectContaining({ code: 'BAD_REQUEST', details: { parameter: 'limit' } }),
    )
  },
)
