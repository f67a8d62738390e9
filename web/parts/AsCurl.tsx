import type { ApiCall } from '../api/apiCall.ts'
import { curlOf } from '../api/curlOf.ts'
import { useServices } from '../context/services.ts'
import { Copy } from './Copy.tsx'

/** Requests as shell commands: those of the view, or `calls`, as for a dialog. */
export function AsCurl({ calls }: { calls?: readonly ApiCall<unknown>[] }) {
  const { shown, origin } = useServices()
  const all = calls ?? shown.calls.value
  if (all.length === 0) return null
  return (
    <details class="as-curl">
      <summary>As curl</summary>
      <p class="hint">
        First put your API key into the variable: <code>export MINTMARK_KEY=…</code>
      </p>
      <ul class="plain">
        {all.map((call) => {
          const line = curlOf(call, origin)
          return (
            <li key={line}>
              <code class="line">{line}</code>
              <Copy text={line} what="the request" />
            </li>
          )
        })}
      </ul>
    </details>
  )
}
