import { Button, lazyDrawerBody, useDrawers } from '@holdfast/ui'
import { generateQr } from '@holdfast/features/proposal/contract'
import { useSend } from '@holdfast/client'
import { useTranslation } from 'react-i18next'

const PhoneDrawer = lazyDrawerBody(() => import('./phone-drawer.tsx').then((module) => module.PhoneDrawer))

/** Opens a code that leads a telephone to the approval page at one item. */
export function PhoneButton({ itemId, size = 'middle', label }: { itemId: string; size?: 'small' | 'middle'; label?: string }) {
  const { t } = useTranslation()
  const drawers = useDrawers()
  const send = useSend(generateQr)
  const open = () =>
    send.mutate(
      { type: 'approve', biz_id: itemId },
      { onSuccess: (code) => void drawers.push({ title: t('approvalPage.phone.title'), body: <PhoneDrawer itemId={itemId} first={code} /> }) },
    )
  const words = t('approvalPage.phone.open')
  return (
    <Button size={size} variant="quiet" loading={send.isPending} onClick={open} label={label === undefined ? words : `${words}: ${label}`}>
      {words}
    </Button>
  )
}
