import { Json } from '../../parts/Json.tsx'

/** Untrusted metadata, as received if it is not JSON any more. */
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
