import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { clientTypes, clientTypesFile } from './clientTypes.ts'
import { openapiText } from './openapiText.ts'

await writeFile(join(import.meta.dirname, '..', 'openapi.json'), openapiText())
await writeFile(clientTypesFile, await clientTypes())
