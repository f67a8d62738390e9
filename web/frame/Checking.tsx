import { useServices } from '../context/services.ts'
import { Loading } from '../parts/Shown.tsx'

/** The server is requested a session, or what the session may do; as long as it does not answer it is queried again. */
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
