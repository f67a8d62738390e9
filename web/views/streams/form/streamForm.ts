import type { components } from '../../../api/apiCall.ts'
import { filterOf, type Group, newGroup, treeOf } from './filterTree.ts'
import { type EventInput, findEvent, type KnownEvent, readAbi, topicOf } from './readAbi.ts'

type Stream = components['schemas']['Stream']
type CreateStream = components['schemas']['CreateStream']
type UpdateStream = components['schemas']['UpdateStream']
type PreviewStream = components['schemas']['PreviewStream']

/** An event that a stream matches, and which of its logs. */
export type EventChoice = {
  key: number
  /** As in the stream: a signature or a hash. */
  topic0: string
  /** The event in the ABI; undefined: the form does not find it there, so it keeps the filter and offers no other. */
  event: KnownEvent | undefined
  includeNativeTxs: boolean
  filter: Group
}

/** Values of the stream form; texts are as typed. */
export type StreamForm = {
  webhookUrl: string
  description: string
  tag: string
  chainIds: readonly string[]
  abi: string
  events: readonly EventChoice[]
  /** Logs of events that are not chosen match too. */
  otherEvents: boolean
  /** One per line, for new streams only: others are changed on the stream's page. */
  addresses: string
  allAddresses: boolean
  includeContractLogs: boolean
  includeNativeTxs: boolean
  includeInternalTxs: boolean
  includeAllTxLogs: boolean
  filterPossibleSpam: boolean
  confirmedOnly: boolean
  delivery: 'ordered' | 'unordered'
  gzip: boolean
  /** `Name: value`, one per line; a name alone keeps the stored value. */
  headers: string
  webhookSecret: string
  /** First block of history by chain. */
  fromBlocks: Readonly<Record<string, string>>
}

let lastKey = 0

export function newChoice(topic0: string, event: KnownEvent | undefined): EventChoice {
  return { key: ++lastKey, topic0, event, includeNativeTxs: false, filter: newGroup() }
}

/** Inputs of an event that the form knows. */
export function inputsOf({ event }: EventChoice): readonly EventInput[] {
  return event?.inputs ?? []
}

/** The topic0 in the ABI of an event, which may be spelled in several ways. */
export function topicOfChoice({ topic0, event }: Pick<EventChoice, 'topic0' | 'event'>): string {
  return event?.topic ?? topicOf(topic0)
}

export function newForm(chainIds: readonly string[]): StreamForm {
  return {
    webhookUrl: '',
    description: '',
    tag: '',
    chainIds,
    abi: '',
    events: [],
    otherEvents: false,
    addresses: '',
    allAddresses: false,
    includeContractLogs: true,
    includeNativeTxs: false,
    includeInternalTxs: false,
    includeAllTxLogs: false,
    filterPossibleSpam: false,
    confirmedOnly: false,
    delivery: 'ordered',
    gzip: false,
    headers: '',
    webhookSecret: '',
    fromBlocks: {},
  }
}

/** The form of an existing stream. */
export function formOf(stream: Stream): StreamForm {
  const abi = abiText(stream)
  const { events } = readAbi(abi)
  const chosen = (topic0: string) => newChoice(topic0, findEvent(events, topic0))
  const advanced = stream.advancedOptions.map(({ topic0, filter, includeNativeTxs }) => {
    const choice = chosen(topic0)
    return { ...choice, includeNativeTxs: includeNativeTxs ?? false, filter: treeOf(filter, inputsOf(choice)) }
  })
  const refined = new Set(advanced.map(topicOfChoice))
  const plain = stream.topic0.map(chosen).filter((choice) => !refined.has(topicOfChoice(choice)))
  return {
    webhookUrl: stream.webhookUrl,
    description: stream.description,
    tag: stream.tag,
    chainIds: stream.chainIds,
    abi,
    events: [...advanced, ...plain],
    otherEvents: stream.topic0.length === 0 && advanced.length > 0,
    addresses: '',
    allAddresses: stream.allAddresses,
    includeContractLogs: stream.includeContractLogs,
    includeNativeTxs: stream.includeNativeTxs,
    includeInternalTxs: stream.includeInternalTxs,
    includeAllTxLogs: stream.includeAllTxLogs,
    filterPossibleSpam: stream.filterPossibleSpam,
    confirmedOnly: stream.confirmedOnly,
    delivery: stream.delivery,
    gzip: stream.gzip,
    headers: Object.keys(stream.headers)
      .map((name) => `${name}:`)
      .join('\n'),
    webhookSecret: '',
    fromBlocks: {},
  }
}

function abiText({ abi }: Stream): string {
  return abi.length === 0 ? '' : JSON.stringify(abi, null, 2)
}

