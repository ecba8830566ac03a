import { useEndpoint } from '@holdfast/client'
import { useTranslation } from 'react-i18next'
import { getWhitelistConfig } from '../../book-contract.ts'

/** How long what is put on the whitelist waits before it counts, by the policy in force. */
export function CoolingNote() {
  const { t } = useTranslation('whiteAddress')
  const { data } = useEndpoint(getWhitelistConfig, {})
  if (!data) return null
  const { cooling_h: hours } = data
  return <p className="hf-small hf-muted">{hours > 0 ? t('book.coolingNote', { count: hours }) : t('book.noCoolingNote')}</p>
}
