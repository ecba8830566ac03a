import './setup.css'
import { ErrorState, LoadingState } from '@holdfast/ui'
import { useEndpoint } from '@holdfast/client'
import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { getSetupState } from '../contract.ts'
import { FirstQuestion } from './first-question.tsx'
import { FoundingForm } from './founding-form.tsx'
import { FoundingProgress } from './founding-progress.tsx'
import { SetupClosed } from './setup-closed.tsx'
import { setupTokenOf } from './setup-token.ts'

/** The page that founds the organisation: one question first where there is a demo, then the form, then how far it has come. */
export function SetupPage() {
  const { hash } = useLocation()
  const token = setupTokenOf(hash)
  return token ? <FoundingProgress token={token} /> : <Beginning />
}

function Beginning() {
  const navigate = useNavigate()
  const [isOwn, setOwn] = useState(false)
  const { data, error, refetch } = useEndpoint(getSetupState, {})
  const begun = (setupToken: string) => void navigate({ pathname: '/mpc/setup', hash: setupToken }, { replace: true })
  if (!data) return <section className="hf-founding">{error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingState rows={8} />}</section>
  if (data.founding === 'closed') return <SetupClosed />
  if (data.demo && !isOwn) return <FirstQuestion hasDemo={data.founding === 'beside_demo'} onBegun={begun} onOwn={() => setOwn(true)} />
  return <FoundingForm onBegun={begun} {...(data.demo && { onBack: () => setOwn(false) })} />
}
