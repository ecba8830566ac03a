import { Fingerprint, Label, StatusTag } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import type { KeyView } from './key-card.tsx'

/** To whom each signer seals its share in an export, and who has said that the recipient is theirs. */
export function HolderList({ holders }: { holders: NonNullable<KeyView['change']>['holders'] }) {
  const { t } = useTranslation('privateKeyRecovery')
  return (
    <ul className="hf-key-signers" aria-label={t('export.holders')}>
      {holders.map((each) => (
        <li key={each.party} className="hf-key-signer">
          <div className="hf-spread">
            <strong>
              {t('signers.signer', { party: each.party })} → <Label text={each.name} />
            </strong>
            <StatusTag tone={each.accepted ? 'good' : 'warn'} text={t(each.accepted ? 'export.accepted' : 'export.unconfirmed')} />
          </div>
          <Fingerprint hex={each.fingerprint.replaceAll(' ', '')} />
        </li>
      ))}
    </ul>
  )
}
