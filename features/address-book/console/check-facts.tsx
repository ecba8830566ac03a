import type { OutputOf } from '@holdfast/contract'
import { Checkbox, Grouped, Label, Note } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import type { checkPersonalAddress } from '../contract.ts'

type CheckFactsProps = {
  check: Pick<OutputOf<typeof checkPersonalAddress>, 'valid' | 'canonical' | 'duplicate_of' | 'similar_to'>
  /** It is the address of the entry that is edited. */
  isUnchanged?: boolean
  isTaken: boolean
  /** Whether it was said that the likeness was seen, which a form that was sent without wants to hear. */
  isAcknowledged: boolean
  isTried: boolean
  onAcknowledge: (isAcknowledged: boolean) => void
}

/** What an address that is typed is: read by the network's rules, in the book already, or like one that is known. */
export function CheckFacts({ check, isUnchanged = false, isTaken, isAcknowledged, isTried, onAcknowledge }: CheckFactsProps) {
  const { t } = useTranslation('whiteAddress')
  if (!check.valid || check.canonical === null) return <Note tone="bad">{t('personal.invalid')}</Note>
  return (
    <div className="hf-stack">
      <div className="hf-stack-tight">
        <p className="hf-small hf-muted">{t('personal.readAs')}</p>
        <Grouped text={check.canonical} />
      </div>
      {!isUnchanged && (check.duplicate_of !== null || isTaken) && <Note tone="bad">{t('personal.duplicate', { name: check.duplicate_of ?? '' })}</Note>}
      {!isUnchanged && check.duplicate_of === null && check.similar_to.length > 0 && (
        <Note tone="bad" title={t('personal.lookalike')}>
          <div className="hf-stack">
            {check.similar_to.map(({ address, name, kind }) => (
              <div key={address} className="hf-stack-tight">
                <p className="hf-small">
                  {t(`personal.kind.${kind}`)} {name !== null && <Label text={name} />}
                </p>
                <Grouped text={address} />
              </div>
            ))}
            <div className="hf-stack-tight">
              <Checkbox checked={isAcknowledged} isWrong={isTried && !isAcknowledged} onChange={onAcknowledge}>
                {t('personal.acknowledge')}
              </Checkbox>
              {isTried && !isAcknowledged && (
                <p className="hf-field-error" role="alert">
                  {t('personal.tick')}
                </p>
              )}
            </div>
          </div>
        </Note>
      )}
    </div>
  )
}
