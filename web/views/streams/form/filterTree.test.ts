import { expect, test } from 'vitest'
import { comparable, filterOf, newGroup, newRule, operatorsOf, treeOf } from './filterTree.ts'

const inputs = [
  { name: 'from', type: 'address', indexed: true },
  { name: 'value', type: 'uint256', indexed: false },
  { name: 'note', type: 'string', indexed: false },
  { name: '', type: 'bool', indexed: false },
  { name: 'flag', type: 'bool', indexed: false },
  { name: 'ids', type: 'uint256[]', indexed: false },
  { name: 'at', type: '(uint8,uint8)', indexed: false },
  { name: 'from', type: 'uint8', indexed: false },
]
const filters = [
  { gt: ['value', '5'] },
  { and: [{ eq: ['from', '0x1'] }, { or: [{ lte: ['value', '7'] }, { in: ['note', ['a, b', 'c']] }] }] },
  { or: [{ nin: ['value', ['1', '2']] }, { ne: ['moralis_streams_chain_id', '1'] }] },
]

test('default: a filter becomes a tree, and the tree becomes the same filter', () => {
  for (const filter of filters) expect(filterOf(treeOf(filter, inputs), inputs)).toEqual(filter)
})

test('behavior: single groups are unwrapped, empty groups are dropped, and blanks are trimmed except in strings', () => {
  expect(filterOf(newGroup(), inputs)).toBeUndefined()
  const rule = { ...newRule('value'), value: ' 5 ' }
  expect(filterOf(newGroup('or', [newGroup('and', [rule]), newGroup()]), inputs)).toEqual({ eq: ['value', '5'] })
  const note = { ...newRule('note'), value: ' x ' }
  expect(filterOf(newGroup('and', [note]), inputs)).toEqual({ eq: ['note', ' x '] })
  const list = { ...newRule('value'), operator: 'in' as const, value: '1, 2\n3' }
  expect(filterOf(newGroup('and', [list]), inputs)).toEqual({ in: ['value', ['1', '2', '3']] })
  expect(filterOf(newGroup('and', [{ ...list, name: 'note' }]), inputs)).toEqual({ in: ['note', ['1, 2', '3']] })
})

test('behavior: numbers and booleans of a stored filter become text', () => {
  expect(filterOf(treeOf({ gt: ['value', 5] }, inputs), inputs)).toEqual({ gt: ['value', '5'] })
  expect(filterOf(treeOf({ eq: ['flag', true] }, inputs), inputs)).toEqual({ eq: ['flag', 'true'] })
  for (const filter of [undefined, null, {}]) expect(treeOf(filter, inputs).parts).toEqual([])
})

test('behavior: parts that no field can show stay unchanged', () => {
  const unshown = [
    { eq: ['ids', ['1', '2']] },
    { in: ['ids', [['1', '2'], ['3']]] },
    { eq: ['at', { x: 1, y: '2' }] },
    { in: ['note', ['a\nb', 'c']] },
    { in: ['note', ['', 'x']] },
    { eq: ['note', 'a\nb'] },
    { eq: ['unknown', '1'] },
    { gt: ['flag', 1] },
    { gt: 'x' },
    { gt: ['value', '1'], lt: ['value', '3'] },
    [1],
  ]
  for (const filter of unshown) {
    const tree = treeOf(filter, inputs)
    expect(tree.parts).toMatchObject([{ kind: 'kept', filter }])
    expect(filterOf(tree, inputs)).toBe(filter)
  }
  const mixed = { and: [{ gt: ['value', '5'] }, unshown[0]] }
  const tree = treeOf(mixed, inputs)
  expect(tree.parts.map(({ kind }) => kind)).toEqual(['rule', 'kept'])
  expect(filterOf(tree, inputs)).toEqual(mixed)
})

test('default: lists the comparable inputs and the operators of each type', () => {
  expect(comparable(inputs).map(({ name, type }) => `${type} ${name}`)).toEqual([
    'address from',
    'uint256 value',
    'string note',
    'bool flag',
    'address moralis_streams_contract_address',
    'uint256 moralis_streams_chain_id',
  ])
  expect(operatorsOf('uint8')).toContain('lt')
  expect(operatorsOf('address')).toEqual(['eq', 'ne', 'in', 'nin'])
})
