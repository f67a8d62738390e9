/** The metadata fields of a record. Rendered when they change, as escaping 1 kB costs more than reading it. */
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

/** The metadata fields of an unread token's record, as JSON without braces. */
export const noMetadata = renderMetadata({ uri: null, uriAt: null, text: null, textAt: null })

/** Parses the output of `renderMetadata`. */
export function parseRendered(record: string): {
  token_uri: string | null
  metadata: string | null
  last_token_uri_sync: string | null
  last_metadata_sync: string | null
} {
  return JSON.parse(`{${record}}`)
}
