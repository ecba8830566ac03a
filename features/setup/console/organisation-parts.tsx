import './setup.css'
import type { OutputOf } from '@holdfast/contract'
import { SigningPanel } from '@holdfast/features/policy/console'
import { ErrorState, Fingerprint, Label, LoadingState } from '@holdfast/ui'
import { useEndpoint } from '@holdfast/client'
import { useTranslation } from 'react-i18next'
import { getOrganisation } from '../contract.ts'
import { SignerList } from './signer-list.tsx'

type Organisation = OutputOf<typeof getOrganisation>

/** The organisation itself: its signers, its founding document, and where it approves. */
export function OrganisationParts() {
  const { data, error, refetch } = useEndpoint(getOrganisation, {})
  if (!data) return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingState rows={10} />
  return (
    <div className="hf-organisation">
      <Signers organisation={data} />
      <Founding organisation={data} />
      <SigningPanel />
    </div>
  )
}

function Signers({ organisation }: { organisation: Organisation }) {
  const { t } = useTranslation()
  return (
    <section className="hf-panel" aria-labelledby="signers">
      <h2 id="signers">{t('setup.organisation.signers')}</h2>
      <p className="hf-muted hf-small">{t('setup.organisation.signersNote')}</p>
      <SignerList signers={organisation.signers} />
    </section>
  )
}

function Founding({ organisation }: { organisation: Organisation }) {
  const { t } = useTranslation()
  return (
    <section className="hf-panel hf-organisation-policy" aria-labelledby="founding">
      <h2 id="founding">
        <Label text={organisation.name} />
      </h2>
      <h3>{t('setup.organisation.fingerprint')}</h3>
      <p className="hf-muted hf-small">{t('setup.organisation.fingerprintNote')}</p>
      <Fingerprint hex={organisation.fingerprint} />
      <h3>{t('setup.organisation.approvalOrigins')}</h3>
      <ul className="hf-stack-tight">
        {organisation.approval_origins.map((origin) => (
          <li key={origin} className="hf-break">
            <code>{origin}</code>
          </li>
        ))}
      </ul>
    </section>
  )
}
