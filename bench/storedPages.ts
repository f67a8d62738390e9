import { type Child, startChild } from './child.ts'
import type { MeasuredCollection } from './measuredCollection.ts'
import { benchChain, getPage, pageAddress } from './measuredService.ts'
import type { PagePeerInput } from './pagePeer.ts'

/** A page of a collection; `after`: the last token hash of the page before. */
type WalkedPage = { path: string; after: string }

/** Starts the baseline client for these pages and waits until it has recorded its statements. */
export async function startPagePeer(
  { node, postgres }: MeasuredCollection,
  pages: readonly WalkedPage[],
  options: Omit<PagePeerInput, 'connection' | 'chainId' | 'contract'>,
): Promise<Child> {
  const contract = node.contract as `0x${string}`
  const input: PagePeerInput = { connection: postgres.connection, chainId: benchChain.id, contract, ...options }
  const peer = startChild('./pagePeer.ts', input)
  peer.send(pages.map(({ after }) => after))
  await peer.next()
  return peer
}

/** Walks one range for each connection, in parallel, and returns their pages interleaved: one of each range in turn. */
export async function walkPages(options: {
  url: string
  contract: string
  connections: number
  pages: number
  query?: Record<string, string>
}): Promise<WalkedPage[]> {
  const { url, contract, connections, pages, query: filters } = options
  const walks = await Promise.all(
    Array.from({ length: connections }, async (_, range) => {
      const query = { ...filters, totalRanges: String(connections), range: String(range) }
      const found: WalkedPage[] = []
      let page = await getPage(url, contract, query)
      while (page.cursor !== null && found.length < pages / connections) {
        const { pathname, search } = new URL(pageAddress(url, contract, { ...query, cursor: page.cursor }))
        found.push({ path: `${pathname}${search}`, after: page.result.at(-1)!.token_hash })
        page = await getPage(url, contract, { ...query, cursor: page.cursor })
      }
      return found
    }),
  )
  return Array.from({ length: Math.min(...walks.map((walk) => walk.length)) }, (_, i) =>
    walks.map((walk) => walk[i]!),
  ).flat()
}
