/** Characters in which the root tag is searched. */
const mostHead = 8_192

/**
 * Background colour in the inline style of an SVG's root, which browsers paint below the drawing, but not the renderer: hex digits, `rgb(…)` or a
 * common name, unchanged. Undefined for none, images, gradients and transparent colours.
 */
export function rootBackground(svg: string): string | undefined {
  // `markSvg` puts its mark into a comment.
  const head = svg.slice(0, mostHead).replaceAll(/<!--.*?-->/gs, '')
  const tag = /<(?:[\w.-]+:)?svg\s[^>]*/.exec(head)?.[0] ?? ''
  const [, quoted, single] = /\sstyle\s*=\s*(?:"([^"]*)"|'([^']*)')/.exec(tag) ?? []
  const declarations = (quoted ?? single ?? '').split(';').map((declaration) => declaration.split(':', 2))
  const last = declarations.findLast(([property]) => /^\s*background(?:-color)?\s*$/i.test(property!))
  const color = last?.[1]?.replace(/!\s*important\s*$/i, '').trim() ?? ''
  return opaque.test(color) || names.has(color.toLowerCase()) ? color : undefined
}

const opaque = /^(?:#(?:[\da-f]{3}){1,2}|rgb\(\s*\d{1,3}\s*,\s*\d{1,3}\s*,\s*\d{1,3}\s*\))$/i

/** Colour names of CSS 2.1; others are ignored. */
const names: ReadonlySet<string> = new Set(
  'aqua black blue fuchsia gray green lime maroon navy olive orange purple red silver teal white yellow'.split(' '),
)
