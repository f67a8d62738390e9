import type { ComponentChildren, ComponentType } from 'preact'
import { useEffect, useErrorBoundary, useState } from 'preact/hooks'
import { matchPath } from '../context/router.ts'
import { useServices } from '../context/services.ts'
import type { View, ViewProps } from '../context/view.ts'
import { Fault } from '../parts/Fault.tsx'
import { Link } from '../parts/Link.tsx'
import { Page } from '../parts/Page.tsx'
import { Loading } from '../parts/Shown.tsx'
import { views } from '../views/registry.ts'

type Loaded = { view: View; component: ComponentType<ViewProps> | 'failed' }

/** The view of the address. Its script is loaded on first use. */
export function CurrentView() {
  const { router, access } = useServices()
  const { path, query } = router.place.value
  const found = findView(path)
  const view = found?.view
  const [loaded, setLoaded] = useState<Loaded | null>(null)
  const isAllowed = view !== undefined && (view.needs === 'read' || access.value === 'admin')

  useEffect(() => {
    document.title = `${view?.title ?? 'Not found'} · Mintmark`
    if (!view || !isAllowed) return
    let isWanted = true
    view.load().then(
      (component) => isWanted && setLoaded({ view, component }),
      () => isWanted && setLoaded({ view, component: 'failed' }),
    )
    return () => {
      isWanted = false
    }
  }, [view, isAllowed])

  if (!found || !view)
    return (
      <Page title="Not found">
        <p>
          The console has no page at this address. <Link to="/">Overview</Link>
        </p>
      </Page>
    )
  if (!isAllowed)
    return (
      <Page title={view.title}>
        <p>
          This page needs an admin key. You are signed in with a read key: sign out, then sign in with an admin key.
        </p>
      </Page>
    )
  if (loaded?.view !== view) return <Loading />
  if (loaded.component === 'failed') return <NotLoaded title={view.title} />
  const { component: Component } = loaded
  // The key resets the state: another collection is another page.
  return (
    <Guarded key={path} title={view.title}>
      <Component params={found.params} query={query} />
    </Guarded>
  )
}

/** Shows an error if a view throws, and keeps the navigation. */
function Guarded({ title, children }: { title: string; children: ComponentChildren }) {
  const [error, reset] = useErrorBoundary()
  if (error === undefined) return <>{children}</>
  return (
    <Page title={title}>
      <Fault text={`This page cannot show the response of the server: ${error}`} />
      <button type="button" onClick={reset}>
        Try again
      </button>
    </Page>
  )
}

/** A server update renames scripts, so an older page cannot load them. */
function NotLoaded({ title }: { title: string }) {
  return (
    <Page title={title}>
      <div class="failed" role="alert">
        <p>This page could not be loaded: the server does not respond, or the console was updated.</p>
        <button type="button" onClick={() => location.reload()}>
          Reload
        </button>
      </div>
    </Page>
  )
}

function findView(path: string): { view: View; params: Record<string, string> } | undefined {
  for (const view of views) {
    const params = matchPath(view.path, path)
    if (params) return { view, params }
  }
  return undefined
}
