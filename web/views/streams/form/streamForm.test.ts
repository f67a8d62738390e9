import { expect, test } from 'vitest'
import { filterOf } from './filterTree.ts'
import { readAbi } from './readAbi.ts'
import {
  addressesFault,
  addressesIn,
  changesOf,
  creationOf,
  formOf,
  headersFault,
  newChoice,
  newForm,
  previewOf,
} from './streamForm.ts'

const abi = readAbi('event Transfer(address indexed from, address indexed to, uint256 value)\nevent Paused(bool on)')
const [transfer, paused] = abi.events
const filter = { gt: ['value', '5'] }
const stream = {
  id: '7d6f2f0e-5f0a-4b7e-9d1f-1f1b8b0f2a11',
  webhookUrl: 'https://shop.example/hooks',
  description: 'shop',
  tag: 'shop',
  chainIds: ['0x1'],
  topic0: [transfer!.topic, 'Paused(bool)'],
  allAddresses: false,
  includeNativeTxs: false,
  includeContractLogs: true,
  includeInternalTxs: false,
  includeAllTxLogs: false,
  abi: [transfer!.forms[0]!.item, paused!.forms[0]!.item, { type: 'function', name: 'f' }] as {
    type: string
    name: string
  }[],
  advancedOptions: [{ topic0: transfer!.topic, filter, includeNativeTxs: true }],
  getNativeBalances: [],
  filterPossibleSpam: false,
  demo: false,
  confirmedOnly: false,
  status: 'active' as const,
  statusMessage: '',
  webhookSecret: 'whsec_x',
  headers: { authorization: null },
  delivery: 'ordered' as const,
  gzip: false,
  amountOfAddresses: 1,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
}

test('default: saving an unchanged stream sends no changes', () => {
  expect(changesOf(formOf(stream), stream)).toEqual({})
})

test('behavior: sends only changed fields, and never touches fields that the form does not show', () => {
  const form = formOf(stream)
  expect(changesOf({ ...form, tag: 'other', headers: '' }, stream)).toEqual({ tag: 'other', headers: {} })
  expect(changesOf({ ...form, headers: 'Authorization: Basic a:b\nx-more:' }, stream)).toEqual({
    headers: { Authorization: 'Basic a:b', 'x-more': null },
  })
  // The chosen events' order is the order of the form; the ABI stays whole.
  const [first, second] = form.events
  expect(first).toMatchObject({ topic0: transfer!.topic, event: { signature: transfer!.signature } })
  expect(second).toMatchObject({ topic0: 'Paused(bool)', includeNativeTxs: false })
  expect(changesOf({ ...form, events: [first!] }, stream)).toEqual({ topic0: [transfer!.topic] })
  expect(changesOf({ ...form, events: [{ ...first!, includeNativeTxs: false }, second!] }, stream)).toEqual({
    advancedOptions: [{ topic0: transfer!.topic, filter }],
  })
})

test('behavior: a new stream has the ABI of its chosen events only, and options for events with a filter', () => {
  const choice = { ...newChoice(transfer!.signature, transfer), includeNativeTxs: true }
  const form = {
    ...newForm(['0x1', '0x89']),
    events: [choice, newChoice(paused!.signature, paused)],
    webhookUrl: ' https://a.example ',
  }
  const body = creationOf({ ...form, abi: 'whatever', fromBlocks: { '0x1': ' 17 ', '0x5': '1' } })
  expect(body).toMatchObject({
    webhookUrl: 'https://a.example',
    topic0: ['Transfer(address,address,uint256)', 'Paused(bool)'],
    abi: [transfer!.forms[0]!.item, paused!.forms[0]!.item],
    advancedOptions: [{ topic0: 'Transfer(address,address,uint256)', includeNativeTxs: true }],
    fromBlocks: { '0x1': '17' },
  })
  expect(body).not.toHaveProperty('headers')
  expect(body).not.toHaveProperty('webhookSecret')
})

test('behavior: an event with two filters keeps both, even if one is empty', () => {
  const twice = { ...stream, advancedOptions: [{ topic0: transfer!.topic, filter }, { topic0: transfer!.topic }] }
  const form = formOf(twice)
  expect(form.events.map((choice) => filterOf(choice.filter, transfer!.inputs))).toEqual([filter, undefined, undefined])
  expect(changesOf(form, twice)).toEqual({})
})

