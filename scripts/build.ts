import { spawnSync } from 'node:child_process'
import { copyFileSync, cpSync, mkdirSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

// What the published package runs: Node strips no types under node_modules, so it holds compiled JavaScript.
const root = join(import.meta.dirname, '..')
const dist = join(root, 'dist')
const resolve = createRequire(import.meta.url).resolve

rmSync(dist, { recursive: true, force: true })
compile('tsconfig.build.json')
compile('tsconfig.types.json')

// The page at /docs is copied: its package, as a dependency, would bring along one that reports every installation.
const page = dirname(resolve('swagger-ui-dist/package.json'))
const assets = join(dist, 'api/document/swagger-ui')
mkdirSync(assets)
for (const name of ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png', 'LICENSE', 'NOTICE'])
  copyFileSync(join(page, name), join(assets, name))

// Everything beside the sources that is read at run time.
cpSync(join(root, 'src'), dist, { recursive: true, filter: (path) => !path.endsWith('.ts') })

// The console.
const { status } = spawnSync(process.execPath, [join(import.meta.dirname, 'buildConsole.ts'), join(dist, 'console')], {
  stdio: 'inherit',
})
if (status !== 0) process.exit(status ?? 1)

function compile(project: string): void {
  const compiler = join(dirname(resolve('typescript/package.json')), 'bin/tsc')
  const { status } = spawnSync(process.execPath, [compiler, '-p', project], { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
