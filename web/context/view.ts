import type { ComponentType } from 'preact'
import type { Access } from '../api/session.ts'

/** What a view is given: the values of its path, and the query of the address. */
export type ViewProps = { params: Record<string, string>; query: URLSearchParams }

/** A page of the console. */
export type View = {
  /** Below `/console`: `/keys`, `/collections/:chain/:address`. */
  path: string
  /** In the navigation and in the title of the tab. */
  title: string
  /** A key with less is not offered the view. */
  needs: Access
  /** Omitted: the view is reached by links alone. */
  inNavigation?: true
  /** Loads the view's own script. */
  load(): Promise<ComponentType<ViewProps>>
}
