import { DrawerForm, REMARK_LIMIT, TextField, useDrawerPage, useTextForm } from '@holdfast/ui'
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
    <DrawerForm form={form} send={t('utxo.lock')} isSending={lock.isPending} onSend={(event) => submit(event, ({ reason }) => void save(reason))}>
      <p className="hf-muted">{t('utxo.lockNote')}</p>
      <TextField {...field('reason')} count={REMARK_LIMIT} autoFocus autoComplete="off" />
    </DrawerForm>
  )
}
