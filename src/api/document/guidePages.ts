import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

/** A page of `docs/`. `name`: its file without `.md`. */
export type GuidePage = { name: string; title: string; markdown: string }

/** Pages of one kind, in reading order for a newcomer. */
export type GuideChapter = { title: string; pages: readonly GuidePage[] }

const order: Readonly<Record<string, readonly string[]>> = {
  'Get started': ['quickstart', 'console', 'clients', 'moving', 'webhooks'],
  'Data and responses': ['nfts', 'wallets', 'metadata', 'spam', 'coins', 'snapshots'],
  'Run a server': [
    'configuration',
    'operations',
    'admin',
    'verify',
    'security',
    'outbound',
    'reliability',
    'performance',
    'measurements',
    'scaling',
  ],
  Internals: ['architecture', 'tables'],
}
const rest = 'More'

/** `docs/` has the same relative path in a clone and in the published package. */
const folder = fileURLToPath(new URL('../../../docs', import.meta.url))

/** The pages of `docs/`; unlisted pages come last. */
export async function readGuidePages(): Promise<GuideChapter[]> {
  const names = (await readdir(folder)).filter((file) => file.endsWith('.md')).map((file) => file.slice(0, -3))
  const placed = new Set(Object.values(order).flat())
  const chapters = { ...order, [rest]: names.filter((name) => !placed.has(name)).sort() }
  const read = await Promise.all(
    Object.entries(chapters).map(async ([title, wanted]) => ({
      title,
      pages: await Promise.all(wanted.filter((name) => names.includes(name)).map(readPage)),
    })),
  )
  return read.filter(({ pages }) => pages.length > 0)
}

async function readPage(name: string): Promise<GuidePage> {
  const markdown = await readFile(`${folder}/${name}.md`, 'utf8')
  return { name, title: /^# (.+)$/m.exec(markdown)?.[1] ?? name, markdown }
}
