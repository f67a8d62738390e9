import { useLayoutEffect, useState } from 'preact/hooks'
import { type ApiCall, type components, get } from '../../api/apiCall.ts'
import { useServices } from '../../context/services.ts'
import { usePolled } from '../../context/usePolled.ts'
import type { ViewProps } from '../../context/view.ts'
import { OpenCollection, OpenWallet } from '../../parts/addresses/OpenAddress.tsx'
import { Page } from '../../parts/Page.tsx'
import { Empty, Shown } from '../../parts/Shown.tsx'
import { Found } from './Found.tsx'
import './search.css'

type Schemas = components['schemas']
type Result = Schemas['FoundRecords'] & Partial<Schemas['SearchResult']>

/** Finds collections, tokens, coins and streams by any text, such as an address. */
export function Search({ query }: ViewProps) {
  const { router, access } = useServices()
  const isAdmin = access.value === 'admin'
  const q = query.get('q') ?? ''
  const isAddress = /^0x[0-9a-f]{40}$/i.test(q)
  const [typed, setTyped] = useState(q)
  const call: ApiCall<Result> = isAdmin
    ? get('/admin/search', { query: { q } })
    : get('/api/v2/search', { query: { q } })
  const found = usePolled(q ? call : null, { everyMs: Number.POSITIVE_INFINITY })
  // A later effect would overwrite the first typed letters.
  useLayoutEffect(() => setTyped(q), [q])
  const search = (event: SubmitEvent) => {
    event.preventDefault()
    const wanted = typed.trim()
    if (wanted !== q) router.setQuery({ q: wanted || null })
    else found.again()
  }
  return (
    <Page
      title="Search"
      lead={`Finds collections by name or address, tokens by id or address/id, coins by name, symbol, type or hash${isAdmin ? ', and streams by tag or id' : ''}. The start of an address is enough.`}
    >
      <search>
        <form class="search" onSubmit={search}>
          <label class="unseen" for="q">
            Search term
          </label>
          <input
            id="q"
            type="search"
            maxLength={2_000}
            spellcheck={false}
            autocomplete="off"
            value={typed}
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
          <button type="submit" class="main">
            Search
          </button>
        </form>
      </search>
      {q && (
        <Shown of={found}>
          {(result) => (
            <>
              <Found result={result} />
              {isNothing(result) && (
                <Empty>
                  {isAddress
                    ? 'No results. The address may be a wallet, or a contract that is not indexed.'
                    : 'No results. Token names are not searched.'}
                </Empty>
              )}
              {isAddress && <OpenCollection address={q} />}
              {isAddress && <OpenWallet address={q} />}
            </>
          )}
        </Shown>
      )}
    </Page>
  )
}

function isNothing(result: Result): boolean {
  return Object.values(result).every(({ result: found }) => found.length === 0)
}
