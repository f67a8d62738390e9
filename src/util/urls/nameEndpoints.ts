/**
 * The names by which addresses are shown everywhere: the host and, where several addresses share it, a number by the place in the
 * configuration. Users, paths and queries may hold keys. No hash of them is shown either: a password that a person chose can be found
 * from it by trying, and a number tells two addresses apart as well.
 */
export function nameEndpoints(urls: readonly string[]): { url: string; name: string }[] {
  const seen = new Map<string, number>()
  return urls.map((url) => {
    const { host } = new URL(url)
    const nth = (seen.get(host) ?? 0) + 1
    seen.set(host, nth)
    return { url, name: nth === 1 ? host : `${host}#${nth}` }
  })
}
