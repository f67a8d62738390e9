/** The `Authorization` header that the user and password in an address stand for (RFC 7617); undefined where it has none. */
export function basicAuthorization({ username, password }: URL): string | undefined {
  return username === '' && password === '' ? undefined : `Basic ${basicCredentials(username, password)}`
}

/** User and password, as an address has them, in the form in which that header carries them. */
export function basicCredentials(username: string, password: string): string {
  return Buffer.from(`${percentDecoded(username)}:${percentDecoded(password)}`).toString('base64')
}

/** A part of an address as it is meant; as written where it is no percent-encoding: a password may have a `%` of its own. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
