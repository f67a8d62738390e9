import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** Ways to turn a text into markup, a script, or a URL that runs one. */
const rejected =
  /dangerouslySetInnerHTML|\b(?:inner|outer)HTML\b|insertAdjacentHTML|document\.write|srcdoc|\beval\(|new Function|createContextualFragment|javascript:|DOMParser/

/** Images may come only from this server's previews, so their URLs never come from metadata. */
const image = /<(?:img|image|video|audio|iframe|object|embed|source)\b/

const web = join(import.meta.dirname, '../../web')
const files = readdirSync(web, { recursive: true, encoding: 'utf8' })
const sources = files
  .filter((path) => /\.(?:tsx?|html)$/.test(path) && !/\.test\.ts$|artifact/.test(path))
  .map((path) => ({ path, text: readFileSync(join(web, path), 'utf8') }))

test('default: no source of the console turns text into markup or scripts', () => {
  expect(sources.length).toBeGreaterThan(20)
  expect(sources.filter(({ text }) => rejected.test(text)).map(({ path }) => path)).toEqual([])
})

test('behavior: images, videos and audio appear only in two components, which load only files of this server', () => {
  const shown = sources.filter(({ text }) => image.test(text)).map(({ path }) => path)
  expect(shown.sort()).toEqual(['parts/Preview.tsx', 'views/token/Player.tsx'])
})

/** The first class of each selector of a style sheet, which is the subject of the rule. */
function subjectsOf(css: string): Set<string> {
  const heads = css.replaceAll(/\/\*[\s\S]*?\*\//g, '').matchAll(/([^{}]+)\{/g)
  const selectors = [...heads].flatMap(([, head]) => head!.split(',')).filter((text) => !text.trim().startsWith('@'))
  return new Set(selectors.flatMap((text) => /\.[a-z][\w-]*/.exec(text)?.[0] ?? []))
}

test('behavior: the style sheet of a view styles only its own classes, as it stays loaded', () => {
  const sheets = files
    .filter((path) => path.endsWith('.css') && path !== 'style.css')
    .map((path) => ({ path, subjects: subjectsOf(readFileSync(join(web, path), 'utf8')) }))
  expect(sheets.length).toBeGreaterThan(8)
  const faults = sheets
    .filter(({ path }) => path.startsWith('views/'))
    .flatMap(({ path, subjects }) =>
      sheets
        .filter((other) => other.path !== path)
        .flatMap((other) =>
          [...subjects].filter((name) => other.subjects.has(name)).map((name) => `${path}: ${name} of ${other.path}`),
        ),
    )
  expect(faults).toEqual([])
})
