import { useSession } from '@holdfast/features/session/console'
import { loginPath, useLocale } from '@holdfast/ui'
import { type ReactNode, useEffect, useState } from 'react'
import { Navigate, useLocation, useNavigate } from 'react-router'
import { loadPageTexts } from './i18n/start-translation.ts'
import { Splash } from './screens/splash.tsx'
import { useServices } from './services-context.ts'

/** Shows what is inside once the server has said who is signed in. */
export function Known({ children }: { children: ReactNode }) {
  const { session, client } = useServices()
  const facts = useSession()
  const [failure, setFailure] = useState<{ error: unknown }>()
  useEffect(() => {
    session.load(client).catch((error: unknown) => setFailure({ error }))
  }, [session, client])
  if (facts) return children
  if (failure) throw failure.error
  return <Splash />
}

/** Lets in who is signed in; sends everybody else to where they can become so. */
export function Members({ children }: { children: ReactNode }) {
  const facts = useSession()
  const locale = useLocale()
  const { pathname, search } = useLocation()
  const hasTexts = usePageTexts(Boolean(facts?.session))
  if (!facts?.organisation_ready) return <Navigate to="/mpc/setup" replace />
  if (!facts.session) return <Navigate to={`${loginPath(locale)}?next=${encodeURIComponent(pathname + search)}`} replace />
  return hasTexts ? children : <Splash />
}

/** A page for everybody whose words do not come with the sign-in page. */
export function WithPageTexts({ children }: { children: ReactNode }) {
  return usePageTexts(true) ? children : null
}

/** The sign-in page stands at the path of the language in use. It stays as it is while the path follows: what was typed is kept. */
export function AtOwnPath({ children }: { children: ReactNode }) {
  const locale = useLocale()
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  const own = loginPath(locale)
  useEffect(() => {
    if (pathname !== own) void navigate(own + search, { replace: true })
  }, [navigate, own, pathname, search])
  return children
}

/** Fetches the words of the pages behind the sign-in page, and says when they are there. */
function usePageTexts(isWanted: boolean): boolean {
  const { translation } = useServices()
  const [state, setState] = useState<{ isReady: boolean; failure?: { error: unknown } }>({ isReady: false })
  useEffect(() => {
    if (!isWanted) return
    loadPageTexts(translation).then(
      () => setState({ isReady: true }),
      (error: unknown) => setState({ isReady: false, failure: { error } }),
    )
  }, [isWanted, translation])
  if (state.failure) throw state.failure.error
  return state.isReady
}
