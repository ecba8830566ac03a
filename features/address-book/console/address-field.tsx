import type { PaymentCode, WantedPayment } from '@holdfast/chain-core/payment-code'
import { readPaymentCode } from '@holdfast/chain-registry/payment-code'
import { Button, IconScan, openScanDrawer, TextField, useDrawers, useToast } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'

type AddressFieldProps = {
  label: string
  value: string
  error?: string | undefined
  onChange: (address: string) => void
  /** What a code may ask for, and the network's name; nothing is scanned before that is known. */
  wanted: (WantedPayment & { network: string }) | undefined
  /** A code was read. Its address has been checked no more than one that is pasted. */
  onScan: (code: PaymentCode) => void
}

/** An address of a network: typed, pasted, or read from a QR code. */
export function AddressField({ wanted, onScan, ...field }: AddressFieldProps) {
  const { t } = useTranslation('whiteAddress')
  const drawers = useDrawers()
  const toast = useToast()
  const open = ({ network, ...asked }: NonNullable<typeof wanted>) =>
    openScanDrawer(drawers, {
      title: t('scan.title', { network }),
      take: (text) => {
        const code = readPaymentCode(text, asked)
        if ('fault' in code) return t(`scan.fault.${code.fault}`, { network, name: 'name' in code ? code.name : '' })
        onScan(code)
        if (code.hasUnclearAmount) toast.info(t('scan.unclearAmount'), 'scan')
        return undefined
      },
    })
  const button = wanted && (
    <Button size="small" variant="quiet" icon={<IconScan />} onClick={() => open(wanted)}>
      {t('scan.open')}
    </Button>
  )
  return <TextField {...field} wraps autoComplete="off" className="hf-mono" suffix={button} />
}
