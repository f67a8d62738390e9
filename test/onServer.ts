import pg from 'pg'

/** Statements outside of any transaction, one after another, on a connection that lasts no longer. */
export async function onServer(connection: pg.ClientConfig, ...texts: string[]): Promise<pg.QueryArrayResult[]> {
  const client = new pg.Client(connection)
  // A connection that is lost between statements fails the next one; without a listener it would end the process.
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
