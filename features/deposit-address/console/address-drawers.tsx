import { Address, Button, DrawerBody, DrawerFooter, DrawerForm, Label, Note, Qr, TextField, useDrawerPage, useTextForm } from '@holdfast/ui'
import { useSend } from '@holdfast/client'
import { useTranslation } from 'react-i18next'
import { updateAddressLabel } from '../contract.ts'
import { AskedBounceNote } from './bounce-note.tsx'
import { DepositComment, type SharedPart } from './deposit-comment.tsx'
import { copyNotice } from './deposit-message.ts'

const LABEL_LIMIT = 50

type QrDrawerProps = {
  subWalletId: string
  chain: string
  address: string
  shared: SharedPart
  network: string
  symbols: string
  label: string | null
  enableDeposit: boolean
}

/** An address to hold before a camera, with what may be sent there. */
export function QrDrawer({ subWalletId, chain, address, shared, network, symbols, label, enableDeposit }: QrDrawerProps) {
  const { t } = useTranslation()
  const { close } = useDrawerPage()
  const notice = copyNotice({ symbol: symbols, network, enableDeposit })
  return (
    <>
      <DrawerBody>
        <Note tone="warn">{t('depositAddress.only', { symbol: symbols, network })}</Note>
        <div className="hf-deposit-qr">
          <Qr text={shared.payment_link ?? address} label={t('depositAddress.qr', { symbol: symbols, network })} size={220} />
        </div>
        <div className="hf-deposit-address">
          {label !== null && (
            <p className="hf-small hf-muted">
              <Label text={label} />
            </p>
          )}
          <Address address={address} copyMessage={t(notice.key, notice.values)} copyIsWarning={notice.isWarning} />
        </div>
        {enableDeposit && <AskedBounceNote subWalletId={subWalletId} chain={chain} address={address} />}
        {shared.memo !== null && <DepositComment comment={shared.memo} />}
      </DrawerBody>
      <DrawerFooter>
        <Button onClick={() => close()}>{t('ui.drawer.close')}</Button>
      </DrawerFooter>
    </>
  )
}

type LabelDrawerProps = { subWalletId: string; chain: string; address: string; memo: string | null; present: string }

/** Names an address for everybody in the organisation; an empty name takes it away. */
export function LabelDrawer({ subWalletId, chain, address, memo, present }: LabelDrawerProps) {
  const { t } = useTranslation()
  const { close } = useDrawerPage()
  const send = useSend(updateAddressLabel)
  const { form, field, submit } = useTextForm({ label: { label: t('depositAddress.list.label'), optional: true } }, { label: present })
  const save = async (label: string) => {
    if (await send.mutateAsync({ sub_wallet_id: subWalletId, chain, address, ...(memo === null ? {} : { memo }), label: label.trim() }).catch(() => undefined))
      close()
  }
  return (
    <DrawerForm form={form} send={t('depositAddress.list.save')} isSending={send.isPending} onSend={(event) => submit(event, ({ label }) => void save(label))}>
      <Address address={address} />
      <p className="hf-muted">{t('depositAddress.list.labelNote')}</p>
      <TextField {...field('label')} count={LABEL_LIMIT} autoFocus autoComplete="off" />
    </DrawerForm>
  )
}
