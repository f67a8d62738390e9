import { useEffect } from 'preact/hooks'
import type { Services } from '../context/services.ts'
import { ServicesContext } from '../context/services.ts'
import { startClock } from '../parts/clock.ts'
import { ToastList } from '../parts/dialogs/ToastList.tsx'
import { Checking } from './Checking.tsx'
import { CurrentView } from './CurrentView.tsx'
import { LinkedSignIn } from './LinkedSignIn.tsx'
import { Navigation } from './Navigation.tsx'
import { SignIn } from './SignIn.tsx'

export function App({ services }: { services: Services }) {
  useEffect(() => startClock(document), [])
  const state = services.session.state.value
  return (
    <ServicesContext.Provider value={services}>
      {state.status === 'in' ? (
        <div class="frame">
          <a class="skip" href="#main">
            Skip to the content
          </a>
          <Navigation />
          <main id="main" tabIndex={-1}>
            <CurrentView />
          </main>
          <LinkedSignIn />
        </div>
      ) : (
        <main id="main">{state.status === 'checking' ? <Checking fault={state.fault} /> : <SignIn />}</main>
      )}
      <ToastList />
    </ServicesContext.Provider>
  )
}
