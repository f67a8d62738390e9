import { z } from 'zod'
import { parameter } from '../http/parameters.ts'

const most = 25

const hash = parameter({
  description: 'SHA-256 of a coin type, in any case, with or without 0x.',
  allowed: 'a coin type hash: 64 hex digits',
  schema: { type: 'string', pattern: '^(0[xX])?[0-9a-fA-F]{64}$', examples: ['9'.repeat(64)] },
  parse: (text) => /^(?:0x)?([0-9a-f]{64})$/i.exec(text)?.[1]?.toLowerCase(),
})

/** The parameter `coin_type_hashes`, in every spelling of a list. */
export const coinTypeHashes = z
  .array(hash, { error: `is missing; allowed: 1 to ${most} coin type hashes` })
  .min(1, `is empty; allowed: 1 to ${most} coin type hashes`)
  .max(most, `has too many; allowed: 1 to ${most} coin type hashes`)
  .meta({ description: `1 to ${most} coin type hashes.` })
