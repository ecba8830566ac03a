import { subWalletPath } from '@holdfast/features/wallet/console'
import { Checkbox, Grouped, Label, Note } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import { ControlFacts } from './control-facts.tsx'
import { type AddressCheck, isGrave, warningsOf } from './draft.ts'
import type { Warning } from '../contract.ts'

type DestinationFactsProps = {
  check: AddressCheck
  acknowledged: readonly Warning[]
  onAcknowledge: (acknowledged: Warning[]) => void
  /** Somebody tried to go on: unacknowledged warnings are marked. */
  isTried: boolean
}

/** What is known of a destination: whether it is valid, whose it is, and every warning with the box that acknowledges it. */
export function DestinationFacts(props: DestinationFactsProps) {
  const { check } = props
  const { t } = useTranslation()
  if (!check.valid)
    return (
      <Note tone="bad" title={t(check.is_lost ? 'withdrawal.check.lost' : 'withdrawal.check.invalid')}>
        {check.reason}
      </Note>
    )
  const warnings = warningsOf(check)
  return (
    <div className="hf-stack">
      {check.canonical !== null && (
        <div className="hf-checked-address">
          <p className="hf-small hf-muted">{t('withdrawal.check.readAs')}</p>
          <Grouped text={check.canonical} />
        </div>
      )}
      {check.is_uninitialised && !check.own && <Note tone="info">{t('withdrawal.check.uninitialised')}</Note>}
      {check.own && <Note tone="good">{t('withdrawal.check.own', { name: subWalletPath(check.own) })}</Note>}
      {check.book && (
        <Note tone="good">
          {t('withdrawal.check.book')} <Label text={check.book.name} />
        </Note>
      )}
      {check.memo_required && <Note tone="warn">{t('withdrawal.check.memoRequired')}</Note>}
      {!check.own && !check.first_seen && warnings.length === 0 && <Note tone="good">{t('withdrawal.check.paidBefore')}</Note>}
      {warnings.length > 0 && <Warnings {...props} warnings={warnings} />}
    </div>
  )
}

function Warnings({ check, warnings, acknowledged, onAcknowledge, isTried }: DestinationFactsProps & { warnings: readonly Warning[] }) {
  const { t } = useTranslation()
  const isMissing = (warning: Warning) => isTried && !acknowledged.includes(warning)
  return (
    <fieldset className="hf-warnings">
      <legend className="hf-label">{t('withdrawal.check.acknowledge')}</legend>
      {warnings.map((warning) => (
        <div key={warning} className={isGrave(warning) ? 'hf-warning hf-warning-grave' : 'hf-warning'}>
          <Checkbox
            checked={acknowledged.includes(warning)}
            isWrong={isMissing(warning)}
            onChange={(isTicked) => onAcknowledge(warnings.filter((each) => (each === warning ? isTicked : acknowledged.includes(each))))}
          >
            {t(`withdrawal.warning.${warning}`)}
          </Checkbox>
          {warning === 'control' && check.control && <ControlFacts permissions={check.control.permissions} />}
          {warning === 'lookalike' &&
            check.similar_to.map(({ address, kind }) => (
              <div key={address} className="hf-similar">
                <p className="hf-small">{t(`withdrawal.similar.${kind}`)}</p>
                <Grouped text={address} />
              </div>
            ))}
        </div>
      ))}
      {warnings.some(isMissing) && (
        <p className="hf-field-error" role="alert">
          {t('withdrawal.check.tickAll')}
        </p>
      )}
    </fieldset>
  )
}
