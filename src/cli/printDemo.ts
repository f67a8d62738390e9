import type { DemoChain } from './demo/chain.ts'
import type { Print } from './print.ts'

/** What the demo tells once everything is ready: the key, five requests and two commands to try, how to stop. */
export function printDemo(
  print: Print,
  options: { url: string; apiKey: string; chain: DemoChain; streamId: string; configFile: string; seconds: number },
): void {
  const { url, apiKey, chain, streamId, configFile, seconds } = options
  const { erc721, erc1155 } = chain.collections
  const nft = (path: string) => `/api/v2/nft/${path}`
  const requests = [
    ['A page of a 10,000-token ERC-721 collection:', nft(`${erc721}?chain=${chain.name}&limit=2`)],
    ['An ERC-1155 collection, ids in hex:', nft(`${erc1155}?chain=${chain.name}&format=hex&limit=2`)],
    [
      'The second of four parts of the first one, with its total:',
      nft(`${erc721}?chain=${chain.name}&totalRanges=4&range=1&disable_total=false&limit=2`),
    ],
    ['The latest coins; a new one comes every four seconds:', '/coins/latest?limit=2'],
    ['Statistics of a stream of the first one, whose webhooks a receiver inside takes:', `/stats/${streamId}`],
  ] as const
  print.line(`Ready in ${seconds.toFixed(1)} s: ${print.style('bold', url)}`)
  print.line(`API key: ${print.style('bold', apiKey)}`)
  for (const [title, path] of requests) {
    print.line()
    print.line(title)
    print.line(print.style('cyan', `  curl -H 'X-API-Key: ${apiKey}' '${url}${path}'`))
  }
  print.line()
  print.line('Commands on it, in another terminal; --config makes any other one work on it too:')
  for (const command of [`status ${chain.name} ${erc721}`, `verify ${chain.name} ${erc721} --sample 100`])
    print.line(print.style('cyan', `  npx mintmark ${command} --config ${configFile}`))
  print.line()
  print.line(`A few tokens move every two seconds. The API is described at ${url}/docs`)
  print.line('Ctrl-C stops everything and removes what it kept.')
}
