type Headers = Record<string, { required?: boolean; $ref?: string; schema?: object }>
type Response = { description: string; headers: Headers }
type Operation = { responses: Record<string, unknown> }

/**
 * Gives operations whose 304 have the same headers, as far as both have them, one 304 with all of these: a 304 carries what the 200 of
 * its operation does. Only those whose x-index-status is the same are merged. The document has no 304 as a component yet.
 */
export function mergeNotModified<Given extends { paths?: object | undefined }>(given: Given): Given {
  const document = structuredClone(given)
  const merged: Response[] = []
  for (const operations of Object.values((document.paths ?? {}) as Record<string, Record<string, Operation>>))
    for (const { responses } of Object.values(operations)) {
      const own = responses['304'] as Response | undefined
      if (!own) continue
      const same = merged.find(({ headers }) => fits(headers, own.headers))
      if (same) same.headers = { ...same.headers, ...own.headers, ...laxer(same.headers, own.headers) }
      else merged.push({ ...own, description: `${own.description} It has the headers of the 200.` })
      responses['304'] = same ?? merged.at(-1)
    }
  return document
}

function fits(a: Headers, b: Headers): boolean {
  const names = Object.keys(a).filter((name) => name in b)
  return 'x-index-status' in a === 'x-index-status' in b && names.every((name) => text(a[name]!) === text(b[name]!))
}

const text = (header: object) => JSON.stringify({ ...header, required: undefined })

/** Headers that not both have in every answer, which may be missing in the merged one. */
function laxer(a: Headers, b: Headers): Headers {
  const all = Object.entries({ ...b, ...a }).filter(
    ([name]) => a[name]?.required !== true || b[name]?.required !== true,
  )
  return Object.fromEntries(all.map(([name, { required: _, ...header }]) => [name, header]))
}
