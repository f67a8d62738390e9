import { spawnSync } from 'node:child_process'
import { copyFileSync, cpSync, mkdirSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

// Builds the published package. Node does not strip types under node_modules, so the package contains compiled JavaScript.
const root = join(import.meta.dirname, '..')
const dist = join(root, 'dist')
const resolve = createRequire(import.meta.url).resolve

rmSync(dist, { recursive: true, force: true })
compile('tsconfig.build.json')
compile('tsconfig.types.json')

// The page at /docs is copied. As a dependency, its package would bring one that reports every installation.
const page = dirname(resolve('swagger-ui-dist/package.json'))
const assets = join(dist, 'api/document/swagger-ui')
mkdirSync(assets)
for (const name of ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png', 'LICENSE', 'NOTICE'])
  copyFileSync(join(page, name), join(assets, name))

// Copies all other files that the code reads at run time.
cpSync(join(root, 'src'), dist, { recursive: true, filter: (path) => !path.endsWith('.ts') })

const { status } = spawnSync(process.execPath, [join(import.meta.dirname, 'buildConsole.ts'), join(dist, 'console')], {
  stdio: 'inherit',
})
if (status !== 0) process.exit(status ?? 1)

function compile(project: string): void {
  const compiler = join(dirname(resolve('typescript/package.json')), 'bin/tsc')
  const { status } = spawnSync(process.execPath, [compiler, '-p', project], { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
