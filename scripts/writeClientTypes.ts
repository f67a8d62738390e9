import { readFileSync, writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join } from 'node:path'

/**
 * Writes the types of openapi.json for the compiler and the editor. Node and Vite remove imports of types, so nothing needs them at run
 * time. The types are the output of `npx openapi-typescript openapi.json`. That program needs the compiler's JavaScript API, which
 * TypeScript 7 no longer has. So this script provides the compiler inside @ts-morph/common.
 */
const root = join(import.meta.dirname, '..')
const typescript = import.meta.resolve('typescript')
registerHooks({
  load: (url, context, nextLoad) =>
    url === typescript
      ? { format: 'module', shortCircuit: true, source: `import { ts } from '@ts-morph/common'; export default ts` }
      : nextLoad(url, context),
})
const { default: openapiTypes, astToString } = await import('openapi-typescript')
const types = await openapiTypes(readFileSync(join(root, 'openapi.json'), 'utf8'))
const text = `// Written by scripts/writeClientTypes.ts from openapi.json.\n${astToString(types)}`
writeFileSync(join(root, 'web/api/openapi.artifact.ts'), text)
