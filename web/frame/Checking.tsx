import { useServices } from '../context/services.ts'
import { Loading } from '../parts/Shown.tsx'

/** Shown while the session or its access is requested; the request is retried until the server responds. */
export function Checking({ fault }: { fault: string | null }) {
  const { session } = useServices()
  if (fault === null) return <Loading what="Signing in" />
  return (
    <div class="sign-in card">
      <h1>Mintmark</h1>
      <div class="failed" role="alert">
        <p>{fault}</p>
        <p class="hint">The console retries.</p>
      </div>
      <div class="actions">
        <button type="button" onClick={() => session.signOut()}>
          Sign out
        </button>
      </div>
    </div>
  )
}
