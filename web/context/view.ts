import type { ComponentType } from 'preact'
import type { Access } from '../api/session.ts'

/** Props of a view: the values of its path and the query of the address. */
export type ViewProps = { params: Record<string, string>; query: URLSearchParams }

/** A page of the console. */
export type View = {
  /** Below `/console`: `/keys`, `/collections/:chain/:address`. */
  path: string
  /** For the navigation and the tab's title. */
  title: string
  /** Required access of the key. */
  needs: Access
  /** Omitted: only links lead to the view. */
  inNavigation?: true
  /** Loads the view's own script. */
  load(): Promise<ComponentType<ViewProps>>
}
