import type { PaymentCode } from '@holdfast/chain-core/payment-code'
import { Button, IconScan, TextField } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import { usePaymentCodes, type WantedCode } from './use-payment-codes.ts'

type AddressFieldProps = {
  label: string
  value: string
  error?: string | undefined
  onChange: (address: string) => void
  /** Nothing is scanned before it is known what for. */
  wanted: WantedCode | undefined
  onScan: (code: PaymentCode) => void
}

/** Whether a text can be an address of any network; nothing is asked of the server about another one. An empty one is no fault yet. */
export const isPrintable = (text: string): boolean => /^[!-~]{0,200}$/.test(text.trim())

/** An address of a network: typed, pasted, or read from a QR code. */
export function AddressField({ wanted, onScan, ...field }: AddressFieldProps) {
  const { t } = useTranslation('whiteAddress')
  const { scan } = usePaymentCodes(wanted, onScan)
  const button = wanted && (
    <Button size="small" variant="quiet" icon={<IconScan />} onClick={scan}>
      {t('scan.open')}
    </Button>
  )
  const error = isPrintable(field.value) ? field.error : t('personal.unseen')
  return <TextField {...field} error={error} wraps autoComplete="off" className="hf-mono" suffix={button} />
}
