import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { useServices } from '../context/services.ts'
import { withoutDirection } from '../text/withoutDirection.ts'
import { AsCurl } from './AsCurl.tsx'

/** A view: heading, actions, content and requests as curl. The heading gets the focus after navigation. */
export function Page({
  title,
  lead,
  actions,
  children,
}: {
  title: ComponentChildren
  /** One sentence below the heading. */
  lead?: ComponentChildren
  actions?: ComponentChildren
  children: ComponentChildren
}) {
  const { router } = useServices()
  const heading = useRef<HTMLHeadingElement>(null)
  // A later effect would take the focus from a field that a fast user already fills.
  useLayoutEffect(() => {
    if (router.hasMoved()) heading.current?.focus({ preventScroll: true })
  }, [router])
  // Tabs and the browser's history show the title, so it contains the subject, not only the view's name.
  useLayoutEffect(() => {
    const text = `${withoutDirection(heading.current?.textContent || 'Console')} · Mintmark`
    if (document.title !== text) document.title = text
  })
  return (
    <>
      <header class="page-head">
        <div>
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {lead && <p class="lead">{lead}</p>}
        </div>
        {actions && <div class="actions">{actions}</div>}
      </header>
      {children}
      <AsCurl />
    </>
  )
}
