import { accessSync, constants } from 'node:fs'

/** Parameters with file names; the driver reads the files when it connects. */
const files = ['sslrootcert', 'sslcert', 'sslkey'] as const

/**
 * The error in a database URL, without a quote of it; undefined if the driver can use it. A URL without a host is a socket. With an invalid port the
 * driver itself would wait forever.
 */
export function databaseUrlFault(url: string): string | undefined {
  const readable = [url, url.replace('@/', '@localhost/')].find((text) => URL.canParse(text))
  if (readable === undefined)
    return 'cannot be read: write special characters of the user and the password percent-encoded'
  const { searchParams } = new URL(readable)
  const port = searchParams.get('port')
  if (port && !(/^\d{1,5}$/.test(port) && Number(port) > 0 && Number(port) <= 65_535))
    return 'has an invalid port; allowed: 1 to 65535'
  const missing = files.find((name) => searchParams.get(name) && !isReadable(searchParams.get(name)!))
  return missing && `specifies a file in ${missing} that cannot be read`
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK)
    return true
  } catch {
    return false
  }
}
