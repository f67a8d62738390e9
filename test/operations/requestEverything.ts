/** Values for each name in braces, and for `chain`. Each of several values is requested. */
export type Targets = Record<string, readonly string[]>

/** Calls every operation of a running service, except those that delete. Returns the texts of all responses, including headers. */
export async function requestEverything(
  url: string,
  headers: Record<string, string>,
  targets: Targets,
): Promise<[operation: string, reported: string][]> {
  const document = await fetch(`${url}/openapi.json`)
  const { paths } = (await document.json()) as { paths: Record<string, Record<string, unknown>> }
  const requested = Object.entries(paths).flatMap(([path, operations]) =>
    ['get', 'put', 'post'].flatMap((method) =>
      method in operations ? pathsOf(path, targets).map((to) => [method, to] as const) : [],
    ),
  )
  return Promise.all(
    requested.map(async ([method, path]): Promise<[string, string]> => {
      const json = { body: '{}', headers: { ...headers, 'content-type': 'application/json' } }
      const answer = await fetch(url + path, { method, headers, ...(method !== 'get' && json) })
      const reported = JSON.stringify([answer.status, answer.statusText, [...answer.headers]])
      return [`${method} ${path}`, reported + (await textOf(answer))]
    }),
  )
}

function pathsOf(path: string, targets: Targets): string[] {
  const query = `limit=1&coin_type_hashes=${'0'.repeat(64)}`
  // The other NFT routes read the same rows.
  const chains = path === '/api/v2/nft/{address}' ? targets.chain! : targets.chain!.slice(0, 1)
  // In the Alchemy dialect, a network is a chain.
  const inDialect = path.startsWith('/alchemy/')
  const filled = path.includes('{network}')
    ? targets[inDialect ? 'chain' : 'network']!.map(
        (network) => path.replace('{network}', network) + (inDialect ? '?contractAddress={address}' : ''),
      )
    : chains.map((chain) => `${path}?chain=${chain}`)
  return filled.map((text) => {
    const to = text.replace(/\{(\w+)\}/g, (_, name: string) => targets[name]![0]!)
    return `${to}${to.includes('?') ? '&' : '?'}${query}`
  })
}

/** The text of a response. A stream of events ends only with its client, so only its first chunk is read. */
async function textOf(answer: Response): Promise<string> {
  if (!answer.headers.get('content-type')?.startsWith('text/event-stream')) return answer.text()
  const reader = answer.body!.getReader()
  const { value } = await reader.read()
  await reader.cancel()
  return new TextDecoder().decode(value)
}
