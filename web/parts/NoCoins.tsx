import { Empty } from './Shown.tsx'

/** An empty list of coins. `status`: of the network, which may be unconfigured. */
export function NoCoins({ status }: { status: string | null | undefined }) {
  if (status !== 'unconfigured') return <Empty>No coins yet.</Empty>
  return (
    <Empty>
      No coin network is configured. <a href="/docs/guide/coins">Add a network</a>
    </Empty>
  )
}
