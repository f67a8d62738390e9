export type Section = { id: string; title: string }
export type RenderedPage = {
  html: string
  /** Headings of the second level. */
  sections: Section[]
  /** First paragraph as plain text. */
  summary: string
}

/**
 * Renders a page of `docs/` as HTML without scripts or styles. HTML in the page becomes text; comments are omitted.
 * Links between pages lead to the guide; a link to an unserved file becomes text.
 */
export async function renderMarkdown(markdown: string): Promise<RenderedPage> {
  // Imported on the first read of the guide: most servers never need it.
  const { Marked } = await import('marked')
  const sections: Section[] = []
  const seen = new Map<string, number>()
  let summary = ''
  const marked = new Marked({
    gfm: true,
    walkTokens(token) {
      // Paragraphs come in order, including those in lists; each page begins with a paragraph.
      if (token.type === 'paragraph') summary ||= plain(token.text)
    },
    renderer: {
      html: ({ text }) => (text.startsWith('<!--') ? '' : escapeHtml(text)),
      heading({ tokens, depth, text }) {
        const base = headingId(text)
        const count = seen.get(base) ?? 0
        seen.set(base, count + 1)
        const id = count === 0 ? base : `${base}-${count}`
        if (depth === 2) sections.push({ id, title: plain(text) })
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens)
        const target = guideLink(href)
        return target === undefined ? text : `<a href="${escapeHtml(target)}">${text}</a>`
      },
      code({ text, lang = '' }) {
        return `<pre tabindex="0"><code data-language="${escapeHtml(lang)}">${escapeHtml(text)}\n</code></pre>\n`
      },
      table({ header, rows }) {
        const cells = (row: typeof header) => row.map((cell) => this.tablecell(cell)).join('')
        const body = rows.map((row) => `<tr>${cells(row)}</tr>\n`).join('')
        return `<div class="table" tabindex="0"><table><thead><tr>${cells(header)}</tr></thead><tbody>\n${body}</tbody></table></div>\n`
      },
    },
  })
  const html = await marked.parse(markdown)
  return { html, sections, summary }
}

/** Target of a page's link in the guide; undefined: this server does not serve it. */
function guideLink(href: string): string | undefined {
  if (/^(?:https?:\/\/|#)/.test(href)) return href
  const page = /^([\w-]+)\.md(#[\w-]+)?$/.exec(href)
  if (page) return `/docs/guide/${page[1]}${page[2] ?? ''}`
  return href === '../openapi.json' ? '/openapi.json' : undefined
}

/** One line of Markdown as plain text. */
function plain(text: string): string {
  return text
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*]/g, '')
    .replaceAll('\n', ' ')
}

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

/** The anchor of a heading, as GitHub generates it, so links between pages work in both places. */
export function headingId(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\w -]/g, '')
    .replaceAll(' ', '-')
}
