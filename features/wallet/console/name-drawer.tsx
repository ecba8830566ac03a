import { Button, DrawerBody, DrawerFooter, DrawerForm, Note, TextField, useDrawerPage, useTextForm } from '@holdfast/ui'
import { requestIdKeeper, useSend } from '@holdfast/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { createSubWallet, updateAlias } from '../contract.ts'
import { NAME_SHAPE } from './name-shape.ts'

type NameDrawerProps = {
  kind: 'alias' | 'subWallet'
  walletId: string
  /** The sub-wallet that gets the alias; if absent, the wallet itself. */
  subWalletId?: string
  present: string
}

type Made = { id: string; name: string }

/**
 * Asks for one name: of a new sub-wallet, or the alias of a wallet or sub-wallet; an empty alias removes it. What is chosen stays chosen: with a new sub-wallet
 * the drawer resolves only if the person says that it is to be opened.
 */
export function NameDrawer(props: NameDrawerProps) {
  const [made, setMade] = useState<Made>()
  return made ? <MadeSubWallet made={made} /> : <NameForm {...props} onMade={setMade} />
}

function MadeSubWallet({ made }: { made: Made }) {
  const { t } = useTranslation()
  const { close } = useDrawerPage()
  return (
    <>
      <DrawerBody>
        <Note tone="good" title={t('wallet.subWallet.made', { name: made.name })}>
          {t('wallet.subWallet.madeNote')}
        </Note>
      </DrawerBody>
      <DrawerFooter>
        <Button onClick={() => close()}>{t('ui.drawer.close')}</Button>
        <Button variant="primary" onClick={() => close(made)}>
          {t('wallet.subWallet.openMade')}
        </Button>
      </DrawerFooter>
    </>
  )
}

function NameForm({ kind, walletId, subWalletId, present, onMade }: NameDrawerProps & { onMade: (made: Made) => void }) {
  const { t } = useTranslation()
  const { close } = useDrawerPage()
  const alias = useSend(updateAlias)
  const subWallet = useSend(createSubWallet)
  const [requestIdOf] = useState(() => requestIdKeeper())
  const { form, field, submit } = useTextForm({ name: { label: t(`wallet.${kind}.name`), optional: kind === 'alias', shape: NAME_SHAPE } }, { name: present })
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
    if (made) onMade({ id: made.sub_wallet_id, name: text })
  }
  return (
    <DrawerForm
      form={form}
      send={t(`wallet.${kind}.submit`)}
      isSending={alias.isPending || subWallet.isPending}
      onSend={(event) => submit(event, ({ name }) => void save(name))}
    >
      <p className="hf-muted">{t(`wallet.${kind}.note`)}</p>
      <TextField {...field('name')} count={NAME_SHAPE.length.max} keepsExcess autoFocus autoComplete="off" />
    </DrawerForm>
  )
}
