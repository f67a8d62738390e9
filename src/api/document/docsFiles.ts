import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { NotFoundError } from '../../util/errors.ts'
import { createFixedBody, type FixedBody } from '../http/fixedBody.ts'

/** Files of Swagger UI that the page uses, with their content types. */
const swaggerFiles: Record<string, string> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
}

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Mintmark API</title>
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="icon" type="image/png" href="/docs/favicon-32x32.png">
</head>
<body>
<div id="docs"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`

/** validatorUrl null: the page sends nothing to other hosts. */
const start = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#docs', deepLinking: true, validatorUrl: null, persistAuthorization: false })
`

/** Nothing from other hosts, no inline script; Swagger UI needs inline styles and data images. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

export type DocsFiles = {
  /** A file of the page by its name; '' is the page itself. Throws NotFoundError. */
  read(name: string): Promise<FixedBody>
}

/** Each file is read once and kept. */
export function createDocsFiles(): DocsFiles {
  const files = new Map<string, Promise<FixedBody>>()
  files.set('', Promise.resolve(docsFile(Buffer.from(page), 'text/html; charset=utf-8')))
  files.set('start.js', Promise.resolve(docsFile(Buffer.from(start), 'text/javascript; charset=utf-8')))

  /** The guide's style sheet, which is beside this module. */
  const readOwn = async () => docsFile(await readFile(new URL('guide.css', import.meta.url)), 'text/css; charset=utf-8')

  async function readSwagger(name: string, contentType: string): Promise<FixedBody> {
    return docsFile(await readFirst(swaggerFolders().map((folder) => join(folder, name))), contentType)
  }

  return {
    read(name) {
      const contentType = Object.hasOwn(swaggerFiles, name) ? swaggerFiles[name] : undefined
      let file = files.get(name)
      if (!file && (contentType || name === 'guide.css')) {
        file = contentType ? readSwagger(name, contentType) : readOwn()
        file.catch(() => files.delete(name))
        files.set(name, file)
      }
      return file ?? Promise.reject(new NotFoundError(`/docs has no file ${JSON.stringify(name.slice(0, 80))}`))
    },
  }
}

function docsFile(bytes: Buffer, contentType: string): FixedBody {
  return createFixedBody(bytes, contentType, [
    'cache-control',
    'public, max-age=300',
    'content-security-policy',
    contentSecurityPolicy,
    'x-content-type-options',
    'nosniff',
    'referrer-policy',
    'no-referrer',
  ])
}

/** The built package has the three files beside this module; in a clone they are in a development dependency. */
function swaggerFolders(): string[] {
  const folders = [join(dirname(fileURLToPath(import.meta.url)), 'swagger-ui')]
  try {
    folders.push(dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json')))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error
  }
  return folders
}

async function readFirst(paths: string[]): Promise<Buffer> {
  for (const path of paths) {
    try {
      return await readFile(path)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
  throw new NotFoundError('this installation does not contain the files of /docs; use /openapi.json')
}