test('behavior: an event keeps its filter if topic0 is spelled differently than in the ABI', () => {
  for (const topic0 of [
    'transfer(address,address,uint256)',
    'Transfer(address, address, uint)',
    'event Transfer(address indexed from, address indexed to, uint256 value);',
  ]) {
    const spelled = { ...stream, topic0: [topic0], advancedOptions: [{ topic0, filter }] }
    const form = formOf(spelled)
    expect(form.events).toMatchObject([{ topic0, event: { signature: transfer!.signature } }])
    const [choice] = form.events
    expect(changesOf({ ...form, events: [{ ...choice!, includeNativeTxs: true }] }, spelled), topic0).toEqual({
      advancedOptions: [{ topic0, filter, includeNativeTxs: true }],
    })
  }
  // The same event with a filter and without one is one choice.
  const mixed = { ...stream, topic0: ['Transfer(address,address,uint256)'] }
  const advancedOptions = [{ topic0: 'transfer(address,address,uint256)', filter }]
  expect(formOf({ ...mixed, advancedOptions }).events).toHaveLength(1)
  // Two spellings of it, of which one has no filter: the stream matches each log of the event.
  const pair = { ...mixed, advancedOptions: [{ topic0: transfer!.topic, filter }, { topic0: mixed.topic0[0]! }] }
  const form = formOf(pair)
  expect(
    changesOf({ ...form, events: form.events.with(0, { ...form.events[0]!, includeNativeTxs: true }) }, pair),
  ).toEqual({
    advancedOptions: [{ topic0: transfer!.topic, filter, includeNativeTxs: true }, { topic0: mixed.topic0[0] }],
  })
})

test('behavior: a stream of every event keeps the others when an event gets a filter', () => {
  const every = { ...stream, topic0: [], advancedOptions: [{ topic0: transfer!.topic, filter }] }
  const form = formOf(every)
  expect(form).toMatchObject({ otherEvents: true, events: [{ topic0: transfer!.topic }] })
  expect(previewOf(form, '0x1', every)).toMatchObject({ topic0: [], advancedOptions: every.advancedOptions })
  expect(changesOf({ ...form, events: [{ ...form.events[0]!, includeNativeTxs: true }] }, every)).toEqual({
    advancedOptions: [{ topic0: transfer!.topic, filter, includeNativeTxs: true }],
  })
  expect(changesOf({ ...form, otherEvents: false }, every)).toEqual({ topic0: [transfer!.topic] })
})

test('behavior: an event with several forms in the ABI keeps them all', () => {
  const inputs = ['from', 'to', 'tokenId'].map((name) => ({ name, type: name === 'tokenId' ? 'uint256' : 'address' }))
  const nft = { type: 'event', name: 'Transfer', inputs: inputs.map((input) => ({ ...input, indexed: true })) }
  const both = [transfer!.forms[0]!.item as typeof nft, nft]
  const ofNft = { topic0: transfer!.topic, filter: { eq: ['tokenId', '5'] } }
  const twice = { ...stream, abi: both, topic0: [transfer!.topic], advancedOptions: [ofNft] }
  const form = formOf(twice)
  expect(form.events[0]!.filter.parts).toMatchObject([{ kind: 'rule', name: 'tokenId', value: '5' }])
  expect(creationOf({ ...form, abi: `${form.abi}\n` }).abi).toEqual(both)
  expect(changesOf({ ...form, abi: `${form.abi}\n` }, twice)).toEqual({})
})

test('behavior: the filter of an event that the form does not find stays unchanged', () => {
  const advancedOptions = [{ topic0: 'Other(byte)', filter: { eq: ['mark', '0x01'] } }]
  const other = { ...stream, topic0: ['Other(byte)'], advancedOptions }
  const form = formOf(other)
  expect(changesOf({ ...form, events: [{ ...form.events[0]!, includeNativeTxs: true }] }, other)).toEqual({
    advancedOptions: [{ ...advancedOptions[0], includeNativeTxs: true }],
  })
})

test('default: a preview uses the typed addresses, or those of the stream', () => {
  const form = { ...newForm(['0x1']), addresses: '0xa, 0xb\n["0xc"]' }
  expect(addressesIn(form.addresses)).toEqual(['0xa', '0xb', '0xc'])
  expect(previewOf(form, '0x1', undefined)).toMatchObject({ chainId: '0x1', addresses: ['0xa', '0xb', '0xc'] })
  expect(previewOf(formOf(stream), '0x1', stream)).toMatchObject({ streamId: stream.id })
})

test('error: a text with a part that is not an address is rejected with that part', () => {
  expect(addressesFault(`0x${'Ab'.repeat(20)}, 0x12`)).toBe('0x12 is not an address. Enter 0x and 40 hex digits.')
  expect(addressesFault(` 0x${'Ab'.repeat(20)}\n`)).toBe('')
})

test('error: a header that is given twice is rejected, in any capitals', () => {
  const fault = 'There are two headers x-a. Enter each header once.'
  expect(headersFault('X-A: 1\nX-B: 1\nX-A: 2')).toBe(fault)
  expect(headersFault('X-A: 1\n x-a : 2')).toBe(fault)
  expect(headersFault('X-A: x-a: 1\n\nX-B:\n')).toBe('')
})
