import { Label, StatusTag } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import type { KeyView } from './key-card.tsx'

type Signer = KeyView['signers'][number]

/** What each signer has of a key: whether it is there, the epoch it signs with, and what it keeps beside. */
export function SignerList({ signers, epoch }: { signers: readonly Signer[]; epoch: number }) {
  const { t } = useTranslation('privateKeyRecovery')
  return (
    <ul className="hf-key-signers" aria-label={t('signers.label')}>
      {signers.map((signer) => (
        <li key={signer.party} className="hf-key-signer">
          <div className="hf-spread">
            <strong>
              {t('signers.signer', { party: signer.party })} · <Label text={signer.name} />
            </strong>
            <StatusTag tone={signer.online ? 'good' : 'warn'} text={t(signer.online ? 'signers.online' : 'signers.offline')} />
          </div>
          <span className="hf-small hf-muted">
            <Label text={signer.operator} />
          </span>
          {signer.online && (
            <span className={`hf-small ${signer.active === epoch ? 'hf-muted' : 'hf-key-signer-lacks'}`}>
              {signer.active === null ? t('signers.lost') : t('signers.active', { epoch: signer.active })}
              {signer.staged !== null && ` · ${t('signers.staged', { epoch: signer.staged })}`}
              {signer.former.length > 0 && ` · ${t('signers.former', { epochs: signer.former.join(', ') })}`}
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}
