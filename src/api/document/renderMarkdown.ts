export type Section = { id: string; title: string }
export type RenderedPage = {
  html: string
  /** Its headings of the second level. */
  sections: Section[]
  /** Its first paragraph as text. */
  summary: string
}

/**
 * A page of `docs/` as HTML without a script or a style; HTML in it is text, but for comments, which are omitted. Links between pages lead to pages of the guide; a link to a file that
 * this server does not serve becomes text.
 */
export async function renderMarkdown(markdown: string): Promise<RenderedPage> {
  // Loaded where the guide is first read, as most servers never show it.
  const { Marked } = await import('marked')
  const sections: Section[] = []
  const seen = new Map<string, number>()
  let summary = ''
  const marked = new Marked({
    gfm: true,
    walkTokens(token) {
      // Paragraphs are walked in their order, those within lists too; a page begins with one of its own.
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

/** Where a link of a page leads in the guide; undefined if this server has nothing there. */
function guideLink(href: string): string | undefined {
  if (/^(?:https?:\/\/|#)/.test(href)) return href
  const page = /^([\w-]+)\.md(#[\w-]+)?$/.exec(href)
  if (page) return `/docs/guide/${page[1]}${page[2] ?? ''}`
  return href === '../openapi.json' ? '/openapi.json' : undefined
}

/** Markdown of one line without its marks. */
function plain(text: string): string {
  return text
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*]/g, '')
    .replaceAll('\n', ' ')
}

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

/** The anchor of a heading, as GitHub makes it, so that links between pages work there and in the guide alike. */
export function headingId(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\w -]/g, '')
    .replaceAll(' ', '-')
}
