import type { OpenChain } from '../../sync/openChains.ts'
import { createTokenReader, type TokenReader } from './tokenReader.ts'

/**
 * One reader for each open chain. After a reset the chain is opened anew: its contracts may be others at the same addresses, so what
 * they say is read again.
 */
export function createTokenReaders(): (open: Pick<OpenChain, 'contracts'>) => TokenReader {
  const readers = new WeakMap<object, TokenReader>()
  return (open) => {
    const reader = readers.get(open) ?? createTokenReader(open)
    readers.set(open, reader)
    return reader
  }
}
