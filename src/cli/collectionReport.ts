import type { EvmChain } from '../chain/evm/chains.ts'
import type { CollectionState } from '../nft/query.ts'
import type { Address } from '../util/hex.ts'

/** What commands print of a collection as JSON. */
export function collectionReport(chain: EvmChain, address: Address, state: CollectionState) {
  const { status, synced, reason, standard, name, symbol, tokens, fromBlock, toBlock, headBlock, progress } = state
  return {
    chain: chain.name,
    address,
    status,
    synced,
    reason,
    standard,
    name,
    symbol,
    tokens,
    fromBlock,
    toBlock,
    headBlock,
    progress,
    retryAt: state.retryAt === null ? null : new Date(state.retryAt).toISOString(),
  }
}

/** The same in one sentence. */
export function describeCollection(chain: EvmChain, address: Address, state: CollectionState): string {
  return `${chain.name} ${address}: ${described(state)}`
}

function described(state: CollectionState): string {
  const { status, reason, standard, name, tokens, toBlock, headBlock, progress } = state
  const retry = state.retryAt === null ? '' : `, tried again at ${new Date(state.retryAt).toISOString()}`
  switch (status) {
    case 'queued':
      return 'waits for its turn'
    case 'syncing':
      return `syncing, ${Math.floor(progress * 100)} %, ${tokens} tokens so far, block ${toBlock ?? '-'} of ${headBlock ?? '-'}`
    case 'live':
      return `live, ${standard}${name ? ` "${printable(name)}"` : ''}, ${tokens} tokens, block ${toBlock ?? '-'} of ${headBlock ?? '-'}`
    case 'none':
      return 'is no NFT contract'
    case 'nocode':
      return 'there is no contract at this address'
    case 'failed':
      return `failed: ${reason ?? 'for no known reason'}${retry}`
  }
}

/** A contract's name is a stranger's text: no control characters reach the terminal. */
function printable(text: string): string {
  return text.replace(/\p{C}/gu, '').slice(0, 80)
}
