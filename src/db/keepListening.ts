import pg from 'pg'

/**
 * Listens on a channel until the caller calls the function that it gives. A lost connection is opened again, and then `onNotify` is
 * called with an empty payload, as notifications may have been missed. Throws where the first connection cannot be opened.
 */
export async function keepListening(options: {
  settings: pg.ClientConfig
  channel: string
  onNotify: (payload: string) => void
  /** Called with the reason when a connection is lost. */
  onLost: (error: Error) => void
}): Promise<() => Promise<void>> {
  const { settings, channel, onNotify, onLost } = options
  let client: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined
  let stopped = false

  async function open(): Promise<void> {
    const next = new pg.Client(settings)
    next.on('notification', (message) => onNotify(message.payload ?? ''))
    next.on('error', onLost)
    next.on('end', () => {
      if (!stopped && client === next) timer = setTimeout(reopen, 500)
    })
    await next.connect()
    await next.query(`LISTEN ${pg.escapeIdentifier(channel)}`)
    client = next
  }
  function reopen(): void {
    open().then(
      () => (stopped ? client?.end() : onNotify('')),
      () => {
        if (!stopped) timer = setTimeout(reopen, 1_000)
      },
    )
  }

  await open()
  return async () => {
    stopped = true
    clearTimeout(timer)
    await client?.end().catch(() => undefined)
  }
}
