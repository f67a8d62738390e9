import type { Print } from '../report/print.ts'
import type { DemoChain } from './chain.ts'

/** Prints what the demo shows once everything is ready: the key, eight requests and two commands to try, how to stop. */
export function printDemo(
  print: Print,
  options: { url: string; apiKey: string; chain: DemoChain; streamId: string; configFile: string; seconds: number },
): void {
  const { url, apiKey, chain, streamId, configFile, seconds } = options
  const { erc721, erc1155 } = chain.collections
  const pick = (fields: string) => `jq -c '${fields}'`
  const nft = (path: string) => `/api/v2/nft/${path}`
  const requests = [
    [
      'Two tokens of an ERC-721 collection of 10,000:',
      nft(`${erc721}?chain=${chain.name}&limit=2`),
      pick('.result[] | {token_id, owner_of, block_number}'),
    ],
    [
      'Two ids of an ERC-1155 collection, in hex:',
      nft(`${erc1155}?chain=${chain.name}&format=hex&limit=2`),
      pick('.result[] | {token_id, amount, minter_address}'),
    ],
    [
      'The second of four parts of the ERC-721 collection, with its total:',
      nft(`${erc721}?chain=${chain.name}&totalRanges=4&range=1&disable_total=false&limit=2`),
      pick('{total, status, token_ids: [.result[].token_id]}'),
    ],
    [
      'Who holds the ids of the ERC-1155 collection, a record for each holder:',
      nft(`${erc1155}/owners?chain=${chain.name}&limit=2`),
      pick('.result[] | {token_id, owner_of, amount}'),
    ],
    [
      'The collections of which an account holds tokens:',
      `/api/v2/${chain.account}/nft/collections?chain=${chain.name}&token_counts=true`,
      pick('.result[] | {name, contract_type, count}'),
    ],
    [
      'All who held an id at the end of block 30, as a file whose Merkle root is in the header x-snapshot-root:',
      nft(`${erc1155}/snapshot?chain=${chain.name}&as_of_block=30&format=ndjson`),
      'head -n 2',
    ],
    [
      'The latest two coins; a new one comes every four seconds:',
      '/coins/latest?limit=2',
      pick('.result[] | {symbol, name, transaction_created_timestamp}'),
    ],
    [
      'What a stream of the ERC-721 collection sent to a receiver inside the demo:',
      `/stats/${streamId}`,
      pick('{totalWebhooksDelivered, totalWebhooksFailed, totalLogsProcessed}'),
    ],
  ] as const
  print.line(`Ready in ${seconds.toFixed(1)} s: ${print.style('bold', url)}`)
  print.line(`API key: ${print.style('bold', apiKey)}`)
  print.line('Requests to try in another terminal. jq picks a few fields; leave it out to see the whole answer:')
  for (const [title, path, filter] of requests) {
    print.line()
    print.line(title)
    print.line(print.style('cyan', `  curl -s -H 'X-API-Key: ${apiKey}' '${url}${path}' | ${filter}`))
  }
  print.line()
  print.line('Commands to try. With --config every other command works on the demo too:')
  for (const command of [`status ${chain.name} ${erc721}`, `verify ${chain.name} ${erc721} --sample 100`])
    print.line(print.style('cyan', `  npx mintmark ${command} --config ${configFile}`))
  print.line()
  print.line(`A few tokens move every two seconds. The API is described at ${url}/docs`)
  print.line('Ctrl-C stops everything and removes what it kept.')
}
