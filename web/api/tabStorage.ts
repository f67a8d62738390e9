export type TabStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/**
 * The browser's storage of this tab, or memory that ends with the page. If the user blocks cookies or site data, browsers throw SecurityError
 * or return null.
 */
export function tabStorage(window: { readonly sessionStorage: Storage | null }): TabStorage {
  try {
    return window.sessionStorage ?? inMemory()
  } catch {
    return inMemory()
  }
}

function inMemory(): TabStorage {
  const stored = new Map<string, string>()
  return {
    getItem: (name) => stored.get(name) ?? null,
    setItem: (name, value) => stored.set(name, value),
    removeItem: (name) => stored.delete(name),
  }
}
