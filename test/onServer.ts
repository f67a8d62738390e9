import pg from 'pg'

/** Runs statements outside of any transaction, one after another, on a connection that is closed afterwards. */
export async function onServer(connection: pg.ClientConfig, ...texts: string[]): Promise<pg.QueryArrayResult[]> {
  const client = new pg.Client(connection)
  // If the connection is lost between statements, the next one fails. Without a listener, the loss would end the process.
  client.on('error', () => undefined)
  await client.connect()
  try {
    const results: pg.QueryArrayResult[] = []
    for (const text of texts) results.push(await client.query({ text, rowMode: 'array' }))
    return results
  } finally {
    await client.end()
  }
}
