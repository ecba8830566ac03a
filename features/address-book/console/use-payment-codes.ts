import type { PaymentCode, WantedPayment } from '@holdfast/chain-core/payment-code'
import { readPaymentCode } from '@holdfast/chain-registry/payment-code'
import { openScanDrawer, useDrawers, useToast } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'

/** What a code may ask for, and the network's name. */
export type WantedCode = WantedPayment & { network: string }

/** Payment codes, as text or by the camera. A code's address has been checked no more than one that is pasted. */
export function usePaymentCodes(wanted: WantedCode | undefined, onCode: (code: PaymentCode) => void) {
  const { t } = useTranslation('whiteAddress')
  const drawers = useDrawers()
  const toast = useToast()
  /** Takes a code, or answers in words why not. */
  const take = (text: string): string | undefined => {
    if (wanted === undefined) return ''
    const code = readPaymentCode(text, wanted)
    if ('fault' in code) return t(`scan.fault.${code.fault}`, { network: wanted.network, name: 'name' in code ? code.name : '' })
    onCode(code)
    if (code.hasUnclearAmount) toast.info(t('scan.unclearAmount'), 'scan')
    return undefined
  }
  const scan = () => wanted && openScanDrawer(drawers, { title: t('scan.title', { network: wanted.network }), take })
  return { take, scan }
}
