import './setup.css'
import { useSession } from '@holdfast/features/session/console'
import { useLocation, useNavigate } from 'react-router'
import { FoundingForm } from './founding-form.tsx'
import { FoundingProgress } from './founding-progress.tsx'
import { SetupClosed } from './setup-closed.tsx'
import { setupTokenOf } from './setup-token.ts'

/** The page that founds the organisation: the form first, then how far it has come. */
export function SetupPage() {
  const { hash } = useLocation()
  const navigate = useNavigate()
  const session = useSession()
  const token = setupTokenOf(hash)
  if (token) return <FoundingProgress token={token} />
  if (session?.organisation_ready) return <SetupClosed />
  return <FoundingForm onBegun={(setupToken) => void navigate({ pathname: '/mpc/setup', hash: setupToken }, { replace: true })} />
}
