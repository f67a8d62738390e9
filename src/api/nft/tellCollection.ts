import { type CollectionState, unconfirmed } from '../../nft/query.ts'
import { headersNow } from '../http/pageTarget.ts'
import { type Telling, tellHead } from '../pages/tellHead.ts'
import { indexHeaders } from './indexHeaders.ts'

/** What an answer says of a collection at one moment. */
export type Told = {
  status: 'SYNCED' | 'SYNCING'
  /** The x-index-… headers, except the age of the head, which is computed for each answer. */
  headers: readonly string[]
}

/** SYNCED is withdrawn when the head is not confirmed for too long. */
export type TellCollection = Telling<Told>

/** The x-index-… headers of an answer that is given now. */
export function toldNow(tell: TellCollection): readonly string[] {
  return headersNow({ headers: tell.at(performance.now()).headers, confirmedAt: tell.confirmedAt })
}

/** `readAt`: a time before the state was read. */
export function tellCollection(state: CollectionState | undefined, readAt: number): TellCollection {
  const isSynced = state?.synced === true
  const told: Told = { status: isSynced ? 'SYNCED' : 'SYNCING', headers: indexHeaders(state) }
  function withdraw(maxAgeMs: number): Told {
    const reason = state?.reason ?? unconfirmed(maxAgeMs)
    return { status: 'SYNCING', headers: indexHeaders(state && { ...state, synced: false, progress: 0.999, reason }) }
  }
  // What is no NFT contract stays none, however old the head is.
  const hangsOnHead = isSynced && state.status !== 'none'
  return tellHead({ head: state?.head, readAt, told, withdraw: hangsOnHead ? withdraw : undefined })
}
