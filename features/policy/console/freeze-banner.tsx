import './strategy.css'
import { usePermission } from '@holdfast/features/session/console'
import { Button, IconWarning, Label, RelativeTime, useDrawers } from '@holdfast/ui'
import { useEndpoint } from '@holdfast/client'
import { useTranslation } from 'react-i18next'
import { getFreezes } from '../signer-order-contract.ts'
import { openLiftDrawer } from './open-signing-drawers.tsx'

/** Says to everybody, on every page, that somebody stopped all signing: who, when, why, and what that means. Nothing if nobody did. */
export function FreezeBanner() {
  const { t } = useTranslation('strategyEngine')
  const drawers = useDrawers()
  const mayAsk = usePermission('policy.propose')
  const { data } = useEndpoint(getFreezes, {})
  if (!data || data.freezes.length === 0) return null
  return (
    <section className="hf-freeze" role="alert" aria-labelledby="freeze-title">
      <IconWarning className="hf-freeze-icon" />
      <div className="hf-freeze-text">
        <h2 id="freeze-title">{t('signing.frozen.title')}</h2>
        <ul>
          {data.freezes.map(({ hash, person, reason, at }) => (
            <li key={hash}>
              {t('signing.frozen.by')} <Label text={person.name} wrap />
              {t('signing.frozen.comma')}
              <RelativeTime ms={at} />
              {reason !== '' && (
                <>
                  {t('signing.frozen.because')} <Label text={reason} wrap />
                </>
              )}
            </li>
          ))}
        </ul>
        <p className="hf-small">{t('signing.frozen.means')}</p>
        {data.lift_open && <p className="hf-small">{t('signing.frozen.asked')}</p>}
      </div>
      {mayAsk && !data.lift_open && (
        <Button size="small" onClick={() => openLiftDrawer(drawers, t('signing.lift.title'))}>
          {t('signing.lift.open')}
        </Button>
      )}
    </section>
  )
}
