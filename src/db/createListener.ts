import pg from 'pg'
import { SessionClient } from './sessionClient.ts'

/** Listens on channels over one connection, which is open while there is a listener. */
export type Listener = {
  /**
   * Calls back for every NOTIFY on `channel` until the returned function is called. After a reconnection `onNotify` is called with an empty payload,
   * as notifications may have been missed. Throws if there is no connection yet and none can be opened.
   */
  listen(channel: string, onNotify: (payload: string) => void): Promise<() => Promise<void>>
}

export type ListenerOptions = {
  settings: pg.ClientConfig
  /** Called with the reason when the connection is lost. */
  onLost: (error: Error) => void
}

const reopenMs = 500
const reopenAgainMs = 1_000

type Ear = { channel: string; onNotify: (payload: string) => void }

export function createListener({ settings, onLost }: ListenerOptions): Listener {
  const ears = new Set<Ear>()
  /** Listens on the channels of all ears. */
  let client: pg.Client | undefined
  /** Connecting, or about to listen. */
  let opening: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined
  /** Serializes adding and removing ears and opening connections. */
  let last: Promise<unknown> = Promise.resolve()

  function serially<T>(work: () => Promise<T>): Promise<T> {
    const result = last.then(work)
    last = result.catch(() => undefined)
    return result
  }

  async function open(): Promise<void> {
    const next = new SessionClient(settings)
    next.on('notification', ({ channel, payload = '' }) => {
      for (const ear of ears) if (ear.channel === channel) ear.onNotify(payload)
    })
    next.on('error', onLost)
    next.on('end', () => {
      if (client !== next) return
      client = undefined
      openLater(reopenMs)
    })
    opening = next
    try {
      await next.connect()
      await next.query([...new Set([...ears].map(listenTo))].join('; '))
      client = next
    } catch (error) {
      // The server may refuse to listen, as a standby does, but keep the connection.
      next.end().catch(() => undefined)
      throw error
    } finally {
      opening = undefined
    }
  }

  function openLater(ms: number): void {
    timer = setTimeout(() => {
      void serially(reopen)
    }, ms)
  }

  async function reopen(): Promise<void> {
    timer = undefined
    if (ears.size === 0) return
    try {
      await open()
      for (const ear of ears) ear.onNotify('')
    } catch {
      // The database is unreachable, which the pool's connections report.
      openLater(reopenAgainMs)
    }
  }

  async function add(ear: Ear): Promise<void> {
    ears.add(ear)
    // While the connection is lost, the ear waits for the next one, as the others do.
    if (timer) return
    try {
      if (client) await client.query(listenTo(ear))
      else await open()
    } catch (error) {
      // Its end, if still to come, triggers a new connection that listens for all ears.
      if (client) return client.end()
      if (timer) return
      ears.delete(ear)
      throw error
    }
  }

  /** Ends or updates the existing connection. */
  async function forget(ear: Ear): Promise<void> {
    if (ears.size === 0) {
      clearTimeout(timer)
      timer = undefined
      const own = client
      client = undefined
      await own?.end().catch(() => undefined)
    } else if (![...ears].some(({ channel }) => channel === ear.channel))
      await client?.query(`UN${listenTo(ear)}`).catch(() => undefined)
  }

  return {
    async listen(channel, onNotify) {
      const ear = { channel, onNotify }
      await serially(() => add(ear))
      return async () => {
        ears.delete(ear)
        // Its `end` would wait for the server.
        if (ears.size === 0) opening?.connection.stream.destroy()
        // A connection that is opened later listens for the other ears. So nobody waits for a new one, as its server may not answer for long.
        if (client || ears.size === 0) await serially(() => forget(ear))
      }
    },
  }
}

const listenTo = ({ channel }: Ear) => `LISTEN ${pg.escapeIdentifier(channel)}`
