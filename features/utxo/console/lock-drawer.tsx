import { Button, DrawerBody, DrawerFooter, REMARK_LIMIT, TextField, useDrawerPage, useTextForm } from '@holdfast/ui'
import { useSend } from '@holdfast/client'
import { useTranslation } from 'react-i18next'
import { lockCoin } from '../contract.ts'

type LockProps = { coin: { sub_wallet_id: string; chain: string; txid: string; vout: number } }

/** Asks why a coin is to be kept from being spent. */
export function LockDrawer({ coin }: LockProps) {
  const { t } = useTranslation()
  const { close } = useDrawerPage()
  const lock = useSend(lockCoin)
  const { form, field, submit } = useTextForm({ reason: { label: t('utxo.reason') } }, { reason: '' })
  const save = async (reason: string) => {
    if (await lock.mutateAsync({ ...coin, reason: reason.trim() }).catch(() => undefined)) close()
  }
  return (
    <form ref={form} className="hf-drawer-form" noValidate onSubmit={(event) => submit(event, ({ reason }) => void save(reason))}>
      <DrawerBody>
        <p className="hf-muted">{t('utxo.lockNote')}</p>
        <TextField {...field('reason')} count={REMARK_LIMIT} autoFocus autoComplete="off" />
      </DrawerBody>
      <DrawerFooter>
        <Button onClick={() => close()}>{t('ui.confirm.cancel')}</Button>
        <Button variant="primary" type="submit" loading={lock.isPending}>
          {t('utxo.lock')}
        </Button>
      </DrawerFooter>
    </form>
  )
}
