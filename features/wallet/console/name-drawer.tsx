import { Button, DrawerBody, DrawerFooter, TextField, useDrawerPage, useTextForm } from '@holdfast/ui'
import { requestIdKeeper, useSend } from '@holdfast/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { createSubWallet, updateAlias } from '../contract.ts'

type NameDrawerProps = {
  kind: 'alias' | 'subWallet'
  walletId: string
  /** The sub-wallet that gets the alias; if absent, the wallet itself. */
  subWalletId?: string
  present: string
}

const NAME_LIMIT = 50
/** Asks for one name: of a new sub-wallet, with which the drawer resolves, or the alias of a wallet or sub-wallet; an empty alias removes it. */
export function NameDrawer({ kind, walletId, subWalletId, present }: NameDrawerProps) {
  const { t } = useTranslation()
  const { close } = useDrawerPage()
  const alias = useSend(updateAlias)
  const subWallet = useSend(createSubWallet)
  const [requestIdOf] = useState(() => requestIdKeeper())
  const { form, field, submit } = useTextForm({ name: { label: t(`wallet.${kind}.name`), optional: kind === 'alias' } }, { name: present })
  const save = async (name: string) => {
    const text = name.trim()
    if (kind === 'alias') {
      if (
        await alias
          .mutateAsync({ wallet_id: walletId, ...(subWalletId === undefined ? {} : { sub_wallet_id: subWalletId }), alias: text })
          .catch(() => undefined)
      )
        close()
      return
    }
    const made = await subWallet.mutateAsync({ request_id: requestIdOf(text), wallet_id: walletId, sub_wallet_name: text }).catch(() => undefined)
    if (made) close({ id: made.sub_wallet_id, name: text })
  }
  return (
    <form ref={form} className="hf-drawer-form" noValidate onSubmit={(event) => submit(event, ({ name }) => void save(name))}>
      <DrawerBody>
        <p className="hf-muted">{t(`wallet.${kind}.note`)}</p>
        <TextField {...field('name')} count={NAME_LIMIT} autoFocus autoComplete="off" />
      </DrawerBody>
      <DrawerFooter>
        <Button onClick={() => close()}>{t('ui.confirm.cancel')}</Button>
        <Button variant="primary" type="submit" loading={alias.isPending || subWallet.isPending}>
          {t(`wallet.${kind}.submit`)}
        </Button>
      </DrawerFooter>
    </form>
  )
}
