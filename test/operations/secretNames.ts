import { randomBytes } from 'node:crypto'

/** Makes random secrets with names, and finds them in texts. */
export type SecretNames = {
  /** A new secret, of digits and letters. */
  make(name: string): string
  /** A new user and password for an address, sent as one text. */
  login(name: string): string
  /** Names of the secrets that a text contains, in any encoding. */
  foundIn(text: string): string[]
}

export function createSecretNames(): SecretNames {
  const forms = new Map<string, string>()
  const add = (name: string, text: string) => {
    forms.set(text.toLowerCase(), name)
    forms.set(Buffer.from(text).toString('hex'), name)
  }
  function make(name: string): string {
    const text = randomBytes(12).toString('hex')
    add(name, text)
    return text
  }
  return {
    make,
    login(name) {
      const user = make(`user of ${name}`)
      const password = `"ä/${make(`password of ${name}`)}`
      add(`header of ${name}`, Buffer.from(`${user}:${password}`).toString('base64'))
      return `${user}:${encodeURIComponent(password)}`
    },
    foundIn(text) {
      const lower = text.toLowerCase()
      return [...new Set([...forms].flatMap(([form, name]) => (lower.includes(form) ? [name] : [])))]
    },
  }
}
