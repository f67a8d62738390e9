import { Empty } from './Shown.tsx'

/** An empty list of coins. `status`: of the network, which may be unconfigured. */
export function NoCoins({ status }: { status: string | null | undefined }) {
  if (status !== 'unconfigured') return <Empty>No coins yet.</Empty>
  return (
    <Empty>
      The configuration contains no network. <a href="/docs/guide/coins">How to add one</a>
    </Empty>
  )
}
