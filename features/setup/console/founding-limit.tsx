import type { InputOf, OutputOf } from '@holdfast/contract'
import { useEndpoint } from '@holdfast/client'
import { Button, IconPlus, IconTrash, SelectField, TextField } from '@holdfast/ui'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type createSetup, getSetupState } from '../contract.ts'

type Coin = OutputOf<typeof getSetupState>['assets'][number]
type Row = { coin: string; each: string; day: string; large: string }

const keyOf = ({ chain, asset }: Coin) => `${chain} ${asset}`
const isAmount = (text: string) => /^(0|[1-9]\d{0,40})(\.\d{1,36})?$/.test(text) && /[1-9]/.test(text)

/** With which limits an organisation begins: nobody begins without one unless they say so. */
export function useFoundingLimit() {
  const coins = useEndpoint(getSetupState, {}).data?.assets ?? []
  const [choice, setChoice] = useState<'limit' | 'none'>()
  const [typed, setTyped] = useState<readonly Row[]>()
  const rows = typed ?? coins.slice(0, 1).map((coin) => ({ coin: keyOf(coin), each: '', day: '', large: '' }))
  const assets = rows.flatMap(({ coin, each, day, large }) => {
    const found = coins.find((known) => keyOf(known) === coin)
    return found ? [{ chain: found.chain, asset: found.asset, each: each.trim(), day: day.trim(), large: large.trim() || null }] : []
  })
  const isWhole = assets.length > 0 && assets.every(({ each, day, large }) => isAmount(each) && isAmount(day) && (large === null || isAmount(large)))
  const fault = choice === undefined ? 'unsaid' : choice === 'limit' && !isWhole ? 'amounts' : undefined
  const template: NonNullable<InputOf<typeof createSetup>['template']> | undefined = choice === 'limit' && isWhole ? { kind: 'tiers', assets } : undefined
  return { coins, choice, setChoice, rows, setRows: setTyped, fault, template } as const
}

/** Asks for limits of payments, or for the word that there are to be none. */
export function FoundingLimit({ limit, isTried }: { limit: ReturnType<typeof useFoundingLimit>; isTried: boolean }) {
  const { t } = useTranslation()
  const { coins, choice, setChoice, rows, setRows, fault } = limit
  const left = coins.find((coin) => rows.every((row) => row.coin !== keyOf(coin)))
  return (
    <fieldset className="hf-fieldset">
      <legend>{t('setup.limit.title')}</legend>
      <p className="hf-small hf-muted">{t('setup.limit.note')}</p>
      {(['limit', 'none'] as const).map((value) => (
        <label key={value} className="hf-check">
          <input type="radio" name="founding-limit" checked={choice === value} onChange={() => setChoice(value)} />
          <span>
            {t(`setup.limit.choice.${value}`)}
            <span className="hf-small hf-muted hf-founding-choice">{t(`setup.limit.choiceNote.${value}`)}</span>
          </span>
        </label>
      ))}
      {choice === 'limit' && (
        <>
          {rows.map((row, at) => (
            <LimitRow
              key={row.coin}
              {...{ row, coins, isTried }}
              taken={rows.filter((other) => other !== row).map((other) => other.coin)}
              onChange={(next) => setRows(rows.with(at, next))}
              onDrop={rows.length > 1 ? () => setRows(rows.toSpliced(at, 1)) : undefined}
            />
          ))}
          {left && (
            <Button variant="dashed" block icon={<IconPlus />} onClick={() => setRows([...rows, { coin: keyOf(left), each: '', day: '', large: '' }])}>
              {t('setup.limit.add')}
            </Button>
          )}
        </>
      )}
      {isTried && fault !== undefined && (
        <p className="hf-field-error" role="alert">
          {t(`setup.limit.fault.${fault}`)}
        </p>
      )}
    </fieldset>
  )
}

type LimitRowProps = {
  row: Row
  coins: readonly Coin[]
  taken: readonly string[]
  isTried: boolean
  onChange: (row: Row) => void
  onDrop: (() => void) | undefined
}

function LimitRow({ row, coins, taken, isTried, onChange, onDrop }: LimitRowProps) {
  const { t } = useTranslation()
  const coin = coins.find((each) => keyOf(each) === row.coin)
  const options = coins.filter((each) => !taken.includes(keyOf(each))).map((each) => ({ value: keyOf(each), label: `${each.symbol} · ${each.network}` }))
  const fault = (name: 'each' | 'day' | 'large') => {
    if (isAmount(row[name]) || (row[name] === '' && (name === 'large' || !isTried))) return undefined
    return t('setup.limit.amount')
  }
  return (
    <div className="hf-founding-limit">
      <SelectField label={t('setup.limit.coin')} value={row.coin} options={options} onChange={(value) => onChange({ ...row, coin: value })} />
      {(['each', 'day', 'large'] as const).map((name) => (
        <TextField
          key={name}
          label={t(`setup.limit.${name}`)}
          value={row[name]}
          onChange={(text) => onChange({ ...row, [name]: text })}
          inputMode="decimal"
          autoComplete="off"
          suffix={<span>{coin?.symbol}</span>}
          error={fault(name)}
          {...(name === 'large' && { placeholder: t('setup.limit.unbounded') })}
        />
      ))}
      {onDrop && (
        <Button variant="quiet" icon={<IconTrash />} onClick={onDrop}>
          {t('setup.limit.remove', { symbol: coin?.symbol ?? '' })}
        </Button>
      )}
    </div>
  )
}
