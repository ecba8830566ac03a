import { Button, DrawerBody, DrawerFooter, DrawerForm, Note, SelectField, TextField, useDrawerPage, useTextForm } from '@holdfast/ui'
import { requestIdKeeper, useSend } from '@holdfast/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { createWallet } from '../contract.ts'
import { KeyProgressList, useKeyProgress } from './key/key-progress.tsx'
import { NAME_SHAPE } from './name-shape.ts'
import { useSelectionStore } from './selection.ts'

/** A treasury has a key of each kind that the networks need; the others are of one kind alone. */
const KINDS = ['all', 'ecdsa', 'ed25519', 'taproot'] as const

type Created = { walletId: string; name: string }

/** Creates a wallet: asks for its name, then shows the progress of its keys. It can be closed at any time; the signers go on. */
export function CreateWalletDrawer() {
  const [created, setCreated] = useState<Created>()
  return created ? <Making {...created} /> : <NameForm onCreated={setCreated} />
}

function NameForm({ onCreated }: { onCreated: (created: Created) => void }) {
  const { t } = useTranslation()
  const create = useSend(createWallet)
  const [requestIdOf] = useState(() => requestIdKeeper())
  const [kind, setKind] = useState<(typeof KINDS)[number]>('all')
  const { form, field, submit } = useTextForm({ name: { label: t('wallet.create.name'), shape: NAME_SHAPE } })
  const make = async (name: string) => {
    const walletName = name.trim()
    const wallet = { wallet_name: walletName, ...(kind === 'all' ? {} : { key_kind: kind }) }
    const answer = await create.mutateAsync({ request_id: requestIdOf(wallet), ...wallet }).catch(() => undefined)
    if (answer) onCreated({ walletId: answer.wallet_id, name: walletName })
  }
  return (
    <DrawerForm form={form} send={t('wallet.create.submit')} isSending={create.isPending} onSend={(event) => submit(event, ({ name }) => void make(name))}>
      <p className="hf-muted">{t('wallet.create.note')}</p>
      <TextField {...field('name')} hint={t('wallet.create.nameNote')} count={NAME_SHAPE.length.max} keepsExcess autoFocus autoComplete="off" />
      <details>
        <summary>{t('wallet.create.advanced')}</summary>
        <SelectField
          label={t('wallet.create.kind')}
          value={kind}
          options={KINDS.map((value) => ({ value, label: t(`wallet.create.kinds.${value}`) }))}
          onChange={(next) => setKind((present) => KINDS.find((each) => each === next) ?? present)}
          hint={t('wallet.create.kindNote')}
        />
      </details>
    </DrawerForm>
  )
}

function Making({ walletId, name }: Created) {
  const { t } = useTranslation()
  const { close } = useDrawerPage()
  const store = useSelectionStore()
  const navigate = useNavigate()
  const { data } = useKeyProgress(walletId)
  const isReady = data?.state === 'ready'
  // Until this is pressed, the pages stay with the wallet that was chosen before.
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
