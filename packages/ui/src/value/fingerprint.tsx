import { useTranslation } from 'react-i18next'
import { groupsOfFour } from '../format/short-address.ts'
import { CopyButton } from './copy-button.tsx'

/** A fingerprint of 64 hexadecimal digits in sixteen groups, to be compared by eye or read aloud. */
export function Fingerprint({ hex }: { hex: string }) {
  const { t } = useTranslation()
  return (
    <div className="hf-fingerprint" translate="no">
      <div className="hf-fingerprint-row">
        <div className="hf-fingerprint-groups">
          {groupsOfFour(hex).map((group, at) => (
            <span key={at}>{group}</span>
          ))}
        </div>
        <CopyButton text={hex} label={t('ui.copy.fingerprint')} />
      </div>
    </div>
  )
}
