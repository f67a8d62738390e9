import { useEffect, useRef } from 'preact/hooks'
import type { Services } from '../context/services.ts'
import { ServicesContext } from '../context/services.ts'
import { startClock } from '../parts/clock.ts'
import { ToastList } from '../parts/dialogs/ToastList.tsx'
import { Checking } from './Checking.tsx'
import { CurrentView } from './CurrentView.tsx'
import { LinkedSignIn } from './LinkedSignIn.tsx'
import { Navigation } from './Navigation.tsx'
import { SignIn } from './SignIn.tsx'
import { SignInAgain } from './SignInAgain.tsx'

export function App({ services }: { services: Services }) {
  useEffect(() => startClock(document), [])
  const { session, access } = services
  const state = session.state.value
  // A page stays if the server ends the session, as a form may be open. It goes if the user signs out.
  const isOpen = useRef(false)
  if (state.status === 'in') isOpen.current = true
  else if (state.status === 'out' && state.reason === null) isOpen.current = false
  const signIn = state.status !== 'in' && (
    <main>{state.status === 'checking' ? <Checking fault={state.fault} /> : <SignIn />}</main>
  )
  return (
    <ServicesContext.Provider value={services}>
      {isOpen.current && (
        <div class="frame">
          <a class="skip" href="#main">
            Skip to the content
          </a>
          <Navigation />
          <main id="main" tabIndex={-1}>
            {/* A key with other access gets no page that this one has read. */}
            <CurrentView key={access.value} />
          </main>
          <LinkedSignIn />
        </div>
      )}
      {isOpen.current && signIn ? <SignInAgain>{signIn}</SignInAgain> : signIn}
      <ToastList />
    </ServicesContext.Provider>
  )
}
