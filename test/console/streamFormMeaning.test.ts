import fc from 'fast-check'
import { encodeAbiParameters, encodeEventTopics, type Hex, toEventSelector, toEventSignature } from 'viem'
import { expect, test } from 'vitest'
import { compileStream, judge } from '../../src/stream/match/compileStream.ts'
import { definitionSchema } from '../../src/stream/streamDefinition.ts'
import { changesOf, formOf, previewOf } from '../../web/views/streams/form/streamForm.ts'

type Input = { name: string; type: string; indexed: boolean }
type Event = { type: 'event'; name: string; inputs: Input[] }

const event = (name: string, ...inputs: string[]): Event => ({
  ...{ type: 'event', name },
  inputs: inputs.map((text) => {
    const [type = '', indexed, last = indexed] = text.split(' ')
    return { type, indexed: indexed === 'indexed', name: last ?? '' }
  }),
})
const events = [
  event('Transfer', 'address indexed from', 'address indexed to', 'uint256 value'),
  event('Transfer', 'address indexed from', 'address indexed to', 'uint256 indexed tokenId'),
  event('Paused', 'bool on', 'string note'),
  event('Blob', 'bytes data', 'bytes4 indexed mark', 'bytes1 old'),
  event('Many', 'uint256[] ids', 'int8', 'int24 part', 'string indexed tag'),
  event('moves', 'bool moralis_streams_chain_id', 'string note'),
]
const anEvent = fc.constantFrom(...events)

const addresses = [`0x${'ab'.repeat(20)}`, `0x${'00'.repeat(20)}`]
/** Values of logs and filters: few, so that filters often match. */
const values: Record<string, readonly unknown[]> = {
  address: addresses,
  bool: [true, false],
  string: ['', ' ', 'a\nb', 'a, b', '\r', 'x', ' y', '\u2028'],
  bytes: ['0x', '0x12', '0xAB'],
  bytes4: ['0x12345678', '0xABCDEF00'],
  bytes1: ['0x01', '0x02'],
  'uint256[]': [[], [5n], [5n, 0n]],
  number: [0n, 5n, 7n, 16n],
}
const valuesOf = (type: string) => values[type] ?? values.number!
const numbers = ['5', '0x10', '007', 5, 0, -0, '16']
const otherSpellings: Record<string, readonly unknown[]> = {
  bool: ['true', 'false'],
  address: [`0x${'AB'.repeat(20)}`],
}
const operandOf = (type: string): fc.Arbitrary<unknown> =>
  type === 'uint256[]'
    ? fc.constantFrom([], ['5'], [5, '0'])
    : fc.constantFrom(...(values[type] ?? numbers), ...(otherSpellings[type] ?? []))

/** The spellings of an event that a stream accepts. */
function spelled(one: Event): fc.Arbitrary<string> {
  const signature = toEventSignature(one as never)
  const topic = toEventSelector(signature)
  const [first = ''] = one.name
  const others = (first === 'm' ? 'M' : first.toLowerCase()) + signature.slice(1)
  const withNames = one.inputs
    .map(({ type, indexed, name }) => `${type} ${indexed ? 'indexed ' : ''}${name}`)
    .join(', ')
  return fc.constantFrom(
    ...[signature, topic, `0x${topic.slice(2).toUpperCase()}`, others, toEventSelector(others)],
    ...[signature.replaceAll(',', ', '), ` ${signature} `, `event ${one.name}(${withNames});`],
  )
}

function filterFor({ inputs }: Event): fc.Arbitrary<unknown> {
  const contract: Input = { name: 'moralis_streams_contract_address', type: 'address', indexed: false }
  const chain: Input = { name: 'moralis_streams_chain_id', type: 'uint256', indexed: false }
  const rule = fc.constantFrom(...inputs, contract, chain).chain(({ name, type }) => {
    const single = fc.record({ operator: fc.constantFrom('eq', 'ne', 'lt', 'gte'), value: operandOf(type) })
    const several = fc.record({
      operator: fc.constantFrom('in', 'nin'),
      value: fc.array(operandOf(type), { maxLength: 3 }),
    })
    return fc.oneof(single, several).map(({ operator, value }) => ({ [operator]: [name, value] }))
  })
  const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4, depthSize: 'small' },
      rule,
      fc
        .record({
          operator: fc.constantFrom('and', 'or'),
          parts: fc.array(tie('tree'), { minLength: 2, maxLength: 3 }),
        })
        .map(({ operator, parts }) => ({ [operator]: parts })),
    ),
  }))
  return tree
}

