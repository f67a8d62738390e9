import { createTestClient, http, publicActions, walletActions } from 'viem'

export type DemoClient = ReturnType<typeof connectDemoChain>

/** Client of the demo's chain, whose accounts are all unlocked. */
export function connectDemoChain(rpcUrl: string) {
  return createTestClient({ mode: 'anvil', transport: http(rpcUrl), pollingInterval: 10, cacheTime: 0 })
    .extend(publicActions)
    .extend(walletActions)
}
