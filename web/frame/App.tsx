import { useEffect } from 'preact/hooks'
import type { Services } from '../context/services.ts'
import { ServicesContext } from '../context/services.ts'
import { startClock } from '../parts/clock.ts'
import { Loading } from '../parts/Shown.tsx'
import { ToastList } from '../parts/ToastList.tsx'
import { CurrentView } from './CurrentView.tsx'
import { Navigation } from './Navigation.tsx'
import { SignIn } from './SignIn.tsx'

/** The whole console. */
export function App({ services }: { services: Services }) {
  useEffect(() => startClock(document), [])
  const { status } = services.session.state.value
  return (
    <ServicesContext.Provider value={services}>
      {status === 'in' ? (
        <div class="frame">
          <a class="skip" href="#main">
            Skip to the content
          </a>
          <Navigation />
          <main id="main" tabIndex={-1}>
            <CurrentView />
          </main>
        </div>
      ) : (
        <main id="main">{status === 'checking' ? <Loading what="Signing in" /> : <SignIn />}</main>
      )}
      <ToastList />
    </ServicesContext.Provider>
  )
}
