import { feeTier } from '@holdfast/contract'
import { labelFacts } from '@holdfast/features/transaction/console'
import { Address, Amount, Button, Checkbox, type Column, DataTable, exactAmount, Facts, Label, Note, SelectField } from '@holdfast/ui'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Tier, unitOf } from '../draft.ts'
import type { Payer } from './find-payer.ts'
import type { SeveralCoin } from './several-coin.ts'
import { type CheckedRecipient, feesOf, missingFor, type Noted } from './several-orders.ts'
import type { CheckedBatch } from './use-costs.ts'
import { Worth } from '../worth.tsx'

type SeveralReviewProps = { payer: Payer; coin: SeveralCoin; batch: CheckedBatch; noted: Noted; onBack: () => void; onSend: (tier: Tier['tier']) => void }

/** Everybody who will be paid, whole, with what all of it comes to. From here it is sent for approval. */
export function SeveralReview({ payer, coin, batch, noted, onBack, onSend }: SeveralReviewProps) {
  const { t } = useTranslation()
  const [isCompared, setCompared] = useState(false)
  const [tier, setTier] = useState<Tier['tier']>('normal')
  const { total, feeSymbol, feeBalance, feeDecimals } = batch
  const feesAt = (speed: Tier['tier']) => feesOf(batch, speed, feeDecimals)
  const fees = feesAt(tier)
  const held = { available: coin.normal_balance, decimals: coin.decimals, feeBalance, feeDecimals, isFeeCoin: coin.contract_address === null }
  const missing = missingFor(total, fees, held)
  const note = noted.remark.trim()
  return (
    <div className="hf-panel hf-stack">
      <Facts
        facts={[
          { label: t('withdrawal.several.from'), value: <Label text={payer.name} /> },
          {
            label: t('withdrawal.several.total'),
            value: (
              <span className="hf-row-tight">
                <Amount value={total} unit={unitOf(coin)} /> <Worth amount={total} price={coin.price} />
              </span>
            ),
          },
          { label: t(coin.isTogether ? 'withdrawal.several.fee' : 'withdrawal.several.fees'), value: <Amount value={fees} unit={feeSymbol} /> },
          { label: t('withdrawal.several.count'), value: batch.recipients.length },
          { label: t('withdrawal.several.available'), value: <Amount value={coin.normal_balance} unit={unitOf(coin)} /> },
          note === '' ? undefined : { label: t('withdrawal.several.remark'), value: <Label text={note} wrap /> },
          ...labelFacts(t, noted),
        ]}
      />
      {batch.hasTiers && (
        <SelectField
          label={t('withdrawal.form.fee')}
          value={tier}
          options={feeTier.options.map((value) => ({ value, label: `${t(`withdrawal.tier.${value}`)} · ${exactAmount(feesAt(value))} ${feeSymbol}` }))}
          onChange={(speed) => setTier(speed as Tier['tier'])}
        />
      )}
      {missing && <Note tone="bad">{t(`withdrawal.several.missing.${missing}`, { symbol: missing === 'fee' ? feeSymbol : unitOf(coin) })}</Note>}
      <DataTable
        label={t('withdrawal.several.recipients')}
        columns={useColumns(coin)}
        rows={batch.recipients}
        rowKey={({ address_to: to }) => to}
        empty={null}
      />
      {!coin.isTogether && <p className="hf-small hf-muted">{t('withdrawal.several.eachNote')}</p>}
      <Checkbox checked={isCompared} onChange={setCompared}>
        {t('withdrawal.several.compared')}
      </Checkbox>
      <div className="hf-row">
        <Button onClick={onBack}>{t('withdrawal.several.back')}</Button>
        <Button variant="primary" disabled={!isCompared || missing !== undefined} onClick={() => onSend(tier)}>
          {t('withdrawal.several.send')}
        </Button>
      </div>
    </div>
  )
}

function useColumns(coin: SeveralCoin): Column<CheckedRecipient>[] {
  const { t } = useTranslation()
  return [
    { key: 'line', title: t('withdrawal.several.line'), width: 1, render: ({ line }) => <span className="hf-numbers hf-faint">{line}</span> },
    {
      key: 'to',
      title: t('withdrawal.several.to'),
      render: ({ address_to: to, name, warnings }) => (
        <span className="hf-stack-tight">
          {name !== null && <Label text={name} />}
          <Address address={to} />
          {warnings.map((warning) => (
            <span key={warning} className="hf-small hf-muted">
              {t(`withdrawal.alarm.${warning}`)}
            </span>
          ))}
        </span>
      ),
    },
    {
      key: 'amount',
      title: t('withdrawal.several.amount'),
      align: 'end',
      render: ({ amount }) => (
        <span className="hf-several-amount">
          <Amount value={amount} unit={unitOf(coin)} />
          <Worth amount={amount} price={coin.price} />
        </span>
      ),
    },
  ]
}
