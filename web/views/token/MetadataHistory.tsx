import { get } from '../../api/apiCall.ts'
import { usePolled } from '../../context/usePolled.ts'
import { Ago } from '../../parts/Ago.tsx'
import { Card } from '../../parts/Card.tsx'
import { Empty, Shown } from '../../parts/Shown.tsx'
import { MetadataText } from './MetadataText.tsx'
import { TokenUri } from './TokenUri.tsx'
import type { TokenOf } from './tokenOf.ts'

/** Earlier metadata of the token. */
export function MetadataHistory({ chain, address, token }: TokenOf) {
  const history = usePolled(
    get('/api/v2/nft/{address}/{token_id}/metadata/history', {
      path: { address, token_id: token },
      query: { chain },
    }),
  )
  return (
    <Card title="Earlier metadata">
      <Shown of={history}>
        {({ result, dropped }) => {
          const before = result.filter(({ until }) => until !== null)
          return (
            <>
              {before.length === 0 && <Empty>Unchanged since it was first fetched.</Empty>}
              {before.map(({ document_hash, token_uri, metadata, since, until }) => (
                <details key={`${document_hash} ${since}`}>
                  <summary>
                    Until <Ago at={until!} />
                    {since && (
                      <>
                        , from <Ago at={since} />
                      </>
                    )}
                  </summary>
                  {token_uri !== null && <TokenUri uri={token_uri} />}
                  {metadata === null ? (
                    <p class="hint">This version has no JSON.</p>
                  ) : (
                    <MetadataText text={metadata} label="Earlier JSON" />
                  )}
                </details>
              ))}
              {dropped > 0 && <p class="hint">{dropped} older versions were deleted.</p>}
            </>
          )
        }}
      </Shown>
    </Card>
  )
}
