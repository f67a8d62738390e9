import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build } from 'vite'

// Builds the console into the given folder, with .br and .gz copies of each text file. The folder appears all at once, so parallel builds do no harm.
const web = join(import.meta.dirname, '../web')
const [given] = process.argv.slice(2)
if (!given) throw new TypeError('usage: buildConsole.ts FOLDER')
const target = resolve(given)

mkdirSync(dirname(target), { recursive: true })
const folder = mkdtempSync(`${target}.`)
try {
  await build({
    configFile: join(web, 'vite.config.ts'),
    root: web,
    logLevel: 'warn',
    build: { outDir: folder, emptyOutDir: true },
  })
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile() && /\.(?:css|html|js|svg)$/.test(entry.name)) compress(join(entry.parentPath, entry.name))
  chmodSync(folder, 0o755)
  place(folder)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function compress(path: string): void {
  const bytes = readFileSync(path)
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
  writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params }))
  writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }))
}

/** Renames the folder to its target. If another build of the same sources was faster, its folder stays. */
function place(made: string): void {
  try {
    renameSync(made, target)
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}
