import { type ReadonlySignal, signal } from '@preact/signals'

/** Where the console is: the path below `/console`, without a slash at its end, and the query. */
export type Place = { path: string; query: URLSearchParams }

export type Router = {
  place: ReadonlySignal<Place>
  /** Whether the user has navigated: only then a view's heading gets the focus. */
  hasMoved(): boolean
  /** Goes to a path below `/console`, such as `/keys?status=active`. `replace`: without a new entry in the history. */
  go(to: string, options?: { replace?: boolean }): void
  /** Sets query parameters, such as filters; null removes one. */
  setQuery(values: Record<string, string | null>): void
  /** The same, for after a response: does nothing once the user has gone to another path, even after a return. */
  fromHere(): Pick<Router, 'go' | 'setQuery'>
}

const base = '/console'

/** Follows the browser's history. */
export function createRouter(window: Window): Router {
  const place = signal(placeOf(window.location))
  let moved = false
  let paths = 0
  const follow = () => {
    moved = true
    const next = placeOf(window.location)
    if (next.path !== place.value.path) paths += 1
    place.value = next
  }
  window.addEventListener('popstate', follow)
  const router: Router = {
    place,
    hasMoved: () => moved,
    go(to, { replace = false } = {}) {
      window.history[replace ? 'replaceState' : 'pushState'](null, '', addressOf(to))
      follow()
    },
    setQuery(values) {
      const { path, query } = place.value
      const next = new URLSearchParams(query)
      for (const [name, value] of Object.entries(values)) {
        if (value === null) next.delete(name)
        else next.set(name, value)
      }
      router.go(withQuery(path, next), { replace: true })
    },
    fromHere() {
      const own = paths
      const isHere = () => paths === own
      return {
        go: (...to) => isHere() && router.go(...to),
        setQuery: (values) => isHere() && router.setQuery(values),
      }
    },
  }
  return router
}

/** A path with a query, which may be empty. */
export function withQuery(path: string, query: URLSearchParams): string {
  return query.size > 0 ? `${path}?${query}` : path
}

/** The address of a path below `/console`; the first view is at the root of the server. */
export function addressOf(to: string): string {
  return to === '/' || to.startsWith('/?') ? to : base + to
}

function placeOf({ pathname, search }: Location): Place {
  const below = pathname === base || pathname.startsWith(`${base}/`) ? pathname.slice(base.length) : '/'
  return { path: below.replace(/\/+$/, '') || '/', query: new URLSearchParams(search) }
}

/** Values of a pattern such as `/collections/:chain/:address`; undefined: the path does not match. */
export function matchPath(pattern: string, path: string): Record<string, string> | undefined {
  const [wanted, given] = [pattern.split('/'), path.split('/')]
  if (wanted.length !== given.length) return undefined
  const values: Record<string, string> = {}
  for (const [i, part] of wanted.entries()) {
    const value = given[i]!
    if (part.startsWith(':')) {
      try {
        values[part.slice(1)] = decodeURIComponent(value)
      } catch {
        // A malformed escape, which no view creates.
        return undefined
      }
    } else if (part !== value) return undefined
  }
  return values
}
