import type { TransferRecord } from '../src/nft/transferRecord.ts'

export type ReceivedEvent = {
  block: string
  hash: string
  version: string | null
  reverted: boolean
  transfers: TransferRecord[]
  more?: boolean
}

/** A client of server-sent events. It keeps the transfers that are not undone, in the order of the chain. */
export type TestListener = {
  status: number
  /** The last id, which a client sends back. */
  id: string | undefined
  events: ReceivedEvent[]
  transfers: TransferRecord[]
  comments: number
  /** Resolves when the connection ends. */
  done: Promise<void>
  close(): void
}

/** `known`: transfers that the client already has. */
export async function listenTo(
  url: string,
  options: { key: string; id?: string; known?: readonly TransferRecord[] },
): Promise<TestListener> {
  const { key, id, known = [] } = options
  const disconnect = new AbortController()
  const headers = { 'x-api-key': key, ...(id === undefined ? {} : { 'last-event-id': id }) }
  const response = await fetch(url, { headers, signal: disconnect.signal })
  const listener: TestListener = {
    ...{ status: response.status, id, events: [], transfers: [...known], comments: 0 },
    done: read().catch(() => undefined),
    close: () => disconnect.abort(),
  }

  async function read(): Promise<void> {
    if (response.status !== 200) return
    let text = ''
    for await (const bytes of response.body!.pipeThrough(new TextDecoderStream())) {
      text += bytes
      const blocks = text.split('\n\n')
      text = blocks.pop()!
      for (const block of blocks) take(block.split('\n'))
    }
  }

  function take(lines: readonly string[]): void {
    for (const line of lines) {
      if (line.startsWith(':')) listener.comments++
      if (line.startsWith('id: ')) listener.id = line.slice(4)
      if (!line.startsWith('data: ')) continue
      const event = JSON.parse(line.slice(6)) as ReceivedEvent
      listener.events.push(event)
      if (event.reverted) listener.transfers = listener.transfers.filter(({ block_hash }) => block_hash !== event.hash)
      else listener.transfers.push(...event.transfers)
    }
  }

  return listener
}
