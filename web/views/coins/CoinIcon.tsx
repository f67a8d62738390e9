import { get } from '../../api/apiCall.ts'
import { usePolled } from '../../context/usePolled.ts'
import { Preview, previewMessage } from '../../parts/Preview.tsx'

/** The icon of a coin, from this server. The original URL is untrusted and never loaded. */
export function CoinIcon({ hash, network, isDefault }: { hash: string; network: string; isDefault: boolean }) {
  const { data } = usePolled(
    isDefault
      ? get('/coins/{hash}/icon', { path: { hash } })
      : get('/aptos/{network}/coins/{hash}/icon', { path: { network, hash } }),
    { everyMs: 3_000 },
  )
  if (!data) return null
  return (
    <>
      <Preview url={data.media_collection?.low.url} alt="Icon" size={100} />
      {data.status !== 'success' && <p class="hint">{previewMessage({ media: data, last_metadata_sync: null })}</p>}
    </>
  )
}
