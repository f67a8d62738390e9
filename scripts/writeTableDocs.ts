import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tableDocs } from './tableDocs.ts'

writeFileSync(join(import.meta.dirname, '../docs/tables.md'), tableDocs())
