/** A trait in the format of the parameter `traits`: Type:Value. A backslash escapes colons and backslashes. */
export function writeTrait(type: string | null, value: string | number | boolean): string {
  return `${escaped(type ?? '')}:${escaped(String(value))}`
}

export function readTrait(text: string): { type: string; value: string } {
  // The first colon without a backslash before it.
  const end = /^(?:[^\\:]|\\[\s\S])*/.exec(text)![0].length
  return { type: plain(text.slice(0, end)), value: plain(text.slice(end + 1)) }
}

function escaped(text: string): string {
  return text.replace(/[\\:]/g, '\\$&')
}

function plain(text: string): string {
  return text.replace(/\\([\\:])/g, '$1')
}
