import { useState } from 'preact/hooks'
import { get } from '../../../api/apiCall.ts'
import { type ApiFault, faultOf } from '../../../api/apiFault.ts'
import { useServices } from '../../../context/services.ts'
import { AsCurl } from '../../../parts/AsCurl.tsx'
import { Button } from '../../../parts/Button.tsx'
import { Card } from '../../../parts/Card.tsx'
import { Copy } from '../../../parts/Copy.tsx'
import { Field } from '../../../parts/Field.tsx'
import { Failed } from '../../../parts/Shown.tsx'
import { formatBytes, formatNumber } from '../../../text/numbers.ts'
import type { IndexProgress } from '../readProgress.ts'
import { type SavedSnapshot, saveBlob, saveSnapshot } from './saveSnapshot.ts'

/** All holders at the end of a block as a file, with its Merkle root. */
export function Snapshot({
  chain,
  address,
  block: given,
  progress: { toBlock },
}: {
  chain: string
  address: string
  block: string | undefined
  progress: IndexProgress
}) {
  const { open } = useServices()
  const [block, setBlock] = useState(given ?? '')
  const [format, setFormat] = useState<'csv' | 'ndjson'>('csv')
  const [received, setReceived] = useState<number | null>(null)
  const [saved, setSaved] = useState<SavedSnapshot | null>(null)
  const [fault, setFault] = useState<ApiFault | null>(null)
  const call = get('/api/v2/nft/{address}/snapshot', {
    path: { address },
    query: { chain, format, as_of_block: block.trim() || undefined },
  })
  const download = async (event: SubmitEvent) => {
    event.preventDefault()
    setFault(null)
    setSaved(null)
    setReceived(0)
    try {
      const response = await open(call, AbortSignal.timeout(600_000))
      setSaved(await saveSnapshot(call, response, { address, format, received: setReceived }))
    } catch (error) {
      setFault(faultOf(error))
    } finally {
      setReceived(null)
    }
  }
  return (
    <Card title="Download all holders">
      <form class="snapshot" onSubmit={download}>
        <Field
          label="At the end of block"
          hint={
            toBlock === null
              ? 'Default: the last final block.'
              : `Default: the last final block. Up to ${formatNumber(toBlock)}.`
          }
        >
          <input
            inputMode="numeric"
            pattern="\s*\d*\s*"
            title="Block number in decimal digits"
            value={block}
            onInput={(event) => setBlock(event.currentTarget.value)}
          />
        </Field>
        <Field label="Format" hint="csv: one row per line. ndjson: one JSON object per line.">
          <select
            value={format}
            onChange={(event) => setFormat(event.currentTarget.value === 'ndjson' ? 'ndjson' : 'csv')}
          >
            <option value="csv">csv</option>
            <option value="ndjson">ndjson</option>
          </select>
        </Field>
        <Button type="submit" class="main" off={received !== null}>
          Download
        </Button>
      </form>
      {received !== null && (
        <p class="loading" role="status">
          {received === 0 ? 'Creating the file …' : `${formatBytes(received)} received …`}
        </p>
      )}
      {fault && <Failed fault={fault} />}
      {saved && <Saved of={saved} />}
      <AsCurl calls={[call]} />
    </Card>
  )
}

function Saved({ of: { name, block, blockHash, root, holders, facts, incomplete } }: { of: SavedSnapshot }) {
  const verify = `mintmark verify --snapshot ${name} --rpc http://…`
  return (
    <div class="saved" role="status">
      <dl class="facts">
        <dt>File</dt>
        <dd>
          <code>{name}</code>
        </dd>
        <dt>Rows</dt>
        <dd>{formatNumber(holders)}</dd>
        <dt>Block</dt>
        <dd>
          {formatNumber(block)} <code>{blockHash}</code>
        </dd>
        <dt>Merkle root</dt>
        <dd>
          {root === null ? (
            'none: no holders'
          ) : (
            <>
              <code>{root}</code> <Copy text={root} what="the root" />
            </>
          )}
        </dd>
        {incomplete && (
          <>
            <dt>Omitted</dt>
            <dd>{incomplete}</dd>
          </>
        )}
      </dl>
      {facts !== null && (
        <>
          <p>
            Anyone can verify the file without trusting this server. Save its facts (chain, contract, block and root)
            beside it, then compare both with any node:
          </p>
          <div class="actions">
            <button
              type="button"
              onClick={() => saveBlob(new Blob([facts], { type: 'application/json' }), `${name}.json`)}
            >
              Save the facts: {name}.json
            </button>
          </div>
          <p class="once">
            <code class="line">{verify}</code>
            <Copy text={verify} what="the command" />
          </p>
        </>
      )}
    </div>
  )
}
