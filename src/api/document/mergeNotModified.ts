type Headers = Record<string, { required?: boolean; $ref?: string; schema?: object }>
type Response = { description: string; headers: Headers }
type Operation = { responses: Record<string, unknown> }

/**
 * Merges the 304 responses of operations with compatible headers, so that they can share a component: a 304 has the
 * headers of its 200. Operations with a different x-index-status are not merged. Runs before components are made.
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

/** Combines headers; a header that only one of them always has becomes optional. */
function laxer(a: Headers, b: Headers): Headers {
  const all = Object.entries({ ...b, ...a }).filter(
    ([name]) => a[name]?.required !== true || b[name]?.required !== true,
  )
  return Object.fromEntries(all.map(([name, { required: _, ...header }]) => [name, header]))
}
