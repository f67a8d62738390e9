import { useEffect, useMemo, useRef } from 'preact/hooks'
import { type components, get } from '../../api/apiCall.ts'
import { useServices } from '../../context/services.ts'
import { previewMessage } from '../../parts/Preview.tsx'
import { followPage } from './followPage.ts'
import { createShelf, rangesOf, type Shelf, shelfPageSize } from './shelf.ts'

export type GalleryOf = {
  chain: string
  address: string
  /** undefined: now. */
  block: string | undefined
  /** In the format of the parameter `traits`. */
  traits: readonly string[]
}

/** The fields of a record for the gallery. */
export type ShelvedToken = {
  id: string
  name: string | null
  /** Address of its preview, and why there is none. */
  preview: string | null
  withoutPreview: string
}

/** Refresh interval of visible tokens: previews are ready soon after their first request. */
const freshMs = 3_000

/** The tokens of a list, read when visible. A list that grew or shrank much is split again. */
export function useShelf(of: GalleryOf, total: number): Shelf<ShelvedToken> {
  const { poller, shown } = useServices()
  const cut = useRef(total)
  if (isOtherwise(cut.current, total)) cut.current = total
  const key = `${of.chain} ${of.address} ${of.block} ${of.traits.join('\n')} ${cut.current}`
  const shelf = useMemo(
    () =>
      createShelf<ShelvedToken>({
        total,
        watch(name, report, reportFault) {
          const call = pageCall(of, name)
          const hide = shown.add(call)
          const own = poller.watch(call, freshMs)
          const stop = followPage(
            own.state,
            ({ result, cursor }) => report({ items: result.map(shelved), cursor }),
            reportFault,
          )
          return () => {
            stop()
            own.stop()
            hide()
          }
        },
      }),
    [key, poller],
  )
  useEffect(() => () => shelf.close(), [shelf])
  useEffect(() => shelf.setTotal(total), [shelf, total])
  void shelf.version.value
  return shelf
}

function isOtherwise(before: number, now: number): boolean {
  const [few, many] = [rangesOf(before), rangesOf(now)].sort((a, b) => a - b) as [number, number]
  return many > few * 2
}

function pageCall(
  { chain, address, block, traits }: GalleryOf,
  { ranges, range, cursor }: { ranges: number; range: number; cursor: string | undefined },
) {
  return get('/api/v2/nft/{address}', {
    path: { address },
    query: {
      chain,
      limit: shelfPageSize,
      normalizeMetadata: true,
      media_items: true,
      ...(block !== undefined && { as_of_block: block }),
      ...(traits.length > 0 && { traits: [...traits] }),
      // The list starts with the greatest hashes, which are the last range.
      ...(ranges > 1 && { totalRanges: ranges, range: ranges - 1 - range }),
      ...(cursor !== undefined && { cursor }),
    },
  })
}

function shelved(nft: components['schemas']['Nft']): ShelvedToken {
  const { token_id, normalized_metadata, media } = nft
  return {
    id: token_id,
    name: normalized_metadata?.name ?? null,
    preview: media?.media_collection?.medium.url ?? null,
    withoutPreview: previewMessage(nft),
  }
}
