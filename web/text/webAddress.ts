/** A web address as browsers parse it, so that the shown address is the link's target. undefined: any other text. */
export function webAddress(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined
  const { protocol, username, password, href } = new URL(text)
  const isWeb = protocol === 'https:' || protocol === 'http:'
  return isWeb && username === '' && password === '' ? href : undefined
}
