import { useLayoutEffect, useRef } from 'preact/hooks'
import { useServices } from '../context/services.ts'
import { Link } from '../parts/Link.tsx'
import { views } from '../views/registry.ts'

/** Links to the views of the key, and sign-out; a menu if narrow. */
export function Navigation() {
  const { router, access, session } = useServices()
  const menu = useRef<HTMLDivElement>(null)
  const place = router.place.value
  const { path } = place
  useLayoutEffect(() => menu.current?.hidePopover(), [place])
  const offered = views.filter((view) => view.inNavigation && (view.needs === 'read' || access.value === 'admin'))
  return (
    <header class="bar">
      <Link to="/" class="brand">
        Mintmark
      </Link>
      <button type="button" class="menu-button" popovertarget="menu">
        Menu
      </button>
      <div id="menu" class="menu" popover="auto" ref={menu}>
        <nav aria-label="Console">
          <ul>
            {offered.map((view) => (
              <li key={view.path}>
                <Link to={view.path} {...(isAt(view.path, path) && { 'aria-current': 'page' })}>
                  {view.title}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <div class="who">
          <span class="hint">{access.value === 'admin' ? 'admin key' : 'read key'}</span>
          <a class="hint" href="/docs/guide">
            Guide
          </a>
          <a class="hint" href="/docs">
            API
          </a>
          <button type="button" class="quiet" onClick={() => session.signOut()}>
            Sign out
          </button>
        </div>
      </div>
    </header>
  )
}

/** A view below an entry, such as one collection, belongs to it too. */
function isAt(view: string, path: string): boolean {
  return view === path || (view !== '/' && path.startsWith(`${view}/`))
}
