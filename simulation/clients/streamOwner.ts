import { toEventSelector } from 'viem'
import type { Random } from '../../test/random.ts'
import { webhookSecret } from '../outside/receivers.ts'
import type { World } from '../world.ts'
import type { OwnedStream, Span } from './ownedStream.ts'

type Changed = { id: string; effectiveBlocks: Record<string, string> }
type Made = Changed & { status: string; statusMessage: string }

const chainId = '0x7a69'
const events = ['Transfer(address,address,uint256)', 'TransferSingle(address,address,address,uint256,uint256)']

/** Does one thing as an owner of streams: creates, changes, pauses, resumes or deletes one, replays a webhook, or reads. */
export async function changeStreams(world: World, random: Random): Promise<void> {
  const { streams } = world
  const alive = streams.filter((stream) => stream.deleted === undefined)
  const kind = random.int(10)
  if (alive.length < 3 || (kind === 0 && alive.length < 8)) return createStream(world, random)
  const stream = random.pick(alive)
  if (stream.isPaused && random.chance(0.5)) return setStatus(world, stream, 'active')
  if (kind < 4 && stream.spans) return changeAddresses(world, stream, random)
  if (kind < 5) return setStatus(world, stream, 'paused')
  if (kind < 7) return replay(world, stream, random)
  if (kind < 8) return random.chance(0.3) ? deleteStream(world, stream) : retryLost(world)
  await world.client.request(
    random.pick([
      `/streams/evm/${stream.id}`,
      `/stats/${stream.id}`,
      '/history?limit=5',
      '/streams/evm?limit=3',
      '/history/logs?limit=5',
    ]),
  )
}

/** The options of a new stream. */
type Wish = Pick<OwnedStream, 'hasHistory' | 'hasTransactions' | 'confirmedOnly' | 'delivery'> & {
  /** The stream watches all addresses; otherwise only those that the owner adds later. */
  isEvery: boolean
  /** Signatures of the events; undefined: all. */
  topics: string[] | undefined
}

function drawWish(random: Random): Wish {
  const isEvery = random.chance(0.4)
  const topics = random.chance(0.5) ? undefined : [random.pick(events)]
  const hasHistory = !isEvery && random.chance(0.5)
  const hasTransactions = random.chance(0.3)
  const confirmedOnly = random.chance(0.2)
  const delivery = random.chance(0.3) ? 'unordered' : 'ordered'
  return { isEvery, topics, hasHistory, hasTransactions, confirmedOnly, delivery }
}

/** Creates a stream with random options, except those in `given`. */
export async function createStream(world: World, random: Random, given: Partial<Wish> = {}): Promise<void> {
  const { client, journal, receivers, streams, chain } = world
  const tag = `stream-${streams.length + 1}-${random.int(1_000_000)}`
  const { isEvery, topics, hasHistory, hasTransactions, confirmedOnly, delivery } = { ...drawWish(random), ...given }
  const answer = await client.request('/streams/evm', {
    method: 'PUT',
    body: {
      webhookUrl: `${receivers.url}/${tag}`,
      webhookSecret,
      description: 'of a seeded world',
      tag,
      chainIds: [chainId],
      includeContractLogs: true,
      ...(isEvery && { allAddresses: true }),
      ...(hasTransactions && { includeNativeTxs: true }),
      ...(topics && { topic0: topics }),
      ...(hasHistory && { fromBlocks: { [chainId]: String(random.int(chain.head().number)) } }),
      ...{ confirmedOnly, delivery },
    },
  })
  journal.log(`an owner made ${tag}: ${answer?.status ?? 'lost'}`)
  // If the service created the stream anyway, its webhooks go to a path that no check reads.
  if (answer?.status !== 200) return
  const { id, effectiveBlocks, status, statusMessage } = JSON.parse(answer.text) as Made
  // If the process that sends the test webhook is frozen, the response comes too late and the stream starts paused.
  if (status === 'paused') journal.log(`${tag} begins paused: ${statusMessage}`)
  streams.push({
    ...{ id, tag, path: `/${tag}`, from: Number(effectiveBlocks[chainId]), spans: isEvery ? undefined : [] },
    ...{ inconsistencies: [], unanswered: undefined, hasTransactions, confirmedOnly, delivery, hasHistory },
    ...{
      topics: topics?.map((event) => toEventSelector(event)),
      replays: new Map(),
      isPaused: status === 'paused',
      deleted: undefined,
    },
  })
}

/**
 * The lowest block from which a change can take effect. It is above the blocks that are final and followed. If the stream is not live, it
 * is above the blocks that it has matched. A stream with history also gets the history of an added address.
 */
const lowest = `
SELECT (1 + least(c.block_number, c.finalized_number, CASE WHEN s.state <> 'live' THEN s.next_block - 1 END))::int
FROM stream_chain s JOIN chain c ON c.id = s.chain_id WHERE s.stream_id = $1`

