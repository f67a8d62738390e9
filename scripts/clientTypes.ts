import { readFile } from 'node:fs/promises'
import { registerHooks } from 'node:module'
import { join } from 'node:path'

export const clientTypesFile = join(import.meta.dirname, '..', 'web/api/openapi.artifact.ts')

/**
 * What `npx openapi-typescript openapi.json` prints. It prints through the compiler's JavaScript API, which TypeScript 7
 * no longer has: here the API comes from the compiler that @ts-morph/common carries inside.
 */
export async function clientTypes(): Promise<string> {
  const typescript = import.meta.resolve('typescript')
  const hooks = registerHooks({
    load: (url, context, nextLoad) =>
      url === typescript
        ? {
            format: 'module',
            shortCircuit: true,
            source: `import { ts } from '@ts-morph/common'; export default ts`,
          }
        : nextLoad(url, context),
  })
  try {
    const { default: openapiTypes, astToString } = await import('openapi-typescript')
    const document = await readFile(join(import.meta.dirname, '..', 'openapi.json'), 'utf8')
    return `// Written by scripts/writeDocs.ts from openapi.json.\n${astToString(await openapiTypes(document))}`
  } finally {
    hooks.deregister()
  }
}
