/** The metadata members of a record. They are rendered once, when they change, as escaping 1 kB costs more than reading it. */
export function renderMetadata(options: {
  uri: string | null
  uriAt: Date | null
  text: string | null
  textAt: Date | null
}): string {
  const { uri, uriAt, text, textAt } = options
  return `"token_uri":${JSON.stringify(uri)},"metadata":${JSON.stringify(text)},"last_token_uri_sync":${time(uriAt)},"last_metadata_sync":${time(textAt)}`
}

function time(at: Date | null): string {
  return at ? `"${at.toISOString()}"` : 'null'
}

/** The metadata members of a record whose token was never read, as JSON text without braces. */
export const noMetadata = renderMetadata({ uri: null, uriAt: null, text: null, textAt: null })

/** The values of what `renderMetadata` wrote. */
export function parseRendered(record: string): {
  token_uri: string | null
  metadata: string | null
  last_token_uri_sync: string | null
  last_metadata_sync: string | null
} {
  return JSON.parse(`{${record}}`)
}
