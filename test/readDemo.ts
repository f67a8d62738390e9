import { readFile } from 'node:fs/promises'
import type { Address } from '../src/util/hex.ts'

/** The output of the demo, and the values in it. */
export type PrintedDemo = {
  printed: string
  url: string
  /** Opens the console. It works once, within a minute. */
  link: string
  apiKey: string
  config: string
  rpc: string
  tiles: Address
  items: Address
}

export async function readDemo(printed: string): Promise<PrintedDemo> {
  const word = (found: RegExp) => found.exec(printed)![1]!
  const config = word(/--config (\/\S+)/)
  const { chains } = JSON.parse(await readFile(config, 'utf8'))
  const [tiles, items] = new Set([...printed.matchAll(/nft\/(0x[0-9a-f]{40})/g)].map(([, address]) => address!))
  return {
    printed,
    config,
    url: word(/^ {2}(http\S+)\/#code=/m),
    link: word(/^ {2}(http\S+\/#code=\S+)$/m),
    apiKey: word(/KEY=(\S+)$/m),
    rpc: chains.local.rpc[0],
    tiles: tiles as Address,
    items: items as Address,
  }
}
