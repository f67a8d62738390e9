import { useEffect, useState } from 'preact/hooks'
import { type ApiCall, get } from '../../../api/apiCall.ts'
import { ApiFault, faultOf } from '../../../api/apiFault.ts'
import { type Services, useServices } from '../../../context/services.ts'
import { WalletLink } from '../../../parts/addresses/WalletLink.tsx'
import { Button } from '../../../parts/Button.tsx'
import { Card } from '../../../parts/Card.tsx'
import { Failed, Loading } from '../../../parts/Shown.tsx'
import { Table } from '../../../parts/Table.tsx'
import { formatNumber, formatShare } from '../../../text/numbers.ts'
import { countHolders, type Distribution, shareOf } from './countHolders.ts'
import { linesOf } from './linesOf.ts'

const mostTries = 10

/** Timeout of a count: the server creates the file first. */
const longestMs = 600_000

type Counted = { block: string; of: Distribution }

/**
 * Distribution over holders, counted from the snapshot of a block. The server creates a file for it, so a large collection is counted on
 * demand.
 */
export function HolderCounts({
  chain,
  address,
  block,
  atOnce,
}: {
  chain: string
  address: string
  block: string | undefined
  /** Counts without a click. */
  atOnce: boolean
}) {
  const { open, shown } = useServices()
  // The block at the time of the request, as the head moves on. A new object for each click, so that a failed block is retried.
  const [requested, setRequested] = useState<{ block: string } | undefined>(undefined)
  const [counted, setCounted] = useState<Counted | null>(null)
  const [fault, setFault] = useState<ApiFault | null>(null)

  useEffect(() => {
    if (atOnce && requested === undefined && block !== undefined) setRequested({ block })
  }, [atOnce, requested, block])

  useEffect(() => {
    if (requested === undefined) return
    const call = get('/api/v2/nft/{address}/snapshot', {
      path: { address },
      query: { chain, as_of_block: requested.block },
    })
    const hide = shown.add(call)
    const unmounted = new AbortController()
    setFault(null)
    const signal = AbortSignal.any([unmounted.signal, AbortSignal.timeout(longestMs)])
    readCounts(call, open, signal).then(
      (of) => setCounted({ block: requested.block, of }),
      (error) => {
        if (!unmounted.signal.aborted) setFault(faultOf(error))
      },
    )
    return () => {
      unmounted.abort()
      hide()
    }
  }, [requested, chain, address, open, shown])

  const count = () => {
    if (block !== undefined && counted?.block !== block) setRequested({ block })
  }
  const isBusy = requested !== undefined && counted?.block !== requested.block && !fault
  return (
    <Card
      title="Holder distribution"
      actions={
        <Button type="button" off={isBusy || block === undefined} onClick={count}>
          {counted ? 'Count again' : 'Count holders'}
        </Button>
      }
    >
      {fault && <Failed fault={fault} />}
      {isBusy && !counted && <Loading what="Counting" />}
      {requested === undefined && <p class="hint">Counting downloads a row for each token and holder.</p>}
      {counted && <Counts chain={chain} {...counted} />}
    </Card>
  )
}

/** The server creates one file per key at a time, so this waits for an abandoned one. */
async function readCounts(call: ApiCall<unknown>, open: Services['open'], signal: AbortSignal): Promise<Distribution> {
  for (let tries = 1; ; tries++) {
    try {
      const { body } = await open(call, signal)
      if (!body) throw new ApiFault('the server sent an empty response', { status: 0 })
      return await countHolders(linesOf(call, body))
    } catch (error) {
      if (!(error instanceof ApiFault) || error.status !== 429 || tries === mostTries) throw error
      await pause(error.retryAfterMs ?? 1_000)
      signal.throwIfAborted()
    }
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

function Counts({ chain, block, of: { holders, amount, largest, groups } }: Counted & { chain: string }) {
  return (
    <>
      <p>
        {formatNumber(holders)} {holders === 1 ? 'address holds' : 'addresses hold'} a total amount of{' '}
        {formatNumber(amount)} at the end of block {formatNumber(block)}.
      </p>
      <div class="spread">
        <Table
          caption="Addresses by amount"
          rows={groups}
          keyOf={({ from }) => String(from)}
          columns={[
            { name: 'Amount held', cell: ({ from, to }) => groupName(from, to) },
            { name: 'Addresses', number: true, cell: ({ holders: count }) => formatNumber(count) },
            {
              name: 'Share',
              cell: ({ from, to, holders: count }) => (
                <meter
                  min={0}
                  max={Math.max(1, holders)}
                  value={count}
                  aria-label={`Addresses that hold ${groupName(from, to)}`}
                />
              ),
            },
          ]}
        />
        <Table
          caption="Largest holders"
          rows={largest}
          keyOf={({ owner }) => owner}
          columns={[
            { name: 'Holder', cell: ({ owner }) => <WalletLink chain={chain} address={owner} /> },
            { name: 'Tokens', number: true, cell: ({ tokens }) => formatNumber(tokens) },
            { name: 'Amount', number: true, cell: ({ amount: own }) => formatNumber(own) },
            { name: 'Share', number: true, cell: ({ amount: own }) => formatShare(shareOf(own, amount)) },
          ]}
        />
      </div>
    </>
  )
}

function groupName(from: number, to: number | null): string {
  if (to === null) return `${formatNumber(from)} or more`
  return from === to ? formatNumber(from) : `${formatNumber(from)} to ${formatNumber(to)}`
}
