import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'vite'

// Bundles the program that tests start as processes into the folder given as first argument.
// Two thousand modules become about a hundred files, which load in a third of the time.
// The bundle is then loaded once, so that Node stores its compiled code: services that tests kill cannot store it.

const folder = process.argv[2]!
const src = join(import.meta.dirname, '../src')

/** Files that a module reads from its own folder, and the programs of threads, stay in the sources. */
const paths = {
  name: 'paths of the sources',
  enforce: 'pre' as const,
  transform(code: string, file: string): string | undefined {
    if (!file.startsWith(src)) return undefined
    return code
      .replaceAll('import.meta.dirname', JSON.stringify(dirname(file)))
      .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(file).href))
  },
}

/** The modules that a server process loads. */
const loaded = { service: join(src, 'service.ts'), runProcess: join(src, 'cli/runProcess.ts') }

const outDir = `${folder}.${process.pid}`
await build({
  configFile: false,
  logLevel: 'error',
  // A native module must stay in its package.
  ssr: { noExternal: true, external: ['sharp'] },
  build: {
    ssr: true,
    rollupOptions: {
      input: { main: join(src, 'main.ts'), ...loaded },
      // No hashes in the names, so that a build replaces the files of earlier runs.
      output: { chunkFileNames: 'chunks/[name].js' },
    },
    outDir,
    target: 'node24',
    minify: false,
  },
  plugins: [paths],
})
await writeFile(join(outDir, 'package.json'), '{"type":"module"}')

// Renames each file, because another run may start programs meanwhile. `main.js` must be the last one.
const files = (await readdir(outDir, { recursive: true, withFileTypes: true }))
  .filter((entry) => entry.isFile())
  .map(({ parentPath, name }) => relative(outDir, join(parentPath, name)))
for (const file of [...files.filter((file) => file !== 'main.js'), 'main.js']) {
  const to = join(folder, file)
  await mkdir(dirname(to), { recursive: true })
  await rename(join(outDir, file), to)
}
await rm(outDir, { recursive: true })

await Promise.all(Object.keys(loaded).map((name) => import(pathToFileURL(join(folder, `${name}.js`)).href)))
process.exit()
