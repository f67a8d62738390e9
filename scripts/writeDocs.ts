import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { withAlchemyMethods } from './alchemyMethods.ts'
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
const clients = at('docs/clients.md')
const moving = at('docs/moving.md')

writeFileSync(at('src/chain/evm/definedChains.artifact.json'), definedChainsText())
writeFileSync(at('docs/configuration.md'), configDocs())
writeFileSync(at('docs/tables.md'), tableDocs())
writeFileSync(at('docs/views.md'), viewDocs())
writeFileSync(at('openapi.json'), openapi)
writeFileSync(at('deploy/helm/files/notPublicIpv4.txt'), helmRanges('ipv4'))
writeFileSync(at('deploy/helm/files/notPublicIpv6.txt'), helmRanges('ipv6'))
writeFileSync(moving, withAlchemyMethods(readFileSync(moving, 'utf8')))
writeFileSync(clients, withOperations(readFileSync(clients, 'utf8'), JSON.parse(openapi)))
