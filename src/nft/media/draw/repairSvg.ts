/** Longest SVG to repair, in bytes: handwritten ones are shorter. */
const mostBytes = 1_048_576

/** Most `&` in an SVG to repair, as each takes memory. */
const mostReferences = 10_000

/** Most prefixes to declare. */
const mostPrefixes = 32

/**
 * Repairs an SVG that is not well-formed XML, as an HTML parser would read it: marketplaces embed SVGs in pages, so collections rely on that. Escapes
 * `&` without a reference, replaces HTML entities (https://html.spec.whatwg.org/#named-character-references), declares prefixes such as `xlink:`, and
 * strips white space before the XML declaration. Takes linear time.
 */
export function repairSvg(svg: Buffer): Buffer {
  if (svg.length > mostBytes) return svg
  // One character per byte, so that everything else stays unchanged in every encoding.
  const text = svg.toString('latin1').replace(/^(?:\xef\xbb\xbf)?\s+/, '')
  if (countUpTo(mostReferences + 1, text, '&') > mostReferences) return svg
  const hasEntities = /<!ENTITY\s/.test(text)
  const prefixes = prefixesOf(text)
  let isRootSeen = false
  const repaired = outsideOpaque(text, (markup) => {
    const escaped = markup.replaceAll(/&(?:(#\d{1,7}|#x[\da-f]{1,6}|[a-z][\da-z]*);)?/gi, (reference, name?: string) =>
      referenceOf(reference, name, hasEntities),
    )
    if (isRootSeen) return escaped
    return escaped.replace(/<(?:[\w.-]+:)?svg(?=[\s/>])[^>]*/, (root) => {
      isRootSeen = true
      return declare(root, prefixes)
    })
  })
  return Buffer.from(repaired, 'latin1')
}

function countUpTo(most: number, text: string, part: string): number {
  let count = 0
  for (let at = text.indexOf(part); at >= 0 && count < most; at = text.indexOf(part, at + 1)) count++
  return count
}

/** Start and end of parts in which `&` is an ordinary character. */
const opaque: Readonly<Record<string, string>> = { '<!--': '-->', '<![CDATA[': ']]>', '<?': '?>' }

function outsideOpaque(text: string, repair: (markup: string) => string): string {
  const parts: string[] = []
  const opening = /<!--|<!\[CDATA\[|<\?/g
  for (let at = 0; at < text.length; ) {
    opening.lastIndex = at
    const found = opening.exec(text)
    const from = found?.index ?? text.length
    parts.push(repair(text.slice(at, from)))
    const close = found ? opaque[found[0]]! : ''
    const end = text.indexOf(close, from)
    at = end < 0 ? text.length : end + close.length
    parts.push(text.slice(from, at))
  }
  return parts.join('')
}

function referenceOf(reference: string, name: string | undefined, hasEntities: boolean): string {
  if (name === undefined) return '&amp;'
  if (name.startsWith('#') || hasEntities || xmlEntities.has(name)) return reference
  const code = htmlEntities.get(name)
  return code === undefined ? `&amp;${name};` : `&#${code};`
}

const xmlEntities: ReadonlySet<string> = new Set(['amp', 'lt', 'gt', 'quot', 'apos'])

/** HTML entities that tokens' texts use. */
const htmlEntities: ReadonlyMap<string, number> = new Map([
  ['nbsp', 160],
  ['copy', 169],
  ['laquo', 171],
  ['reg', 174],
  ['deg', 176],
  ['middot', 183],
  ['raquo', 187],
  ['times', 215],
  ['ndash', 8211],
  ['mdash', 8212],
  ['lsquo', 8216],
  ['rsquo', 8217],
  ['ldquo', 8220],
  ['rdquo', 8221],
  ['bull', 8226],
  ['hellip', 8230],
  ['trade', 8482],
  ['rarr', 8594],
  ['hearts', 9829],
])

function prefixesOf(text: string): Set<string> {
  const prefixes = new Set<string>()
  for (const [, prefix] of text.matchAll(/[\s<]([A-Za-z_][\w.-]*):[A-Za-z_][\w.-]*(?=\s*=|[\s/>])/g))
    if (!/^xml/i.test(prefix!) && prefixes.size < mostPrefixes) prefixes.add(prefix!)
  return prefixes
}

const namespaces: ReadonlyMap<string, string> = new Map([
  ['svg', 'http://www.w3.org/2000/svg'],
  ['xlink', 'http://www.w3.org/1999/xlink'],
])

/** The root tag with a declaration of every prefix. */
function declare(root: string, prefixes: ReadonlySet<string>): string {
  const known = new Set(Array.from(root.matchAll(/\sxmlns:([\w.-]+)\s*=/g), ([, prefix]) => prefix))
  const missing = [...prefixes].filter((prefix) => !known.has(prefix))
  const declared = missing.map((prefix) => ` xmlns:${prefix}="${namespaces.get(prefix) ?? `urn:undeclared:${prefix}`}"`)
  return root.replace(/^<(?:[\w.-]+:)?svg/, (name) => name + declared.join(''))
}
