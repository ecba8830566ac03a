import './session.css'
import { useEffect, useState } from 'react'
import { Navigate, useLocation, useNavigate } from 'react-router'
import { inviteIn } from '../invite-link.ts'
import { nextPath } from './next-path.ts'
import { RegisterPanel } from './register-panel.tsx'
import { useSession } from './session-context.ts'
import { SignInPanel } from './sign-in-panel.tsx'

/** The sign-in page; with an invitation in its address, the page to choose a way to sign in. */
export function LoginPage() {
  const session = useSession()
  const { pathname, search, hash } = useLocation()
  const navigate = useNavigate()
  const linked = inviteIn(hash)
  const [invite, setInvite] = useState<string | null>(null)
  // A link that is opened in a page which is there already loads nothing anew, so it is read each time.
  if (linked !== undefined && linked !== invite) setInvite(linked)
  const [next] = useState(() => nextPath(new URLSearchParams(search).get('next')))
  // The invitation is taken out of the address bar at once, so that it stays in no history and on no screenshot.
  useEffect(() => {
    if (linked !== undefined) void navigate(pathname, { replace: true })
  }, [linked, pathname, navigate])
  if (invite) return <RegisterPanel invite={invite} onEntered={() => setInvite(null)} onGiveUp={() => setInvite(null)} />
  if (session?.session) return <Navigate to={next} replace />
  if (session && !session.organisation_ready) return <Navigate to="/mpc/setup" replace />
  return <SignInPanel />
}
