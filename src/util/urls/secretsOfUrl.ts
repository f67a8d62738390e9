/** A text that may not be shown, and the text that is shown in its place. */
export type Secret = { text: string; shown: string }

/** Shown in the place of a key. */
export const hidden = '***'

/** Parameters of a database's address that are shown: without the places of the database and its certificates, and its user, errors would say nothing. */
const whereDatabaseIs = /^(?:host|port|user|sslmode|sslrootcert|sslcert|sslkey)=/

/**
 * The secrets of an address: everything but its host, so user, password, segments of the path and values of the query. Also of a text
 * that is no valid URL, as errors repeat it. Of a database's address its path, which is the database's name, its place and the name of
 * its user, to whom an operator may have to grant a right, are no secrets.
 */
export function secretsOfUrl(address: string): Secret[] {
  const { user, name, password, host, rest, path, query, isDatabase } = partsOf(address)
  const parts = [
    password,
    ...(isDatabase ? [] : [name, ...path.split('/')]),
    ...query
      .split(/[&#]/)
      .filter((part) => !(isDatabase && whereDatabaseIs.test(part)))
      .map((part) => part.slice(part.indexOf('=') + 1)),
  ]
  const keys = parts.flatMap(secretsOfText)
  return [
    ...keys,
    // If a path or query holds a key, all of it is masked.
    ...(keys.some(({ text }) => rest.includes(text)) ? [{ text: rest, shown: hidden }] : []),
    // User and password together are masked even where each of them is too short to be masked by itself.
    ...(user === '' ? [] : [{ text: `${user}@`, shown: '' }, ...secretsOfText(basicCredentials(name, password))]),
    ...(host === '' || isDatabase || rest.length < 2 ? [] : [{ text: host + rest, shown: host }]),
  ]
}

/**
 * An address as it may be shown. Of a database's address the password is hidden, and values of its query that do not say where the
 * database is; of any other address everything after the host.
 */
export function shownUrl(address: string): string {
  const { scheme, user, name, host, rest, path, query, isDatabase } = partsOf(address)
  if (!isDatabase) return scheme + host + (rest.length < 2 ? rest : `/${hidden}`)
  const shownUser = user === '' ? '' : user === name ? `${name}@` : `${name}:${hidden}@`
  const shownQuery = query
    .split(/[&#]/)
    .map((part) => (whereDatabaseIs.test(part) ? part : `${part.split('=', 1)[0]}=${hidden}`))
    .join('&')
  return scheme + shownUser + host + path + (query === '' ? '' : `?${shownQuery}`)
}

function partsOf(address: string) {
  const [, scheme = '', user = '', host = '', rest = ''] =
    /^([a-z][a-z0-9+.-]*:\/\/)?(?:([^/?#]*)@)?([^/?#]*)(.*)$/is.exec(address)!
  const [path = '', query = ''] = rest.split(/[?#](.*)/s)
  const name = user.split(':', 1)[0]!
  const password = user.slice(name.length + 1)
  return { scheme, user, name, password, host, rest, path, query, isDatabase: /^postgres/i.test(scheme) }
}

/**
 * The forms in which an answer may repeat a key: as it is, percent-encoded, decoded, within JSON. None for a key that is shorter than
 * eight characters or a plain word: unrelated texts hold such words too, and masking them there would reveal the key.
 */
export function secretsOfText(key: string): Secret[] {
  const plain = percentDecoded(key)
  if (plain.length < 8 || (/^[a-z-]+$/.test(plain) && plain.length < 20)) return []
  const forms = [
    key,
    plain,
    encodeURI(plain),
    encodeURIComponent(plain),
    new URLSearchParams([['', plain]]).toString().slice(1),
  ]
  const all = new Set(forms.flatMap((form) => [form, JSON.stringify(form).slice(1, -1)]))
  return [...all].map((text) => ({ text, shown: hidden }))
}

/** The header `Authorization` for the user and password in an address (RFC 7617); undefined: the address has none. */
export function basicAuthorization({ username, password }: URL): string | undefined {
  return username === '' && password === '' ? undefined : `Basic ${basicCredentials(username, password)}`
}

/** The value of that header after `Basic`, for a user and a password as an address has them. */
export function basicCredentials(username: string, password: string): string {
  return Buffer.from(`${percentDecoded(username)}:${percentDecoded(password)}`).toString('base64')
}

/** A part of an address, decoded; as it is where it is no percent-encoding, as a password may have a `%` of its own. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
