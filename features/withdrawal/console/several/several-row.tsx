import { Button, IconCheck, IconTrash, IconWarning, Label, TextField } from '@holdfast/ui'
import { formatAmount } from '@holdfast/units'
import { useTranslation } from 'react-i18next'
import { DestinationField } from '../destination-field.tsx'
import { alarmsOf, unitOf } from '../draft.ts'
import { useCheckFault } from '../use-check-fault.ts'
import { Worth } from '../worth.tsx'
import type { JudgedRow, Row } from './judge-rows.ts'
import type { Line } from './read-lines.ts'
import { recipientName } from './recipient-name.ts'
import type { SeveralCoin } from './several-coin.ts'

type SeveralRowProps = {
  row: Row
  number: number
  fromId: string
  coin: SeveralCoin
  /** What is known of it; undefined while it is empty. */
  judged: JudgedRow | undefined
  /** The server did not say what it knows of the address. */
  isFailed: boolean
  onChange: (next: Partial<Line>) => void
  onRemove?: () => void
}

/** One recipient: the address and the amount, each with what is wrong with it, and what is known of the address. */
export function SeveralRow({ row, number, fromId, coin, judged, isFailed, onChange, onRemove }: SeveralRowProps) {
  const { t } = useTranslation()
  const fault = judged?.amountFault
  return (
    <div className="hf-several-row" role="group" aria-label={t('withdrawal.several.lineNamed', { line: number })}>
      <span className="hf-several-line hf-numbers hf-faint" aria-hidden>
        {number}
      </span>
      <div className="hf-several-to">
        <DestinationField
          label={t('withdrawal.several.to')}
          value={row.to}
          error={useAddressFault(judged)}
          fromId={fromId}
          coin={coin}
          onChange={(to) => onChange({ to })}
          onTake={({ address }) => onChange({ to: address })}
          onCode={({ to, amount }) => onChange({ to, ...(amount !== undefined && { amount: formatAmount(amount, coin.decimals) }) })}
          isKnown
        />
        <Known judged={judged} isFailed={isFailed} />
      </div>
      <TextField
        label={t('withdrawal.several.amount')}
        value={row.amount}
        onChange={(amount) => onChange({ amount })}
        error={fault && t(`withdrawal.amount.${fault}`, { decimals: coin.decimals })}
        hint={fault === undefined && row.amount !== '' ? <Worth amount={row.amount.trim()} price={coin.price} /> : undefined}
        inputMode="decimal"
        autoComplete="off"
        suffix={<span className="hf-amount-unit">{unitOf(coin)}</span>}
      />
      {onRemove && (
        <Button
          variant="quiet"
          icon={<IconTrash />}
          className="hf-several-remove"
          label={t('withdrawal.several.removeLine', { line: number })}
          onClick={onRemove}
        />
      )}
    </div>
  )
}

/** Why nothing is paid to the address of a line; what a text is that is no address, its field says by itself. */
function useAddressFault(judged: JudgedRow | undefined): string | undefined {
  const { t } = useTranslation()
  const checkFault = useCheckFault()
  switch (judged?.addressFault) {
    case undefined:
      return undefined
    case 'twice':
      return t('withdrawal.several.twice', { line: judged.twin })
    case 'lost':
      return t('withdrawal.several.lost')
    case 'self':
      return t('withdrawal.to.fault.self')
    case 'memo':
      return t('withdrawal.several.memo')
    case 'grave':
      return t('withdrawal.several.grave')
    case 'invalid':
      return checkFault(judged.check, judged.to) ?? t('withdrawal.several.invalid')
  }
}

/** What is known of the address of a line: whose it is, and what has to be read before it is paid. */
function Known({ judged, isFailed }: { judged: JudgedRow | undefined; isFailed: boolean }) {
  const { t } = useTranslation()
  const { check, alike, addressFault: fault } = judged ?? {}
  if (judged?.address === undefined) return null
  if (!check) return fault || isFailed ? null : <p className="hf-small hf-faint">{t('withdrawal.several.checking')}</p>
  const name = recipientName(check)
  const warned = alarmsOf(check)
  return (
    <div className="hf-several-known">
      {fault === undefined && name !== null && (
        <p className="hf-small hf-several-good">
          <IconCheck /> <Label text={name} />
        </p>
      )}
      {fault === undefined && name === null && warned.length === 0 && (
        <p className="hf-small hf-several-good">
          <IconCheck /> {t('withdrawal.several.paidBefore')}
        </p>
      )}
      {(fault === undefined || fault === 'grave') &&
        warned.map(({ key, address }) => (
          <p key={`${key} ${address}`} className="hf-small hf-muted hf-break">
            {t(`withdrawal.alarm.${key}`, { address })}
          </p>
        ))}
      {alike !== undefined && (
        <p className="hf-small hf-several-warn">
          <IconWarning /> {t('withdrawal.several.alike', { line: alike })}
        </p>
      )}
    </div>
  )
}
