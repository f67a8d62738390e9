import { NotFoundError } from '../../util/errors.ts'
import { shareOnce } from '../../util/shareCalls.ts'
import { createFixedBody, type FixedBody } from '../http/fixedBody.ts'
import { type GuideChapter, readGuidePages } from './guidePages.ts'
import { escapeHtml, type RenderedPage, renderMarkdown } from './renderMarkdown.ts'

/** The console's policy without scripts, as the pages have none: nothing from other hosts, nothing inline. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

export type Guide = {
  /** A page of `docs/` by its name; '' is the list of all pages. Throws NotFoundError. */
  read(name: string): Promise<FixedBody>
}

/** `docs/` as web pages. The first request renders all pages, which are then cached. */
export function createGuide(): Guide {
  const pages = shareOnce(renderGuide)
  return {
    async read(name) {
      const page = (await pages()).get(name)
      if (!page) throw new NotFoundError(`/docs/guide has no page ${JSON.stringify(name.slice(0, 80))}`)
      return page
    },
  }
}

async function renderGuide(): Promise<ReadonlyMap<string, FixedBody>> {
  const chapters = await readGuidePages()
  const rendered = new Map<string, RenderedPage>()
  for (const { name, markdown } of chapters.flatMap(({ pages }) => pages))
    rendered.set(name, await renderMarkdown(markdown))
  const pages = new Map<string, FixedBody>()
  pages.set('', guideBody({ title: 'Guide', nav: navOf(chapters), main: listOf(chapters, rendered) }))
  for (const { name, title } of chapters.flatMap((chapter) => chapter.pages)) {
    const page = rendered.get(name)!
    pages.set(name, guideBody({ title, nav: navOf(chapters, { name, page }), main: page.html }))
  }
  return pages
}

/** All pages, and the sections of the open page. */
function navOf(chapters: readonly GuideChapter[], open?: { name: string; page: RenderedPage }): string {
  const sections = (open?.page.sections ?? []).map(
    ({ id, title }) => `<li><a href="#${id}">${escapeHtml(title)}</a></li>`,
  )
  const below = sections.length > 0 ? `<ul>${sections.join('')}</ul>` : ''
  return chapters
    .map(({ title, pages }) => {
      const items = pages.map(({ name, title }) => {
        const link = (current: string) => `<a href="/docs/guide/${name}"${current}>${escapeHtml(title)}</a>`
        return `<li>${name === open?.name ? link(' aria-current="page"') + below : link('')}</li>`
      })
      return `<h2>${title}</h2>\n<ul>\n${items.join('\n')}\n</ul>`
    })
    .join('\n')
}

function listOf(chapters: readonly GuideChapter[], rendered: ReadonlyMap<string, RenderedPage>): string {
  const sections = chapters.map(({ title, pages }) => {
    const items = pages.map(
      ({ name, title }) =>
        `<dt><a href="/docs/guide/${name}">${escapeHtml(title)}</a></dt><dd>${escapeHtml(rendered.get(name)!.summary)}</dd>`,
    )
    return `<h2>${title}</h2>\n<dl>\n${items.join('\n')}\n</dl>`
  })
  return `<h1>Guide</h1>\n${sections.join('\n')}`
}

function guideBody({ title, nav, main }: { title: string; nav: string; main: string }): FixedBody {
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} · Mintmark</title>
<link rel="stylesheet" href="/docs/guide.css">
<link rel="icon" type="image/png" href="/docs/favicon-32x32.png">
</head>
<body>
<a class="skip" href="#page">To the page</a>
<header><a class="home" href="/docs/guide">Mintmark</a> <a href="/">Console</a> <a href="/docs">API</a></header>
<div class="frame">
<nav aria-label="Pages">
<details class="small"><summary>All pages</summary>
${nav}
</details>
<div class="wide">
${nav}
</div>
</nav>
<main id="page">
${main}
</main>
</div>
</body>
</html>
`
  return createFixedBody(Buffer.from(html), 'text/html; charset=utf-8', [
    ...['cache-control', 'no-cache', 'content-security-policy', contentSecurityPolicy],
    ...['x-content-type-options', 'nosniff', 'referrer-policy', 'no-referrer'],
  ])
}
