import './withdrawal.css'
import { useFiat } from '@holdfast/features/price/console'
import { useKeptDraft } from '@holdfast/features/session/console'
import { listCoinAssets } from '@holdfast/features/wallet/contract'
import { DrawerBody, ErrorState, LoadingState, useUnsaved } from '@holdfast/ui'
import { useEndpoint } from '@holdfast/client'
import { useState } from 'react'
import type { Draft } from './draft.ts'
import type { openWithdrawDrawer, WithdrawTarget } from './open-withdraw-drawer.tsx'
import { type Sent, SentStep } from './sent-step.tsx'
import { ReviewStep } from './review-step.tsx'
import { useToken } from './use-token.ts'
import { WithdrawForm } from './withdraw-form.tsx'

/** Requests a payment in three steps: fill in, review everything, sent. */
export function WithdrawDrawer({ subWallet, coin, token, again, kept, open }: WithdrawTarget & { open: typeof openWithdrawDrawer }) {
  const { data, error, refetch } = useEndpoint(listCoinAssets, { sub_wallet_id: subWallet.id, ...useFiat().asked })
  const paid = useToken(token, subWallet.id)
  const [draft, setDraft] = useState<Draft>()
  const [step, setStep] = useState<'form' | 'review'>('form')
  const [sent, setSent] = useState<Sent>()
  const keep = useKeptDraft(sent !== undefined)
  // Coming back from the review, the form begins with what was filled in: nothing of it counts as a change there.
  useUnsaved((kept !== undefined || draft !== undefined) && !sent)
  if (!data || paid.isAsked) return <DrawerBody>{error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingState rows={8} />}</DrawerBody>
  if (sent && draft) return <SentStep draft={draft} sent={sent} />
  if (draft && step === 'review') return <ReviewStep draft={draft} subWallet={subWallet} onBack={() => setStep('form')} onSent={setSent} />
  return (
    <WithdrawForm
      subWallet={subWallet}
      prices={data.list}
      coins={paid.token ? [paid.token] : data.list.filter((each) => each.enable_withdraw)}
      firstCoin={paid.token ?? coin}
      again={again}
      kept={kept}
      draft={draft}
      keep={(target) => keep((drawers, say) => open(drawers, { title: say('withdrawal.title'), ...target }))}
      onReview={(next) => {
        setDraft(next)
        setStep('review')
      }}
    />
  )
}
