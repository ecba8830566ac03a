import { useKeptDraft } from '@holdfast/features/session/console'
import {
  Address,
  Amount,
  Button,
  Checkbox,
  type Column,
  DataTable,
  DrawerBody,
  DrawerFooter,
  Facts,
  Label,
  Note,
  REMARK_LIMIT,
  TextField,
  useDrawerPage,
  useTextForm,
  useUnsaved,
} from '@holdfast/ui'
import { requestIdKeeper, useApi, useSend } from '@holdfast/client'
import { at } from '@holdfast/units'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { createWithdrawal, estimateGas } from '../contract.ts'
import { LabelFields, labelFacts, labelGiven, labelRules } from '@holdfast/features/transaction/console'
import type { Noted, openPaySeveralDrawer, PaySeveralProps } from './open-pay-several-drawer.tsx'
import { faultOf, readRecipients, type Recipient } from './read-recipients.ts'

type Draft = { recipients: Recipient[]; lines: number[]; total: string; fee: string; feeSymbol: string } & Noted
type Fault = { line: number; reason: string }

/** Requests one payment to several recipients: they are pasted, shown whole with the fee, and sent for approval. */
export function PaySeveralDrawer({ subWallet, coin, kept, open }: PaySeveralProps & { open: typeof openPaySeveralDrawer }) {
  const { t } = useTranslation()
  const [text, setText] = useState(kept?.text ?? '')
  const { form, field, submit, valueOf } = useTextForm({ remark: { label: t('withdrawal.several.remark'), optional: true }, ...labelRules(t) }, kept?.noted)
  const keep = useKeptDraft(false)
  useUnsaved(text !== '' || kept !== undefined)
  const noted = { remark: valueOf('remark'), category: valueOf('category'), tags: valueOf('tags') }
  // After every change: a session can end at any moment.
  useEffect(() => {
    if (text === '' && Object.values(noted).every((each) => each === '')) return
    keep((drawers, say) => open(drawers, { title: say('utxo.paySeveral'), subWallet, coin, kept: { text, noted } }))
  })
  const [draft, setDraft] = useState<Draft>()
  const [fault, setFault] = useState<Fault>()
  const back = (found?: Fault) => {
    setDraft(undefined)
    setFault(found)
  }
  if (draft) return <Review subWallet={subWallet} coin={coin} draft={draft} onBack={back} />
  const change = (written: string) => {
    setText(written)
    setFault(undefined)
  }
  const shared = { text, setText: change, form, field, submit, fault, setFault, onReview: setDraft }
  return <Form subWallet={subWallet} coin={coin} {...shared} />
}

type FormProps = PaySeveralProps &
  Pick<ReturnType<typeof useTextForm<keyof Noted>>, 'form' | 'field' | 'submit'> & {
    text: string
    setText: (text: string) => void
    fault: Fault | undefined
    setFault: (fault: Fault | undefined) => void
    onReview: (draft: Draft) => void
  }

function Form({ subWallet, coin, text, setText, form, field, submit, fault, setFault, onReview }: FormProps) {
  const { t } = useTranslation()
  const { close } = useDrawerPage()
  const quote = useQuote({ subWallet, coin })
  const read = readRecipients(text, coin)
  const isReady = read.recipients.length >= 2 && read.faulty.length === 0 && read.lost.length === 0
  const review = async (noted: Noted) => {
    if (!isReady) return
    const { recipients, lines, total } = read
    const fee = await quote(recipients, total).catch((error: unknown) => setFault(faultOf(error, lines)))
    if (fee) onReview({ recipients, lines, total, ...fee, ...noted })
  }
  return (
    <form ref={form} className="hf-drawer-form" noValidate onSubmit={(event) => submit(event, (noted) => void review(noted))}>
      <DrawerBody>
        <p className="hf-muted">{t('withdrawal.several.note', { network: coin.network })}</p>
        <TextField label={t('withdrawal.several.recipients')} value={text} rows={4} className="hf-mono" autoComplete="off" onChange={setText} />
        {read.lost.length > 0 && <Note tone="bad">{t('withdrawal.several.lost', { lines: named(read.lost) })}</Note>}
        {read.faulty.length > 0 && <Note tone="bad">{t('withdrawal.several.faulty', { lines: named(read.faulty) })}</Note>}
        {fault && <Note tone="bad">{t('withdrawal.several.fault', fault)}</Note>}
        <Facts
          facts={[
            { label: t('withdrawal.several.count'), value: read.recipients.length },
            { label: t('withdrawal.several.total'), value: <Amount value={read.total} unit={coin.symbol} /> },
          ]}
        />
        <TextField {...field('remark')} rows={2} count={REMARK_LIMIT} />
        <LabelFields field={field} />
      </DrawerBody>
      <DrawerFooter>
        <Button onClick={() => close()}>{t('ui.confirm.cancel')}</Button>
        <Button variant="primary" type="submit" disabled={!isReady}>
          {t('withdrawal.several.review')}
        </Button>
      </DrawerFooter>
    </form>
  )
}

