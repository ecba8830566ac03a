import { PolicyOutcome } from '@holdfast/features/policy/console'
import { Address, Amount, Button, DrawerBody, DrawerFooter, Facts, Label, useUnsaved } from '@holdfast/ui'
import { requestIdKeeper, useSend } from '@holdfast/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { createWithdrawal } from '../contract.ts'
import { labelFacts, labelGiven } from '@holdfast/features/transaction/console'
import { type Draft, leavesAtMost, unitOf, warningsOf } from './draft.ts'
import { ReadFirst } from './read-first.tsx'
import type { Sent } from './sent-step.tsx'
import { Worth } from './worth.tsx'

type ReviewProps = { draft: Draft; subWallet: { id: string; name: string }; onBack: () => void; onSent: (sent: Sent) => void }

/** The whole payment once more: every digit and the whole address. From here it is sent for approval. */
export function ReviewStep({ draft, subWallet, onBack, onSent }: ReviewProps) {
  const { t } = useTranslation()
  const send = useSend(createWithdrawal)
  useUnsaved(true)
  const [requestIdOf] = useState(() => requestIdKeeper())
  const { coin, from, check, memo, amount, isGross, paid, chosenFee, fee, feeSymbol, feePrice, along, remark, expireHours, outcome } = draft
  const to = check.canonical ?? draft.to
  const submit = async () => {
    const order = {
      sub_wallet_id: subWallet.id,
      chain: coin.chain,
      symbol: coin.symbol,
      ...(coin.token_id === undefined ? {} : { token_id: coin.token_id }),
      ...(from === undefined ? {} : { from }),
      address_to: to,
      ...(memo === '' ? {} : { memo }),
      amount,
      ...(isGross ? { gross: '1' as const } : {}),
      max_fee: fee,
      // With a custom cap the payment begins at the normal fee, which leaves room to speed it up.
      ...(chosenFee.tier === 'custom' ? {} : { fee_tier: chosenFee.tier }),
      remark,
      ...labelGiven(draft),
      expire_hours: expireHours,
      ack: warningsOf(check).join(','),
    }
    const answer = await send.mutateAsync({ request_id: requestIdOf(order), ...order }).catch(() => undefined)
    if (answer) onSent({ orderId: answer.withdraw_id, approvalUrl: answer.approval_url, intentHash: answer.intent_hash })
  }
  return (
    <>
      <DrawerBody>
        <div className="hf-review-amount">
          <p className="hf-muted">{t('withdrawal.review.pay')}</p>
          <Amount value={paid} unit={unitOf(coin)} large /> <Worth amount={paid} price={coin.price} />
        </div>
        <ReadFirst check={check} />
        <Facts
          facts={[
            { label: t('withdrawal.review.to'), value: <Address address={to} />, wide: true },
            memo === '' ? undefined : { label: t('withdrawal.review.memo'), value: <Label text={memo} wrap />, wide: true },
            { label: t('withdrawal.review.network'), value: coin.network },
            coin.contract_address === null
              ? undefined
              : { label: t('withdrawal.review.contract'), value: <Address address={coin.contract_address} />, wide: true },
            { label: t('withdrawal.review.from'), value: subWallet.name },
            from === undefined ? undefined : { label: t('withdrawal.form.from'), value: <Address address={from} />, wide: true },
            along === null ? undefined : { label: t('withdrawal.inscription.along'), value: <Amount value={along} unit={feeSymbol} /> },
            { label: t(isGross ? 'withdrawal.review.feeTaken' : 'withdrawal.review.fee'), value: <Priced value={fee} unit={feeSymbol} price={feePrice} /> },
            {
              label: t('withdrawal.review.leaves'),
              value: (
                <span className="hf-stack-tight">
                  {leavesAtMost(draft).map(({ value, unit }) => (
                    <Priced key={unit} {...{ value, unit }} price={unit === unitOf(coin) ? coin.price : feePrice} />
                  ))}
                </span>
              ),
            },
            { label: t('withdrawal.review.expires'), value: t(`withdrawal.hours.${expireHours}`) },
            { label: t('withdrawal.review.remark'), value: remark === '' ? t('withdrawal.review.none') : remark },
            ...labelFacts(t, draft),
          ]}
        />
        <PolicyOutcome outcome={outcome} />
        <p className="hf-small hf-muted">{t('withdrawal.review.note')}</p>
      </DrawerBody>
      <DrawerFooter>
        <Button onClick={onBack} disabled={send.isPending}>
          {t('withdrawal.review.back')}
        </Button>
        <Button variant="primary" loading={send.isPending} onClick={() => void submit()}>
          {t('withdrawal.review.send')}
        </Button>
      </DrawerFooter>
    </>
  )
}

function Priced({ value, unit, price }: { value: string; unit: string; price: string | null | undefined }) {
  return (
    <span className="hf-row-tight">
      <Amount value={value} unit={unit} /> <Worth amount={value} price={price} />
    </span>
  )
}
