import { expect, test } from 'vitest'
import { findEvent, readAbi, topicOf } from './readAbi.ts'

const transfer = {
  type: 'event',
  name: 'Transfer',
  inputs: [
    { name: 'from', type: 'address', indexed: true },
    { name: 'to', type: 'address', indexed: true },
    { name: 'value', type: 'uint256', indexed: false },
  ],
}
const signature = 'Transfer(address,address,uint256)'
const signatures = (text: string) => readAbi(text).events.map((event) => event.signature)

test('default: reads events of a JSON ABI, a compiler artifact, an explorer response and signature lines', () => {
  const abi = [{ type: 'function', name: 'transfer', inputs: [] }, transfer, transfer]
  const { events, fault } = readAbi(JSON.stringify(abi))
  expect(fault).toBeNull()
  expect(events).toEqual([
    {
      signature,
      topic: topicOf(signature),
      inputs: transfer.inputs,
      forms: [{ inputs: transfer.inputs, item: transfer }],
      unusable: null,
    },
  ])
  const others = [
    JSON.stringify({ contractName: 'Token', abi }),
    JSON.stringify({ status: '1', result: JSON.stringify(abi) }),
    JSON.stringify(transfer),
    `// of the token
     function transfer(address to, uint256 value);
     event Transfer(address indexed from, address indexed to, uint256 value);`,
  ]
  for (const text of others) {
    expect(signatures(text), text).toEqual([signature])
    expect(readAbi(text).events[0]!.inputs, text).toMatchObject(transfer.inputs)
  }
  expect(readAbi('')).toEqual({ events: [], fault: null })
})

test('behavior: expands tuples, resolves structs and completes short type names', () => {
  const point = { name: 'at', type: 'tuple[2]', components: [{ type: 'int8' }, { type: 'tuple', components: [] }] }
  expect(signatures(JSON.stringify([{ type: 'event', name: 'Moved', inputs: [point] }]))).toEqual([
    'Moved((int8,())[2])',
  ])
  const lines = 'struct Point {\n  uint x;\n  address owner;\n}\nevent Drawn(Point[] points, uint indexed count);'
  expect(signatures(lines)).toEqual(['Drawn((uint256,address)[],uint256)'])
  expect(signatures('event Counted(uint indexed count, bytes32[] marks)')).toEqual(['Counted(uint256,bytes32[])'])
})

test('behavior: forms of an event with other indexed inputs or names are one event', () => {
  const nft = { ...transfer, inputs: transfer.inputs.map((input) => ({ ...input, indexed: true })) }
  const named = { ...transfer, inputs: transfer.inputs.map((input) => ({ ...input, name: `_${input.name}` })) }
  const anonymous = { ...transfer, anonymous: true }
  const { events } = readAbi(JSON.stringify([anonymous, transfer, nft, transfer, named]))
  expect(events.map(({ signature: of, unusable }) => [of, unusable === null])).toEqual([
    [signature, false],
    [signature, true],
  ])
  expect(events[1]!.forms.map(({ item }) => item)).toEqual([transfer, nft, named])
  expect(events[1]!.inputs.map(({ name }) => name)).toEqual([
    ...['from', 'to', 'value'],
    ...['from', 'to', 'value'],
    ...['_from', '_to', '_value'],
  ])
  expect(findEvent(events, signature)).toBe(events[1])
})

test('behavior: an event without a usable topic0 or with too many indexed inputs is shown with the reason', () => {
  const many = {
    ...transfer,
    name: 'Many',
    inputs: ['a', 'b', 'c', 'd'].map((name) => ({ name, type: 'bool', indexed: true })),
  }
  const { events } = readAbi(JSON.stringify([{ ...transfer, anonymous: true }, many]))
  expect(events.map(({ unusable }) => unusable)).toEqual([
    'it is anonymous, so its logs have no topic0',
    'it has 4 indexed inputs, and a log can have only 3',
  ])
  expect(readAbi('event Hidden(uint256 a) anonymous').events[0]!.unusable).toMatch(/anonymous/)
})

test('error: reports text that is not an ABI, and skips only malformed events', () => {
  expect(readAbi('[{').fault).toMatch(/^This is not JSON: .*Allowed: a JSON ABI/)
  expect(readAbi('{"name": "x"}').fault).toMatch(/^This JSON has no list of ABI items/)
  expect(readAbi('[]').fault).toBe('This ABI has no event.')
  expect(readAbi('hello').fault).toMatch(/^No line begins with event/)
  const strange = [
    null,
    7,
    { ...transfer, name: '<img src=x onerror=alert(1)>' },
    { ...transfer, name: '__proto__', inputs: [null] },
    { ...transfer, inputs: 'address' },
    { ...transfer, inputs: [{ name: 'a', type: '<b>' }] },
    { ...transfer, inputs: [{ name: 'a', type: { toString: 1 } }] },
    { ...transfer, inputs: [{ name: 'a', type: 'tuple' }] },
    { ...transfer, name: 'Kept' },
  ]
  const { events, fault } = readAbi(JSON.stringify(strange))
  expect(events.map((event) => event.signature)).toEqual(['Kept(address,address,uint256)'])
  expect(fault).toBe('6 of the events are malformed and omitted.')
})

test('behavior: an ABI that is slow to parse is read immediately or rejected', () => {
  let deep: object = { name: 'x', type: 'bool' }
  for (let i = 0; i < 2_000; i++) deep = { name: 'x', type: 'tuple', components: [deep] }
  const hostile = [
    JSON.stringify([{ type: 'event', name: 'Deep', inputs: [deep] }]),
    `event A(${'('.repeat(1_900)}`,
    `event A(${'uint256 '.repeat(240)})`,
    `event A(${'(uint256 a,'.repeat(90)}uint256 z${')'.repeat(90)})`,
    `event A(uint256${'[]'.repeat(900)} a)`,
    `event ${'a'.repeat(1_900)}`,
    `${Array.from({ length: 60 }, (_, i) => `struct S${i} { S${(i + 1) % 60} a; }`).join('\n')}\nevent A(S0 a)`,
    `[${'['.repeat(400_000)}`,
    'x'.repeat(1_000_001),
  ]
  for (const text of hostile) expect(readAbi(text).fault, text.slice(0, 40)).not.toBeNull()
  const many = Array.from({ length: 3_000 }, (_, i) => ({ ...transfer, name: `E${i}` }))
  expect(readAbi(JSON.stringify(many))).toMatchObject({ fault: 'Only the first 1000 events are shown.' })
  expect(readAbi(JSON.stringify(many)).events).toHaveLength(1_000)
})

test('default: computes topic0 of a signature or hash', () => {
  expect(topicOf(signature)).toBe('0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef')
  expect(topicOf(`0x${'AB'.repeat(32)}`)).toBe(`0x${'ab'.repeat(32)}`)
})
