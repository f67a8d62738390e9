/** A text that must not be shown, and its replacement. */
export type Secret = { text: string; shown: string }

/** Replacement of a key. */
export const hidden = '***'

/** Parameters of a database URL that are shown: without the host, certificates and user, errors would not be useful. */
const whereDatabaseIs = /^(?:host|port|user|sslmode|sslrootcert|sslcert|sslkey)=/

/**
 * The secrets of a URL: everything but its host, so user, password, path segments and query values. Also of an invalid URL, as errors repeat it. In a
 * database URL the path (the database's name), its host and the user's name, to whom an operator may have to grant a right, are not secrets.
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
    // If a path or query contains a key, all of it is masked.
    ...(keys.some(({ text }) => rest.includes(text)) ? [{ text: rest, shown: hidden }] : []),
    // User and password together are masked even if each of them is too short to be masked by itself.
    ...(user === '' ? [] : [{ text: `${user}@`, shown: '' }, ...secretsOfText(basicCredentials(name, password))]),
    ...(host === '' || isDatabase || rest.length < 2 ? [] : [{ text: host + rest, shown: host }]),
  ]
}

/**
 * A displayable URL. In a database URL the password is hidden, and query values that do not locate the database; in any other URL everything after
 * the host.
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
 * The forms in which an answer may repeat a key: unchanged, percent-encoded, decoded, within JSON. None for a key shorter than eight characters or a
 * plain word: unrelated texts contain such words too, and masking them there would reveal the key.
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

/** The header `Authorization` for the user and password of a URL (RFC 7617); undefined: the URL has none. */
export function basicAuthorization({ username, password }: URL): string | undefined {
  return username === '' && password === '' ? undefined : `Basic ${basicCredentials(username, password)}`
}

/** The value of that header after `Basic`, for a user and a password as in a URL. */
export function basicCredentials(username: string, password: string): string {
  return Buffer.from(`${percentDecoded(username)}:${percentDecoded(password)}`).toString('base64')
}

/** A part of a URL, decoded; unchanged if it is not valid percent-encoding, as a password may contain a `%`. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