const named = (lines: readonly number[]): string => lines.slice(0, 10).join(', ')

/** The most that the fee of such a payment can reach at the normal tier. */
function useQuote({ subWallet, coin }: PaySeveralProps) {
  const { client } = useApi()
  return async (recipients: readonly Recipient[], total: string) => {
    const asked = { sub_wallet_id: subWallet.id, chain: coin.chain, symbol: coin.symbol, to: at(recipients, 0).address_to, amount: total }
    const answer = await client.call(estimateGas, { ...asked, outputs: [...recipients] })
    const normal = answer.tiers.find(({ tier }) => tier === 'normal')
    return normal && { fee: normal.fee, feeSymbol: answer.fee_symbol }
  }
}

function Review({ subWallet, coin, draft, onBack }: PaySeveralProps & { draft: Draft; onBack: (fault?: Fault) => void }) {
  const { t } = useTranslation()
  const { close } = useDrawerPage()
  const navigate = useNavigate()
  const [isCompared, setCompared] = useState(false)
  const [requestIdOf] = useState(() => requestIdKeeper())
  const send = useSend(createWithdrawal)
  const submit = async () => {
    const order = {
      sub_wallet_id: subWallet.id,
      chain: coin.chain,
      symbol: coin.symbol,
      address_to: at(draft.recipients, 0).address_to,
      amount: draft.total,
      outputs: draft.recipients,
      max_fee: draft.fee,
      remark: draft.remark.trim(),
      ...labelGiven(draft),
      ack: isCompared ? 'lookalike,first_seen' : '',
    }
    const made = await send.mutateAsync({ request_id: requestIdOf(order), ...order }).catch((error: unknown) => {
      const fault = faultOf(error, draft.lines)
      if (fault) onBack(fault)
    })
    if (!made) return
    close()
    void navigate(`/mpc/center/wallet/transactions?order=${made.withdraw_id}`)
  }
  const columns: Column<Recipient>[] = [
    { key: 'to', title: t('withdrawal.several.to'), render: ({ address_to: to }) => <Address address={to} /> },
    { key: 'amount', title: t('withdrawal.several.amount'), align: 'end', render: ({ amount }) => <Amount value={amount} unit={coin.symbol} /> },
  ]
  return (
    <>
      <DrawerBody>
        <Facts
          facts={[
            { label: t('withdrawal.several.total'), value: <Amount value={draft.total} unit={coin.symbol} /> },
            { label: t('withdrawal.several.fee'), value: <Amount value={draft.fee} unit={draft.feeSymbol} /> },
            { label: t('withdrawal.several.count'), value: draft.recipients.length },
            draft.remark.trim() === '' ? undefined : { label: t('withdrawal.several.remark'), value: <Label text={draft.remark.trim()} wrap /> },
            ...labelFacts(t, draft),
          ]}
        />
        <DataTable label={t('withdrawal.several.recipients')} columns={columns} rows={draft.recipients} rowKey={({ address_to: to }) => to} empty={null} />
        <Checkbox checked={isCompared} onChange={setCompared}>
          {t('withdrawal.several.compared')}
        </Checkbox>
      </DrawerBody>
      <DrawerFooter>
        <Button onClick={() => onBack()} disabled={send.isPending}>
          {t('withdrawal.several.back')}
        </Button>
        <Button variant="primary" disabled={!isCompared} loading={send.isPending} onClick={() => void submit()}>
          {t('withdrawal.several.send')}
        </Button>
      </DrawerFooter>
    </>
  )
}
