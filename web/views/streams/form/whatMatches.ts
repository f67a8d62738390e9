import type { StreamForm } from './streamForm.ts'

/** A warning for a stream that matches everywhere or nothing. null: it matches only its addresses. `addresses`: their number. */
export function whatMatches(form: StreamForm, addresses: number): string | null {
  const { includeContractLogs, includeNativeTxs, includeInternalTxs, allAddresses, events, otherEvents } = form
  const isAnyEvent = events.length === 0 || otherEvents
  const matched = [
    includeContractLogs && matchedLogs(events),
    includeContractLogs && otherEvents && events.length > 0 && 'every log of other events',
    includeNativeTxs && 'every transaction',
    includeInternalTxs && 'every internal transaction',
  ].filter((one) => one !== false)
  if (matched.length === 0) return 'Nothing matches: choose logs, transactions or internal transactions.'
  // Chosen events may be rare, even on all contracts.
  const isMuch = (includeContractLogs && isAnyEvent) || includeNativeTxs || includeInternalTxs
  if (allAddresses)
    return `The stream matches ${listed(matched)} of every contract and account on its chains${isMuch ? ': expect webhooks of nearly every block' : ''}.`
  return addresses === 0 ? 'The stream has no address: nothing matches until you add one on its page.' : null
}

function matchedLogs(events: StreamForm['events']): string {
  if (events.length === 0) return 'every log'
  const named = events.length === 1 ? 'the chosen event' : `the ${events.length} chosen events`
  return `every log of ${named}${events.some(({ filter }) => filter.parts.length > 0) ? ' that matches its filter' : ''}`
}

function listed(texts: readonly string[]): string {
  return texts.length < 2 ? texts.join('') : `${texts.slice(0, -1).join(', ')} and ${texts.at(-1)}`
}
