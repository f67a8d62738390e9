import { Json } from '../../parts/Json.tsx'
import { readMetadata } from './readMetadata.ts'

/** Untrusted metadata: JSON is parsed, other text is shown as received. */
export function MetadataText({ text, label }: { text: string; label: string }) {
  return <Json value={readMetadata(text)} label={label} />
}
