import { useEndpoint, useSend } from '@holdfast/client'
import { subWalletLabel } from '@holdfast/features/wallet/console'
import { listAllSubWallets } from '@holdfast/features/wallet/contract'
import { DrawerBody, DrawerForm, ErrorState, LoadingState, ManyPicker, Note, SelectField, useDrawerPage } from '@holdfast/ui'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getCollectingScope, saveCollectingScope } from '../contract.ts'

const MODES = ['all', 'part', 'except'] as const
type Mode = (typeof MODES)[number]

/** Says from which sub-wallets it is collected. */
export function ScopeDrawer({ walletId }: { walletId: string }) {
  const { data, error, refetch } = useEndpoint(getCollectingScope, { wallet_id: walletId })
  if (data) return <Form walletId={walletId} mode={data.mode} ids={data.sub_wallet_ids} />
  return <DrawerBody>{error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingState rows={4} />}</DrawerBody>
}

function Form({ walletId, ...given }: { walletId: string; mode: Mode; ids: readonly string[] }) {
  const { t } = useTranslation('coSigner')
  const { close } = useDrawerPage()
  const subWallets = useEndpoint(listAllSubWallets, { wallet_id: walletId })
  const save = useSend(saveCollectingScope)
  const [mode, setMode] = useState<Mode>(given.mode)
  const [ids, setIds] = useState<readonly string[]>(given.ids)
  const send = () => save.mutate({ wallet_id: walletId, mode, ...(mode !== 'all' && { sub_wallet_ids: [...ids] }) }, { onSuccess: () => close() })
  return (
    <DrawerForm send={t('collect.save')} isSending={save.isPending} isShut={mode !== 'all' && ids.length === 0} onSend={send}>
      <SelectField
        label={t('collect.scope.title')}
        value={mode}
        options={MODES.map((value) => ({ value, label: t(`collect.scope.${value}`) }))}
        onChange={(value) => setMode(value as Mode)}
      />
      {mode !== 'all' && (
        <div className="hf-stack-tight">
          <span className="hf-label">{t(`collect.scope.${mode}Which`)}</span>
          <ManyPicker
            label={t('collect.scope.choose')}
            options={(subWallets.data ?? []).map((each) => ({ value: each.sub_wallet_id, label: subWalletLabel(each) }))}
            values={[...ids]}
            onChange={setIds}
          />
        </div>
      )}
      <Note tone="info" title={t('collect.scope.note')}>
        {t(`collect.scope.${mode}Note`)}
      </Note>
    </DrawerForm>
  )
}
