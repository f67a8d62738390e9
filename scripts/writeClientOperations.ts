import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openapiText } from './openapiText.ts'
import { withOperations } from './publishedOperations.ts'

const page = join(import.meta.dirname, '..', 'docs', 'clients.md')
await writeFile(page, withOperations(await readFile(page, 'utf8'), JSON.parse(openapiText())))
