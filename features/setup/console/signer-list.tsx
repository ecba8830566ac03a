import { StatusTag } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'

type Signer = { party: number; name: string; operator: string; online: boolean; pinned: boolean; locked?: boolean }

/** The three signers: who runs them, whether they are there, and whether they hold the founding document. */
export function SignerList({ signers }: { signers: readonly Signer[] }) {
  const { t } = useTranslation()
  return (
    <ul className="hf-signers">
      {signers.map((signer) => (
        <li key={signer.party}>
          <span className={`hf-dot ${signer.online ? 'hf-dot-good' : 'hf-dot-bad'}`} aria-hidden />
          <span className="hf-grow">
            <span className="hf-signer-name">{signer.name}</span>
            {signer.operator !== '' && <span className="hf-small hf-muted"> · {signer.operator}</span>}
          </span>
          <span className="hf-row-tight">
            <span className="hf-small hf-muted">{t(signer.online ? 'setup.signer.online' : 'setup.signer.offline')}</span>
            <StatusTag tone={signer.pinned ? 'good' : 'neutral'} text={t(signer.pinned ? 'setup.signer.pinned' : 'setup.signer.notPinned')} />
            {signer.locked && <StatusTag tone="bad" text={t('setup.signer.locked')} />}
          </span>
        </li>
      ))}
    </ul>
  )
}
