import { basicCredentials, percentDecoded } from './basicAuthorization.ts'

/** A text that may not be told, and what is told in its place. */
export type Secret = { text: string; shown: string }

/** What stands in the place of a key. */
export const hidden = '***'

/** Parameters of a database's address that say where it and its certificates are, and who asks: without them its faults would say nothing. */
const whereDatabaseIs = /^(?:host|port|user|sslmode|sslrootcert|sslcert|sslkey)=/

/**
 * Everything that an address holds beside its host: user, password, segments of the path, values of the query. Also of one
 * that is no valid URL, as it is told why. The path of a database's address is its name, which is no secret, nor is where
 * it is and the name of its user, to whom a right may have to be granted.
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
    // Where there is a key, what stands around it is masked too.
    ...(keys.some(({ text }) => rest.includes(text)) ? [{ text: rest, shown: hidden }] : []),
    // As one text even where each part is too short to be looked for by itself.
    ...(user === '' ? [] : [{ text: `${user}@`, shown: '' }, ...secretsOfText(basicCredentials(name, password))]),
    ...(host === '' || isDatabase || rest.length < 2 ? [] : [{ text: host + rest, shown: host }]),
  ]
}

/**
 * An address as it may be shown, whatever its keys look like: of a database's all but the password and what its query adds to where
 * the database is, of any other the host, and that there is more.
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
 * A key in every form in which an answer may repeat it: as it stands, percent-encoded, decoded, within JSON. None where it is
 * shorter than eight characters or a plain word: texts that have nothing to do with it hold those, and masking them would give
 * them away.
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