async function changeAddresses(world: World, stream: OwnedStream, random: Random): Promise<void> {
  const { chain, database } = world
  if (stream.unanswered) return requestAgain(world, stream)
  const watched = stream.spans!.filter(({ to }) => to === undefined)
  const isRemoval = watched.length > 1 && random.chance(0.4)
  const address = isRemoval ? random.pick(watched).address : random.pick(chain.contracts).address
  if (!isRemoval && watched.some((span) => span.address === address)) return
  const [lowestRow] = (await database.rowsUnlessUnreachable<[number]>(lowest, [stream.id])) ?? []
  if (!lowestRow) return
  const answer = await requestChange(world, stream, { address, isRemoval })
  const own = watched.find((span) => span.address === address)
  if (answer === 'refused') return
  if (answer === 'lost') {
    const least = stream.hasHistory ? Math.min(stream.from, lowestRow[0]) : lowestRow[0]
    const inconsistency: Span = { address, from: Math.max(own?.from ?? 0, own ? lowestRow[0] : least), to: undefined }
    stream.inconsistencies.push(inconsistency)
    if (own) own.to = inconsistency.from
    stream.unanswered = { address, isRemoval, inconsistency }
  } else if (own) own.to = answer
  else stream.spans!.push({ address, from: answer, to: undefined })
}

/** Requests the change and returns the first block at which it takes effect. */
async function requestChange(
  { client, journal }: World,
  { id, tag }: OwnedStream,
  { address, isRemoval }: { address: string; isRemoval: boolean },
): Promise<number | 'lost' | 'refused'> {
  const answer = await client.request(`/streams/evm/${id}/address`, {
    method: isRemoval ? 'DELETE' : 'POST',
    body: { address },
  })
  const reported = !answer
    ? 'lost'
    : answer.status === 200
      ? Number((JSON.parse(answer.text) as Changed).effectiveBlocks[chainId])
      : 'refused'
  journal.log(`its owner ${isRemoval ? 'takes' : 'gives'} ${tag} ${address}: ${reported}`)
  return reported
}

/** Sends a change again after its response was lost. Sending it twice does no harm, and it is surely in effect from the next block on. */
async function requestAgain(world: World, stream: OwnedStream): Promise<void> {
  const { address, isRemoval, inconsistency } = stream.unanswered!
  if (typeof (await requestChange(world, stream, { address, isRemoval })) !== 'number') return
  inconsistency.to = world.chain.newest() + 1
  if (!isRemoval) stream.spans!.push({ address, from: inconsistency.to, to: undefined })
  stream.unanswered = undefined
}

/** Sends all requests again whose responses were lost. */
export async function retryLost(world: World): Promise<void> {
  for (const stream of world.streams)
    if (stream.deleted === 'asked') await deleteStream(world, stream)
    else if (stream.unanswered && stream.deleted === undefined) await requestAgain(world, stream)
}

/** Whether all of the stream's requests had a response. */
export const isAnswered = (stream: OwnedStream): boolean =>
  stream.deleted !== 'asked' && (stream.deleted !== undefined || !stream.unanswered)

/** Deletes the stream. Its ledger keeps what it sent, and it sends nothing more. */
async function deleteStream({ client, journal }: World, stream: OwnedStream): Promise<void> {
  stream.deleted = 'asked'
  const answer = await client.request(`/streams/evm/${stream.id}`, { method: 'DELETE' })
  // An earlier request may have deleted it.
  if (answer?.status !== 200 && answer?.status !== 404) return
  stream.deleted = journal.now()
  const after = await client.request(`/streams/evm/${stream.id}`)
  if (after && after.status !== 404)
    journal.fault('3 streams', `${stream.tag} was deleted, and is answered with ${after.status}`)
}

/** A paused stream misses nothing: once resumed, it sends what it matched meanwhile. */
export async function setStatus(
  { client, journal }: World,
  stream: OwnedStream,
  status: 'active' | 'paused',
): Promise<void> {
  const answer = await client.request(`/streams/evm/${stream.id}/status`, { method: 'POST', body: { status } })
  journal.log(`its owner wants ${stream.tag} ${status}: ${answer?.status ?? 'lost'}`)
  if (answer?.status === 200) stream.isPaused = status === 'paused'
  // The service may have paused it although the response was lost.
  else if (status === 'paused') stream.isPaused = true
}

async function replay({ client, receivers }: World, stream: OwnedStream, random: Random): Promise<void> {
  const { order } = receivers.inbox(stream.path)
  if (order.length === 0) return
  const id = random.pick(order)
  const count = (by: number) => stream.replays.set(id, (stream.replays.get(id) ?? 0) + by)
  // The replay counts before the request, as it may arrive before the response, and also if the response is lost.
  count(1)
  const answer = await client.request(`/history/replay/${stream.id}/${id}`, { method: 'POST' })
  if (answer && answer.status !== 200) count(-1)
}
