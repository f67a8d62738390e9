import { accessSync, constants } from 'node:fs'

/** Parameters that name files, which the driver reads when it connects. */
const files = ['sslrootcert', 'sslcert', 'sslkey'] as const

/**
 * What the driver could make nothing of in the address of a database, in words that quote none of it; undefined where it is
 * fine. Without a host it is a socket. The driver itself never ends where a port is none.
 */
export function databaseUrlFault(url: string): string | undefined {
  const readable = [url, url.replace('@/', '@localhost/')].find((text) => URL.canParse(text))
  if (readable === undefined)
    return 'cannot be read: write special characters of the user and the password percent-encoded'
  const { searchParams } = new URL(readable)
  const port = searchParams.get('port')
  if (port && !(/^\d{1,5}$/.test(port) && Number(port) > 0 && Number(port) <= 65_535))
    return 'has a port that is none; allowed: 1 to 65535'
  const missing = files.find((name) => searchParams.get(name) && !isReadable(searchParams.get(name)!))
  return missing && `names a file in ${missing} that cannot be read`
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK)
    return true
  } catch {
    return false
  }
}
