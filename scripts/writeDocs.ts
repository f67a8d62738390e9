import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { configDocs } from './configDocs.ts'
import { definedChainsText } from './definedChains.ts'
import { helmRanges } from './helmRanges.ts'
import { openapiText } from './openapiText.ts'
import { withOperations } from './publishedOperations.ts'
import { tableDocs } from './tableDocs.ts'
import { viewDocs } from './viewDocs.ts'

/** Writes every file that is generated from the code, except lint/layers.json. Tests compare each with the generated text. */
const at = (path: string) => join(import.meta.dirname, '..', path)
const openapi = openapiText()

writeFileSync(at('src/chain/evm/definedChains.artifact.json'), definedChainsText())
writeFileSync(at('openapi.json'), openapi)
writeFileSync(at('deploy/helm/files/notPublicIpv4.txt'), helmRanges('ipv4'))
writeFileSync(at('deploy/helm/files/notPublicIpv6.txt'), helmRanges('ipv6'))
rewrite(at('docs/configuration.md'), configDocs)
rewrite(at('docs/tables.md'), tableDocs)
rewrite(at('docs/views.md'), viewDocs)
rewrite(at('docs/clients.md'), (page) => withOperations(page, JSON.parse(openapi)))

function rewrite(path: string, change: (page: string) => string): void {
  writeFileSync(path, change(readFileSync(path, 'utf8')))
}
