import { MIMEType } from 'node:util'

export type ContentType = {
  /** Type and subtype in lower case, as `application/json`; '' if none is given or it is malformed. */
  mediaType: string
  /** As declared, in lower case; null if it is not. */
  charset: string | null
}

/** Reads a Content-Type by the WHATWG MIME sniffing standard; a malformed one counts as none. Never throws. */
export function parseContentType(text: string | null): ContentType {
  // Nearly all metadata has this type, and the parser takes 3 µs.
  if (text === 'application/json') return { mediaType: text, charset: null }
  if (!text || text.length > 1000) return { mediaType: '', charset: null }
  try {
    const { essence, params } = new MIMEType(text)
    return { mediaType: essence, charset: params.get('charset')?.trim().toLowerCase() || null }
  } catch {
    // The one way that Node has to say "malformed".
    return { mediaType: '', charset: null }
  }
}
