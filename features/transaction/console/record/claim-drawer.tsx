import { claimDeposit, keepHeld } from '@holdfast/features/deposit/contract'
import { DrawerForm, SelectField, TextField, useDrawerPage, useTextForm } from '@holdfast/ui'
import { useSend } from '@holdfast/client'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { HeldDeposit } from './open-claim-drawer.tsx'

const CHOICES = ['payer', 'nobody', 'keep'] as const
type Choice = (typeof CHOICES)[number]
const REASON_LIMIT = 200

/** Says whose a held payment is, for another person to confirm, or why it stays held. */
export function ClaimDrawer({ deposit }: { deposit: HeldDeposit }) {
  const { t } = useTranslation()
  const { close } = useDrawerPage()
  const [choice, setChoice] = useState<Choice>(deposit.comments.length > 0 ? 'payer' : 'nobody')
  const listId = useId()
  const claim = useSend(claimDeposit)
  const keep = useSend(keepHeld)
  const { form, field, submit } = useTextForm({
    memo: { label: t('transaction.held.memo'), optional: choice !== 'payer' },
    reason: { label: t('transaction.held.reason') },
  })
  const send = async ({ memo, reason }: { memo: string; reason: string }) => {
    const said = { id: deposit.id, reason: reason.trim() }
    const work = choice === 'keep' ? keep.mutateAsync(said) : claim.mutateAsync({ ...said, memo: choice === 'payer' ? memo.trim() : '' })
    await work.then(
      () => close(),
      () => undefined,
    )
  }
  return (
    <DrawerForm
      form={form}
      send={t(choice === 'keep' ? 'transaction.held.keep' : 'transaction.held.send')}
      isSending={claim.isPending || keep.isPending}
      onSend={(event) => submit(event, (fields) => void send(fields))}
    >
      <p className="hf-muted">{t('transaction.held.text', { subWallet: deposit.subWallet })}</p>
      <SelectField
        label={t('transaction.held.what')}
        value={choice}
        options={CHOICES.map((value) => ({ value, label: t(`transaction.held.choice.${value}`) }))}
        onChange={(value) => setChoice(CHOICES.find((each) => each === value) ?? choice)}
      />
      {choice === 'payer' && (
        <>
          <TextField {...field('memo')} hint={t('transaction.held.memoHint')} list={listId} maxLength={64} autoComplete="off" />
          <datalist id={listId}>
            {deposit.comments.map(({ memo, label }) => (
              <option key={memo} value={memo}>
                {label ?? memo}
              </option>
            ))}
          </datalist>
        </>
      )}
      <TextField {...field('reason')} hint={t('transaction.held.reasonHint')} rows={3} count={REASON_LIMIT} />
      {choice !== 'keep' && <p className="hf-small hf-muted">{t('transaction.held.other')}</p>}
    </DrawerForm>
  )
}
