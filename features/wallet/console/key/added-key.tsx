import { usePermission } from '@holdfast/features/session/console'
import { Button, Note } from '@holdfast/ui'
import { useSend } from '@holdfast/client'
import { useTranslation } from 'react-i18next'
import { addWalletKey } from '../../contract.ts'
import { KeyProgressList } from './key-progress.tsx'
import type { Wallet } from '../use-wallets.ts'

/** Offers a wallet the key of a further kind that a network needs, and shows how far it is. Nothing if its keys are enough. */
export function AddedKey({ wallet: { wallet_id: walletId, addable_kinds: kinds, added_key: added, state, retired } }: { wallet: Wallet }) {
  const { t } = useTranslation()
  const mayCreate = usePermission('wallet.create')
  const send = useSend(addWalletKey)
  if (added === null && (kinds.length === 0 || state !== 'active' || retired)) return null
  return (
    <Note title={t('wallet.addKey.title')}>
      <div className="hf-stack">
        <p>{t(added === 'making' ? 'wallet.addKey.making' : 'wallet.addKey.text')}</p>
        {added !== null && <KeyProgressList walletId={walletId} />}
        {added !== 'making' && mayCreate && (
          <div className="hf-row-tight">
            {kinds.map((kind) => (
              <Button key={kind} size="small" loading={send.isPending} onClick={() => send.mutate({ wallet_id: walletId, key_kind: kind })}>
                {t('wallet.addKey.add', { kind: t(`wallet.keyKind.${kind}`) })}
              </Button>
            ))}
          </div>
        )}
      </div>
    </Note>
  )
}
