import type { ComponentChildren } from 'preact'
import { addressOf } from '../context/router.ts'
import { useServices } from '../context/services.ts'

export type LinkProps = {
  /** Path below `/console`, with its query: `/keys`. */
  to: string
  children: ComponentChildren
  class?: string
  'aria-current'?: 'page'
  'aria-label'?: string
}

/** A link within the console. As a real link it can be opened in a new tab and copied. */
export function Link({ to, children, ...rest }: LinkProps) {
  const { router } = useServices()
  const follow = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    router.go(to)
  }
  return (
    <a {...rest} href={addressOf(to)} onClick={follow}>
      {children}
    </a>
  )
}
