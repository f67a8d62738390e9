/** The `Authorization` header that the user and password in an address stand for (RFC 7617); undefined where it has none. */
export function basicAuthorization({ username, password }: URL): string | undefined {
  if (username === '' && password === '') return undefined
  return `Basic ${Buffer.from(`${plain(username)}:${plain(password)}`).toString('base64')}`
}

/** As written where it is no percent-encoding: a password may have a `%` of its own. */
function plain(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