const matched = fc
  .record({
    abi: fc.shuffledSubarray(events),
    topic0: fc.array(anEvent.chain(spelled), { maxLength: 3 }),
    advancedOptions: fc.array(
      anEvent.chain((one) =>
        fc.record(
          {
            topic0: spelled(one),
            filter: fc.oneof(filterFor(one), fc.constant({})),
            includeNativeTxs: fc.boolean(),
          },
          { requiredKeys: ['topic0'] },
        ),
      ),
      { maxLength: 3 },
    ),
    isListed: fc.boolean(),
  })
  .map(({ isListed, topic0, ...rest }) => ({
    ...rest,
    topic0: isListed ? [...topic0, ...rest.advancedOptions.map((option) => option.topic0)] : topic0,
  }))

const unchanged = {
  ...{ id: '', webhookUrl: 'http://a', description: '', tag: '', chainIds: ['0x1'], allAddresses: false },
  ...{ includeNativeTxs: false, includeContractLogs: true, includeInternalTxs: false, includeAllTxLogs: false },
  ...{ getNativeBalances: [], filterPossibleSpam: false, demo: false, confirmedOnly: false, status: 'active' },
  ...{ statusMessage: '', webhookSecret: '', headers: {}, delivery: 'ordered', gzip: false, amountOfAddresses: 1 },
  ...{ createdAt: '', updatedAt: '' },
}

const compile = (definition: object) =>
  compileStream({
    id: '',
    partition: 0,
    chainId: 1n,
    tag: '',
    definition: definitionSchema.parse(definition),
    fromBlock: 0n,
  })

/** Streams that the server accepts. */
const aStream = matched
  .map((part) => ({ ...unchanged, ...part }) as unknown as Parameters<typeof formOf>[0])
  .filter((stream) => {
    try {
      compile(stream)
      return true
    } catch {
      return false
    }
  })

const logs = fc.sample(
  anEvent.chain((one) =>
    fc.tuple(...one.inputs.map(({ type }) => fc.constantFrom(...valuesOf(type)))).map((args) => logOf(one, args)),
  ),
  { numRuns: 100, seed: 1 },
)

function logOf({ name, inputs, type }: Event, args: readonly unknown[]) {
  // The library takes the arguments by their names.
  const named = inputs.map((input, i) => ({ ...input, name: `a${i}` }))
  const own = named.filter(({ indexed }) => !indexed)
  const byName = Object.fromEntries(args.map((value, i) => [`a${i}`, value]))
  const topics = encodeEventTopics({ abi: [{ type, name, inputs: named }], eventName: name, args: byName } as never)
  const data = encodeAbiParameters(own, own.map((input) => byName[input.name]) as never)
  return { address: addresses[0]!, topics: topics as Hex[], data } as unknown as Parameters<typeof judge>[1]
}

const verdicts = (definition: object) => {
  const stream = compile(definition)
  return logs.map((log) => judge(stream, log, 0b1111))
}

test('behavior: what the stream form shows and saves means what the stream means', () => {
  const seen = new Set<string>()
  fc.assert(
    fc.property(aStream, (stream) => {
      const form = formOf(stream)
      expect(changesOf(form, stream)).toEqual({})
      const before = verdicts(stream)
      expect(verdicts({ ...stream, ...previewOf(form, '0x1', stream) })).toEqual(before)
      // A changed text of the ABI, such as a blank, makes the form write it again.
      const changes = changesOf({ ...form, abi: form.abi && `${form.abi}\n` }, stream)
      if (changes.abi?.length !== 0) expect(verdicts({ ...stream, ...changes })).toEqual(before)
      for (const verdict of before) seen.add(verdict)
    }),
    { numRuns: 300 },
  )
  expect([...seen].sort()).toEqual(['log', 'no', 'withTx'])
})
