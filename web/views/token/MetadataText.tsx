import { Json } from '../../parts/Json.tsx'

/** Untrusted metadata: JSON is parsed, other text is shown as received. */
export function MetadataText({ text, label }: { text: string; label: string }) {
  return <Json value={parsed(text)} label={label} />
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
