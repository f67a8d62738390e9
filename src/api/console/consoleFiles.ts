import { createFixedBody, type FixedBody } from '../http/fixedBody.ts'
import { protection } from './protection.ts'

/** A file of the built console, in the encodings that the build wrote. */
export type BuiltFile = { bytes: Buffer; br?: Buffer | undefined; gzip?: Buffer | undefined }

/** The built console: its files by their paths below `/console/`, `index.html` among them. */
export type BuiltConsole = ReadonlyMap<string, BuiltFile>

/** State of the console in this process. */
export type ConsoleState = { status: 'ready'; files: BuiltConsole } | { status: 'building' } | { status: 'absent' }

export type ConsoleFiles = {
  /** The page of all views. */
  page: FixedBody
  /** A script, style, font or image by its path below `/console/`; undefined: there is none. */
  asset(path: string): FixedBody | undefined
}

const contentTypes: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  png: 'image/png',
  svg: 'image/svg+xml',
  webp: 'image/webp',
  woff2: 'font/woff2',
}

/**
 * The answers for the files of a built console. Names of assets contain their hash, so assets are immutable; the page
 * is revalidated.
 */
export function createConsoleFiles(built: BuiltConsole): ConsoleFiles {
  const assets = new Map<string, FixedBody>()
  for (const [path, file] of built) {
    const contentType = contentTypes[path.slice(path.lastIndexOf('.') + 1)]
    if (contentType)
      assets.set(path, bodyOf(file, contentType, ['cache-control', 'public, max-age=31536000, immutable']))
  }
  const page = built.get('index.html')
  if (!page) throw new TypeError('the built console has no index.html')
  return {
    // Programs get JSON at the same address.
    page: bodyOf(page, 'text/html; charset=utf-8', ['cache-control', 'no-cache'], 'Accept, Accept-Encoding'),
    asset: (path) => assets.get(path),
  }
}

function bodyOf({ bytes, ...encoded }: BuiltFile, contentType: string, headers: string[], vary?: string): FixedBody {
  return createFixedBody(bytes, contentType, [...headers, ...protection], { encoded, vary })
}
