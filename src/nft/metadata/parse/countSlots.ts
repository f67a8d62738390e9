/**
 * Marks the place of a trait count in stored normalized metadata, before the trait's key as 32 hex digits. JSON never contains this control character
 * unescaped (RFC 8259, section 7).
 */
export const countSlot = '\x1f'

/** Hex digits of a trait's key. */
export const slotKeyLength = 32

/** Replaces the key for an attribute without a value, which has no count. */
export const uncounted = '0'.repeat(slotKeyLength)

/** Always a field of an object: within JSON strings, quotes are escaped. */
const openCount = '"trait_count":null'

/** Normalized metadata as JSON with a slot per count. `traits`: keys of its attributes, in order. */
export function openSlots(normalized: string, traits: readonly string[]): string {
  if (traits.length === 0) return normalized
  const parts = normalized.split(openCount)
  let text = parts[0]!
  for (let i = 1; i < parts.length; i++) {
    const trait = traits[i - 1]
    const count = trait === undefined || trait === uncounted ? 'null' : countSlot + trait
    text += `"trait_count":${count}${parts[i]}`
  }
  return text
}

/** Stored normalized metadata as JSON, with null for every count. */
export function closeSlots(stored: string): string {
  return stored.replaceAll(slot, 'null')
}

const slot = new RegExp(`${countSlot}[0-9a-f]{${slotKeyLength}}`, 'g')
