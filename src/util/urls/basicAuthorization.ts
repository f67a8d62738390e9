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
