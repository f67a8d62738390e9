import { expect, test } from 'vitest'
import { tabStorage } from './tabStorage.ts'

const blocked = {
  throwing: {
    get sessionStorage(): Storage {
      throw new DOMException('The operation is insecure.', 'SecurityError')
    },
  },
  null: { sessionStorage: null },
}

test.each(Object.entries(blocked))(
  'behavior: storage that the browser blocks is replaced by memory: %s',
  (_, window) => {
    const storage = tabStorage(window)
    expect(storage.getItem('mintmark.session')).toBe(null)
    storage.setItem('mintmark.session', 'token')
    expect(storage.getItem('mintmark.session')).toBe('token')
    storage.removeItem('mintmark.session')
    expect(storage.getItem('mintmark.session')).toBe(null)
  },
)
