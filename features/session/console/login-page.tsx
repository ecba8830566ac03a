import './session.css'
import { useEffect, useState } from 'react'
import { Navigate, useSearchParams } from 'react-router'
import { nextPath } from './next-path.ts'
import { RegisterPanel } from './register-panel.tsx'
import { useSession } from './session-context.ts'
import { SignInPanel } from './sign-in-panel.tsx'

/** The sign-in page; with an invitation in its address, the page to choose a way to sign in. */
export function LoginPage() {
  const session = useSession()
  const [search, setSearch] = useSearchParams()
  const [invite, setInvite] = useState(() => search.get('invite'))
  const [next] = useState(() => nextPath(search.get('next')))
  // The invitation is taken out of the address bar at once, so that it stays in no history and on no screenshot.
  useEffect(() => {
    if (search.has('invite')) setSearch({}, { replace: true })
  }, [search, setSearch])
  if (invite) return <RegisterPanel invite={invite} onEntered={() => setInvite(null)} onGiveUp={() => setInvite(null)} />
  if (session?.session) return <Navigate to={next} replace />
  if (session && !session.organisation_ready) return <Navigate to="/mpc/setup" replace />
  return <SignInPanel />
}
