/**
 * Marks in a stored normalised form the place of the count of a trait, before the trait's key as 32 hex digits. JSON text
 * never holds this control character as it is (RFC 8259, section 7).
 */
export const countSlot = '\x1f'

/** Hex digits of a trait's key. */
export const slotKeyLength = 32

/** In place of the key of an attribute without a value, which has no count. */
export const uncounted = '0'.repeat(slotKeyLength)

/** Always a member of an object: inside a JSON string a backslash is before every quote. */
const openCount = '"trait_count":null'

/** A normalised form as JSON text with a slot for each count. `traits`: the keys of its attributes, in order. */
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

/** A stored normalised form as JSON text, with null for every count. */
export function closeSlots(stored: string): string {
  return stored.replaceAll(slot, 'null')
}

const slot = new RegExp(`${countSlot}[0-9a-f]{${slotKeyLength}}`, 'g')
