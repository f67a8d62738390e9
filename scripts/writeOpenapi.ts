import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openapiText } from './openapiText.ts'

await writeFile(join(import.meta.dirname, '..', 'openapi.json'), openapiText())
