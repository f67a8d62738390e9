import { Json } from '../../parts/Json.tsx'

/** A document of others, as it is where it is not JSON any more. */
export function DocumentText({ text, label }: { text: string; label: string }) {
  return <Json value={parsed(text)} label={label} />
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
