/** A page whose parts between markers are `parts`, in their order. All other text of the page is written by hand. */
export function withParts(page: string, parts: readonly string[]): string {
  let found = 0
  const written = page.replaceAll(
    /(<!-- Written by `npm run docs` [^\n]*\n).*?(<!-- End of what is written\. -->)/gs,
    (_, begin: string, end: string) => `${begin}\n${parts[found++]}\n\n${end}`,
  )
  if (found !== parts.length)
    throw new TypeError(`the page has markers for ${found} parts, but there are ${parts.length}`)
  return written
}
