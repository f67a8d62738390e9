import { toEventSelector } from 'viem'
import type { Random } from '../../test/random.ts'
import type { World } from '../world.ts'
import type { OwnedStream } from './ownedStream.ts'

type Changed = { id: string; effectiveBlocks: Record<string, string> }

const chainId = '0x7a69'
const events = ['Transfer(address,address,uint256)', 'TransferSingle(address,address,address,uint256,uint256)']

/** One thing that an owner of streams does: makes one, changes its addresses, pauses, resumes, or has a webhook sent again. */
export async function changeStreams(world: World, random: Random): Promise<void> {
  const { streams } = world
  const alive = streams.filter((stream) => !stream.isUnknown)
  const kind = random.int(10)
  if (alive.length < 3 || (kind === 0 && alive.length < 8)) return createStream(world, random)
  const stream = random.pick(alive)
  if (kind < 4 && stream.spans) return changeAddresses(world, stream, random)
  if (kind < 6) return setStatus(world, stream, stream.isPaused ? 'active' : 'paused')
  if (kind < 8) return replay(world, stream, random)
  await world.client.ask(
    random.pick([
      `/streams/evm/${stream.id}`,
      `/stats/${stream.id}`,
      '/history?limit=5',
      '/streams/evm?limit=3',
      '/history/logs?limit=5',
    ]),
  )
}

async function createStream({ client, receivers, streams, chain }: World, random: Random): Promise<void> {
  const tag = `stream-${streams.length + 1}-${random.int(1_000_000)}`
  const isEvery = random.chance(0.4)
  const topics = random.chance(0.5) ? undefined : [random.pick(events)]
  const hasHistory = !isEvery && random.chance(0.5)
  const confirmedOnly = random.chance(0.2)
  const delivery = random.chance(0.3) ? 'unordered' : 'ordered'
  const answer = await client.ask('/streams/evm', {
    method: 'PUT',
    body: {
      webhookUrl: `${receivers.url}/${tag}`,
      description: 'of a seeded world',
      tag,
      chainIds: [chainId],
      includeContractLogs: true,
      ...(isEvery && { allAddresses: true }),
      ...(topics && { topic0: topics }),
      ...(hasHistory && { fromBlocks: { [chainId]: String(random.int(chain.head().number)) } }),
      ...{ confirmedOnly, delivery },
    },
  })
  // A stream that may have been made all the same posts to a path that nobody looks at.
  if (answer?.status !== 200) return
  const { id, effectiveBlocks } = JSON.parse(answer.text) as Changed
  streams.push({
    ...{ id, tag, path: `/${tag}`, from: Number(effectiveBlocks[chainId]), spans: isEvery ? undefined : [] },
    ...{ topics: topics?.map((event) => toEventSelector(event)), confirmedOnly, delivery, hasHistory },
    ...{ replays: new Map(), isPaused: false, isUnknown: false },
  })
}

async function changeAddresses({ client, chain }: World, stream: OwnedStream, random: Random): Promise<void> {
  const watched = stream.spans!.filter(({ to }) => to === undefined)
  const isRemoval = watched.length > 1 && random.chance(0.4)
  const address = isRemoval ? random.pick(watched).address : random.pick(chain.contracts).address
  if (!isRemoval && watched.some((span) => span.address === address)) return
  const answer = await client.ask(`/streams/evm/${stream.id}/address`, {
    method: isRemoval ? 'DELETE' : 'POST',
    body: { address },
  })
  if (answer?.status !== 200) {
    stream.isUnknown = true
    return
  }
  const from = Number((JSON.parse(answer.text) as Changed).effectiveBlocks[chainId])
  if (isRemoval) watched.find((span) => span.address === address)!.to = from
  else stream.spans!.push({ address, from, to: undefined })
}

/** Nothing is missed in a pause: what was matched meanwhile comes when the stream is resumed. */
export async function setStatus({ client }: World, stream: OwnedStream, status: 'active' | 'paused'): Promise<void> {
  const answer = await client.ask(`/streams/evm/${stream.id}/status`, { method: 'POST', body: { status } })
  if (answer?.status === 200) stream.isPaused = status === 'paused'
  // It may have been paused all the same.
  else if (status === 'paused') stream.isPaused = true
}

async function replay({ client, receivers }: World, stream: OwnedStream, random: Random): Promise<void> {
  const { order } = receivers.inbox(stream.path)
  if (order.length === 0) return
  const id = random.pick(order)
  // Counted before it is asked for: an answer that is lost may have come too late.
  stream.replays.set(id, (stream.replays.get(id) ?? 0) + 1)
  await client.ask(`/history/replay/${stream.id}/${id}`, { method: 'POST' })
}
