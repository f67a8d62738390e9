import type { ApiCall } from './apiCall.ts'

/** The request as a shell command. The key is a variable, so that the command can be shared. */
export function curlOf(call: ApiCall<unknown>, origin: string): string {
  const parts = ['curl']
  if (call.method !== 'GET') parts.push(`-X ${call.method}`)
  parts.push('-H "X-API-Key: $MINTMARK_KEY"')
  if (call.body !== undefined)
    parts.push(`-H 'content-type: application/json' --data ${quoted(JSON.stringify(call.body))}`)
  parts.push(quoted(origin + call.target))
  return parts.join(' ')
}

/** Within single quotes a shell interprets only the quote itself. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
