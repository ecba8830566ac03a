import { Button, DrawerBody, DrawerFooter, Note, SelectField, TextField, useDrawerPage, useTextForm } from '@holdfast/ui'
import { requestIdKeeper, useSend } from '@holdfast/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { createWallet } from '../contract.ts'
import { KeyProgressList, useKeyProgress } from './key-progress.tsx'
import { useSelectionStore } from './selection.ts'

const NAME_LIMIT = 50
const KEY_KINDS = ['ecdsa', 'ed25519', 'taproot'] as const

type Created = { walletId: string; name: string }

/** Creates a wallet: asks for its name, then shows the progress of its key. It can be closed at any time; the key goes on. */
export function CreateWalletDrawer() {
  const [created, setCreated] = useState<Created>()
  return created ? <Making {...created} /> : <NameForm onCreated={setCreated} />
}

function NameForm({ onCreated }: { onCreated: (created: Created) => void }) {
  const { t } = useTranslation()
  const { close } = useDrawerPage()
  const create = useSend(createWallet)
  const [requestIdOf] = useState(() => requestIdKeeper())
  const [keyKind, setKeyKind] = useState<(typeof KEY_KINDS)[number]>('ecdsa')
  const { form, field, submit } = useTextForm({ name: { label: t('wallet.create.name') } })
  const make = async (name: string) => {
    const walletName = name.trim()
    const wallet = { wallet_name: walletName, key_kind: keyKind }
    const answer = await create.mutateAsync({ request_id: requestIdOf(wallet), ...wallet }).catch(() => undefined)
    if (answer) onCreated({ walletId: answer.wallet_id, name: walletName })
  }
  return (
    <form ref={form} className="hf-drawer-form" noValidate onSubmit={(event) => submit(event, ({ name }) => void make(name))}>
      <DrawerBody>
        <p className="hf-muted">{t('wallet.create.note')}</p>
        <TextField {...field('name')} hint={t('wallet.create.nameNote')} count={NAME_LIMIT} autoFocus autoComplete="off" />
        <SelectField
          label={t('wallet.create.kind')}
          value={keyKind}
          options={KEY_KINDS.map((value) => ({ value, label: t(`wallet.create.kinds.${value}`) }))}
          onChange={(next) => setKeyKind((kind) => KEY_KINDS.find((each) => each === next) ?? kind)}
          hint={t('wallet.create.kindNote')}
        />
      </DrawerBody>
      <DrawerFooter>
        <Button onClick={() => close()}>{t('ui.confirm.cancel')}</Button>
        <Button variant="primary" type="submit" loading={create.isPending}>
          {t('wallet.create.submit')}
        </Button>
      </DrawerFooter>
    </form>
  )
}

function Making({ walletId, name }: Created) {
  const { t } = useTranslation()
  const { close } = useDrawerPage()
  const store = useSelectionStore()
  const navigate = useNavigate()
  const { data } = useKeyProgress(walletId)
  const isReady = data?.state === 'ready'
  const open = () => {
    store.chooseWallet({ id: walletId, name })
    close()
    void navigate('/mpc/center/wallet?tab=recovery')
  }
  return (
    <>
      <DrawerBody>
        <div className="hf-stack-tight" aria-live="polite">
          <h3>{t(isReady ? 'wallet.progress.ready' : 'wallet.progress.making', { name })}</h3>
          <p className="hf-muted">{t(isReady ? 'wallet.progress.readyNote' : 'wallet.progress.makingNote')}</p>
        </div>
        <KeyProgressList walletId={walletId} />
        {isReady && (
          <Note tone="warn" title={t('wallet.progress.nextTitle')}>
            {t('wallet.progress.next')}
          </Note>
        )}
      </DrawerBody>
      <DrawerFooter>
        <Button onClick={() => close()}>{t('ui.drawer.close')}</Button>
        {isReady && (
          <Button variant="primary" onClick={open}>
            {t('wallet.progress.open')}
          </Button>
        )}
      </DrawerFooter>
    </>
  )
}
