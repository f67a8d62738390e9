import { useEffect, useState } from 'preact/hooks'
import { useServices } from '../context/services.ts'
import { Field } from '../parts/Field.tsx'

/** Form for a key. */
export function SignIn() {
  const { session } = useServices()
  const [key, setKey] = useState('')
  const { value } = session.state
  useEffect(() => {
    document.title = 'Mintmark'
  }, [])
  const reason = value.status === 'out' ? value.reason : null
  const signIn = (event: SubmitEvent) => {
    event.preventDefault()
    if (key.trim()) void session.signIn(key.trim())
  }
  return (
    <form class="sign-in card" onSubmit={signIn}>
      <h1>Mintmark</h1>
      <p class="lead">NFTs, coins and webhooks, from your own node.</p>
      <Field
        label="API key"
        hint={
          <>
            The key is sent once and not stored: the tab keeps a session instead. To create a key, run{' '}
            <code>mintmark keys create NAME</code>.
          </>
        }
        fault={reason ?? undefined}
      >
        <input
          type="password"
          name="key"
          autocomplete="current-password"
          spellcheck={false}
          required
          value={key}
          onInput={(event) => setKey(event.currentTarget.value)}
        />
      </Field>
      <button type="submit" class="main">
        Sign in
      </button>
    </form>
  )
}