/** The matching part of the request. `before`: the stream that it changes. */
function matchedBy(form: StreamForm, before: Stream | undefined) {
  const topics = [...new Set(form.events.map(({ topic0 }) => topic0))]
  const refined = new Set(
    form.events.filter((choice) => choice.includeNativeTxs || choice.filter.parts.length > 0).map(topicOfChoice),
  )
  const { allAddresses, includeContractLogs, includeNativeTxs, includeInternalTxs, includeAllTxLogs } = form
  return {
    topic0: form.otherEvents ? [] : topics,
    abi: abiItems(form, before),
    advancedOptions: form.events
      .filter((choice) => form.otherEvents || refined.has(topicOfChoice(choice)))
      .map((choice) => {
        const filter = filterOf(choice.filter, inputsOf(choice))
        return {
          topic0: choice.topic0,
          ...(filter && { filter }),
          ...(choice.includeNativeTxs && { includeNativeTxs: true }),
        }
      }),
    allAddresses,
    includeContractLogs,
    includeNativeTxs,
    includeInternalTxs,
    includeAllTxLogs,
    filterPossibleSpam: form.filterPossibleSpam,
    confirmedOnly: form.confirmedOnly,
  }
}

/** Every webhook contains the ABI, so it has only the chosen events. A stream's ABI stays unchanged until it is edited. */
function abiItems(form: StreamForm, before: Stream | undefined): Stream['abi'] {
  if (before && form.abi === abiText(before)) return before.abi
  const events = new Map(form.events.flatMap(({ event }) => (event ? [[event.topic, event]] : [])))
  return [...events.values()].flatMap(({ forms }) => forms.map(({ item }) => item)) as Stream['abi']
}

/** Addresses of a text, separated by line breaks, commas or blanks. */
export function addressesIn(text: string): string[] {
  return text.split(/[\s,;"'[\]]+/).filter((address) => address !== '')
}

/** Why a stream cannot have the addresses of a text; empty: it can. */
export function addressesFault(text: string): string {
  const wrong = addressesIn(text).find((address) => !/^0x[0-9a-fA-F]{40}$/.test(address))
  return wrong === undefined ? '' : `${wrong.slice(0, 80)} is not an address. Enter 0x and 40 hex digits.`
}

function headerLines(text: string): [name: string, value: string | null][] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [name = '', ...value] = line.split(':')
      return [name.trim(), value.join(':').trim() || null]
    })
}

/** Why a stream cannot have the headers of a text; empty: it can, or the server shows the reason. */
export function headersFault(text: string): string {
  const names = headerLines(text).map(([name]) => name.toLowerCase())
  const repeated = names.find((name, i) => names.indexOf(name) < i)
  return repeated === undefined ? '' : `There are two headers ${repeated.slice(0, 80)}. Enter each header once.`
}

function headersIn(text: string): Record<string, string | null> | undefined {
  const lines = headerLines(text)
  return lines.length === 0 ? undefined : Object.fromEntries(lines)
}

function fromBlocksIn({ fromBlocks, chainIds }: StreamForm): Record<string, string> | undefined {
  const given = chainIds.flatMap((id) => (fromBlocks[id]?.trim() ? [[id, fromBlocks[id].trim()]] : []))
  return given.length > 0 ? Object.fromEntries(given) : undefined
}

/** The body that creates a stream. */
export function creationOf(form: StreamForm): CreateStream {
  const headers = headersIn(form.headers)
  const fromBlocks = fromBlocksIn(form)
  return {
    webhookUrl: form.webhookUrl.trim(),
    description: form.description,
    tag: form.tag,
    chainIds: [...form.chainIds],
    ...matchedBy(form, undefined),
    delivery: form.delivery,
    gzip: form.gzip,
    ...(headers && { headers }),
    ...(form.webhookSecret.trim() && { webhookSecret: form.webhookSecret.trim() }),
    ...(fromBlocks && { fromBlocks }),
  }
}

/** The body that changes a stream: only changed fields. */
export function changesOf(form: StreamForm, stream: Stream): UpdateStream {
  const before: Record<string, unknown> = creationOf(formOf(stream))
  const after: Record<string, unknown> = { ...creationOf(form), ...matchedBy(form, stream) }
  Object.assign(before, matchedBy(formOf(stream), stream))
  if (form.headers.trim() === '' && Object.keys(stream.headers).length > 0) after.headers = {}
  return Object.fromEntries(
    Object.entries(after).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name])),
  )
}

/** The body of a preview request for the last blocks of a chain. */
export function previewOf(form: StreamForm, chainId: string, stream: Stream | undefined): PreviewStream {
  return {
    chainIds: [...form.chainIds],
    chainId,
    ...matchedBy(form, stream),
    ...(stream ? { streamId: stream.id } : { addresses: addressesIn(form.addresses) }),
  }
}
