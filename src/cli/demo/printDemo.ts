import type { Print } from '../report/print.ts'
import type { DemoChain } from './chain.ts'
import { horizonCount, moonCount, tileCount } from './tokenCounts.ts'

/** Prints a link to the console, three requests, two commands, and how to stop. Fits a terminal of 80 × 24. */
export function printDemo(
  print: Print,
  options: { url: string; link: string; apiKey: string; chain: DemoChain; configFile: string; seconds: number },
): void {
  const { url, link, apiKey, chain, configFile, seconds } = options
  const { erc721, erc1155 } = chain.collections
  const requests = [
    [`/api/v2/nft/${erc721}?chain=${chain.name}&limit=2`, `jq -c '.result[] | {token_id, owner_of, block_number}'`],
    [`/api/v2/nft/${erc1155}/snapshot?chain=${chain.name}&format=ndjson`, 'head -n 2'],
    ['/coins/latest?limit=2', `jq -c '.result[] | {symbol, name}'`],
  ] as const
  const commands = ['status', `verify ${chain.name} ${erc721} --sample 100`]
  const code = (line: string) => print.line(print.style('cyan', `  ${line}`))

  print.line(`Ready in ${seconds.toFixed(1)} s. This link opens the console, once within a minute:`)
  print.line()
  print.line(`  ${print.style('bold', link)}`)
  print.line()
  print.line(
    `It shows ${count(tileCount)} tiles, ${horizonCount} horizons and ${moonCount} moons, drawn by contracts of a local`,
  )
  print.line('chain; a stream that delivers to a receiver in the demo; and invented coins,')
  print.line('a new one every four seconds. Later, sign in with KEY. In another terminal:')
  print.line()
  code(`KEY=${apiKey}`)
  for (const [path, shorten] of requests) code(`curl -sH "X-API-Key: $KEY" '${url}${path}' | ${shorten}`)
  for (const command of commands) code(`npx mintmark ${command} --config ${configFile}`)
  print.line()
  print.line(`API: ${url}/docs   Guide: ${url}/docs/guide`)
  print.line('Ctrl-C stops everything and deletes its data.')
}

function count(tokens: bigint): string {
  return tokens.toLocaleString('en')
}
