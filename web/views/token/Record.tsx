import type { components } from '../../api/apiCall.ts'
import { Card } from '../../parts/Card.tsx'
import { Copy } from '../../parts/Copy.tsx'
import { MetadataText } from './MetadataText.tsx'
import { TokenUri } from './TokenUri.tsx'

/** The token's metadata, its URI, and the API record. */
export function Record({ of: nft }: { of: components['schemas']['Nft'] }) {
  const { metadata, token_uri, ...rest } = nft
  return (
    <Card title="Metadata" wide>
      {token_uri === null ? (
        <p class="hint">The contract returned no token URI.</p>
      ) : (
        <div class="once">
          <TokenUri uri={token_uri} />
          <Copy text={token_uri} what="the token URI" />
        </div>
      )}
      {metadata !== null ? (
        <MetadataText text={metadata} label="Metadata JSON" />
      ) : nft.last_metadata_sync ? (
        <p class="hint">The token URI is the media itself. There is no JSON.</p>
      ) : (
        <p class="hint">Metadata not fetched yet.</p>
      )}
      <details>
        <summary>Full record</summary>
        <MetadataText text={JSON.stringify({ ...rest, token_uri, metadata })} label="Record" />
      </details>
    </Card>
  )
}
