import { expect, test } from 'vitest'
import { createRouter } from './router.ts'

test('behavior: after a response, a router from an earlier path changes nothing', () => {
  const window = createWindow('/console/streams/a')
  const router = createRouter(window)
  const here = router.fromHere()
  here.setQuery({ replay: '1' })
  expect(`${router.place.value.query}`).toBe('replay=1')
  router.go('/streams/b')
  here.setQuery({ replay: '2' })
  here.go('/streams')
  expect(window.location).toMatchObject({ pathname: '/console/streams/b', search: '' })
  router.go('/streams/a')
  here.setQuery({ replay: '3' })
  expect(window.location).toMatchObject({ pathname: '/console/streams/a', search: '' })
  router.fromHere().go('/streams')
  expect(router.place.value.path).toBe('/streams')
})

/** The address and history of a window. */
function createWindow(path: string): Window {
  const location = { pathname: path, search: '' }
  const follow = (_: unknown, __: string, to: string) => {
    const { pathname, search } = new URL(to, 'http://localhost')
    Object.assign(location, { pathname, search })
  }
  const history = { pushState: follow, replaceState: follow }
  return { location, history, addEventListener: () => undefined } as unknown as Window
}
