/** Examined bytes: enough for a prolog, comments and a DOCTYPE with entities. */
const prologLength = 65_536

/**
 * Type of a text: `image/svg+xml`, `text/html`, `application/json`, `application/xml` or `text/plain`; undefined if it is not UTF-8. JSON with the
 * parts of a 3D model, or `declared` as one, is `model/gltf+json`.
 */
export function textType(bytes: Buffer, declared?: string): string | undefined {
  if (bytes.length === 0 || bytes.includes(0)) return undefined
  const text = decode(bytes)
  if (text === undefined) return undefined
  const head = text.trimStart()
  if (/^[{[]/.test(head)) {
    const value = parseJson(bytes)
    const kind = declared?.split(';')[0]?.trim().toLowerCase()
    if (value !== undefined) return kind === gltf || isModel(value) ? gltf : 'application/json'
  }
  const root = rootOf(head)
  if (root === 'svg') return 'image/svg+xml'
  if (/^(?:!doctype\s+html|html|head|body|script|iframe|div|p|a|img|h1)$/i.test(root ?? '')) return 'text/html'
  if (/^<\?xml\s/.test(head)) return 'application/xml'
  return 'text/plain'
}

/** Whether the first element of a markup is svg, after any prolog, comments and DOCTYPE. */
export function isSvg(text: string): boolean {
  if (!text.startsWith('<')) return false
  return /^<(?:svg|\?xml)[\s>]/i.test(text) || textType(Buffer.from(text.slice(0, prologLength))) === 'image/svg+xml'
}

function decode(bytes: Buffer): string | undefined {
  try {
    // `stream` allows a cut within a character.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, prologLength), { stream: true })
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}

const gltf = 'model/gltf+json'

/** The value of a JSON text that begins with a brace or a bracket; undefined for other texts. */
function parseJson(bytes: Buffer): object | undefined {
  try {
    return JSON.parse(bytes.toString('utf8').trim())
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Whether a JSON text is a glTF: it has the required version, and a part of a scene. */
function isModel(value: {
  asset?: { version?: unknown } | null
  nodes?: unknown
  meshes?: unknown
  scenes?: unknown
}): boolean {
  return typeof value.asset?.version === 'string' && [value.nodes, value.meshes, value.scenes].some(Array.isArray)
}

/** The name of the first element without prefix, or `!doctype html`. Skips declarations by forward search only, in linear time. */
function rootOf(head: string): string | undefined {
  let at = 0
  while (at < head.length) {
    const rest = head.slice(at, at + 64)
    let end: number
    if (/^\s/.test(rest)) end = at + rest.search(/\S|$/)
    else if (rest.startsWith('<?')) end = after(head, '?>', at)
    else if (rest.startsWith('<!--')) end = after(head, '-->', at)
    else if (/^<!doctype\s+html\b/i.test(rest)) return '!doctype html'
    else if (/^<!doctype\s/i.test(rest)) end = afterDoctype(head, at)
    else return /^<(?:[\w.-]+:)?([\w.-]+)/.exec(rest)?.[1]
    at = end
  }
  return undefined
}

function after(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from)
  return found < 0 ? text.length : found + mark.length
}

/** Position after a DOCTYPE, including its internal subset. */
function afterDoctype(text: string, from: number): number {
  const close = text.indexOf('>', from)
  const open = text.indexOf('[', from)
  if (open < 0 || close < open) return close < 0 ? text.length : close + 1
  const subset = text.indexOf(']', open)
  return subset < 0 ? text.length : after(text, '>', subset)
}
