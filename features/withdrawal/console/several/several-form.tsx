import { coinOption } from '@holdfast/features/network/console'
import { LabelFields } from '@holdfast/features/transaction/console'
import { Button, ErrorState, IconPlus, IconUpload, Note, PickField, REMARK_LIMIT, TextField, type useTextForm } from '@holdfast/ui'
import { type ClipboardEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { OUTPUTS_MAX } from '../../contract.ts'
import { coinKey, unitOf } from '../draft.ts'
import { addressesIn, faultOf, judgeRows, type Row } from './judge-rows.ts'
import type { Payer } from './find-payer.ts'
import { type Line, pastedLines, readLines } from './read-lines.ts'
import type { SeveralCoin } from './several-coin.ts'
import type { Noted } from './several-orders.ts'
import { SeveralRow } from './several-row.tsx'
import { SeveralTotals } from './several-totals.tsx'
import { useAddressChecks } from './use-address-checks.ts'
import { type CheckedBatch, useCosts } from './use-costs.ts'

type SeveralFormProps = {
  payers: readonly Payer[]
  payer: Payer
  coins: readonly SeveralCoin[]
  coin: SeveralCoin
  /** Addresses by the names of contacts, in small letters. */
  contacts: ReadonlyMap<string, string>
  rows: readonly Row[]
  filled: Pick<ReturnType<typeof useTextForm<keyof Noted>>, 'form' | 'field' | 'submit'>
  onRows: (change: (rows: readonly Row[]) => readonly Row[]) => void
  onPayer: (id: string) => void
  onCoin: (key: string) => void
  onReview: (batch: CheckedBatch) => void
}

/** Who is paid, and how much, line by line. Every line is checked while it is typed; nothing is sent from here. */
export function SeveralForm({ payers, payer, coins, coin, contacts, rows, filled: { form, field, submit }, ...on }: SeveralFormProps) {
  const { t } = useTranslation()
  const [left, setLeft] = useState(0)
  const place = { subWalletId: payer.id, chain: coin.chain, symbol: coin.symbol }
  const { checks, failed, again } = useAddressChecks(place, addressesIn(rows, coin.chain))
  const judged = judgeRows(rows, { subWalletId: payer.id, coin, checks })
  const ready = judged.rows.filter(({ isReady }) => isReady)
  const isReady = judged.isCovered && judged.rows.length >= 2 && ready.length === judged.rows.length
  const { review, isAsking, fault } = useReview({ payer, coin, onReview: on.onReview })
  /** Puts lines in the place of one, or behind all. */
  const take = ({ lines, left: excess }: ReturnType<typeof readLines>, at?: number) => {
    const named = lines.map(({ to, amount }) => ({ to: contacts.get(to.toLocaleLowerCase()) ?? to, amount }))
    on.onRows((present) => withLines(present, named, at))
    setLeft(excess + Math.max(0, rows.filter(isFilled).length + lines.length - OUTPUTS_MAX))
  }
  const change = (key: number, next: Partial<Line>) => on.onRows((present) => present.map((row) => (row.key === key ? { ...row, ...next } : row)))
  const paste = (event: ClipboardEvent, row: Row) => {
    const isAmount = event.target instanceof HTMLInputElement && event.target.inputMode === 'decimal'
    const pasted = pastedLines(event.clipboardData.getData('text'), isAmount)
    if (!pasted) return
    event.preventDefault()
    event.stopPropagation()
    take(pasted, isFilled(row) ? undefined : row.key)
  }
  return (
    <form ref={form} className="hf-panel hf-stack" noValidate onSubmit={(event) => submit(event, () => void (isReady && review(judged.rows, judged.total)))}>
      <div className="hf-several-head">
        <PickField
          label={t('withdrawal.several.from')}
          value={payer.id}
          options={payers.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={on.onPayer}
        />
        <PickField
          label={t('withdrawal.form.coin')}
          value={coinKey(coin)}
          options={coins.map((each) => coinOption(coinKey(each), unitOf(each), each))}
          onChange={on.onCoin}
        />
      </div>
      <p className="hf-muted">{t(coin.isTogether ? 'withdrawal.several.note' : 'withdrawal.several.noteEach', { network: coin.network })}</p>
      <fieldset className="hf-several-rows">
        <legend className="hf-label">{t('withdrawal.several.recipients')}</legend>
        <p className="hf-small hf-muted">{t('withdrawal.several.lineHint')}</p>
        {rows.map((row, i) => (
          <div key={row.key} onPasteCapture={(event) => paste(event, row)}>
            <SeveralRow
              {...{ row, coin }}
              number={i + 1}
              fromId={payer.id}
              judged={judged.rows.find(({ key }) => key === row.key)}
              isFailed={failed.has(row.to.trim())}
              onChange={(next) => change(row.key, next)}
              {...(rows.length > 1 && { onRemove: () => on.onRows((present) => present.filter(({ key }) => key !== row.key)) })}
            />
          </div>
        ))}
      </fieldset>
      <div className="hf-row">
        <Button icon={<IconPlus />} disabled={rows.length >= OUTPUTS_MAX} onClick={() => on.onRows((present) => [...present, emptyAfter(present)])}>
          {t('withdrawal.several.addLine')}
        </Button>
        <CsvButton onText={(text) => take(readLines(text))} />
      </div>
      {left > 0 && <Note tone="warn">{t('withdrawal.several.left', { most: OUTPUTS_MAX, count: left })}</Note>}
      {failed.size > 0 && (
        <Note tone="warn">
          {t('withdrawal.several.unchecked', { count: failed.size })}{' '}
          <button type="button" className="hf-text-button" onClick={again}>
            {t('ui.error.retry')}
          </button>
        </Note>
      )}
      <SeveralTotals coin={coin} total={judged.total} all={judged.rows.length} ready={ready.length} />
      <TextField {...field('remark')} rows={2} count={REMARK_LIMIT} />
      <LabelFields field={field} />
      {fault && ('line' in fault ? <Note tone="bad">{t('withdrawal.several.fault', fault)}</Note> : <ErrorState error={fault.error} />)}
      <div className="hf-row">
        <Button variant="primary" type="submit" disabled={!isReady} loading={isAsking}>
          {t('withdrawal.several.review')}
        </Button>
        {!isReady && <span className="hf-small hf-muted">{t(judged.rows.length < 2 ? 'withdrawal.several.two' : 'withdrawal.several.notReady')}</span>}
      </div>
    </form>
  )
}

const isFilled = ({ to, amount }: Line): boolean => to.trim() !== '' || amount.trim() !== ''

const emptyAfter = (rows: readonly Row[]): Row => ({ key: Math.max(-1, ...rows.map(({ key }) => key)) + 1, to: '', amount: '' })

/** The lines with others in the place of one, or of all that are empty; never more than the most. */
function withLines(rows: readonly Row[], lines: readonly Line[], at: number | undefined): readonly Row[] {
  const first = emptyAfter(rows).key
  const added = lines.map((line, i) => ({ ...line, key: first + i }))
  const place = rows.findIndex(({ key }) => key === at)
  const kept = (part: readonly Row[]) => part.filter(isFilled)
  const all = place === -1 ? [...kept(rows), ...added] : [...kept(rows.slice(0, place)), ...added, ...kept(rows.slice(place + 1))]
  return all.slice(0, OUTPUTS_MAX)
}

/** Asks what the payments cost, and says which line is refused. */
function useReview({ payer, coin, onReview }: { payer: Payer; coin: SeveralCoin; onReview: (batch: CheckedBatch) => void }) {
  const ask = useCosts(payer.id, coin)
  const [isAsking, setAsking] = useState(false)
  const [fault, setFault] = useState<{ line: number; reason: string } | { error: unknown }>()
  const review = async (...asked: Parameters<typeof ask>) => {
    setAsking(true)
    setFault(undefined)
    await ask(...asked).then(onReview, (error: unknown) =>
      setFault(
        faultOf(
          error,
          asked[0].map(({ line }) => line),
        ) ?? { error },
      ),
    )
    setAsking(false)
  }
  return { review, isAsking, fault }
}

/** Reads the lines of a CSV file. */
function CsvButton({ onText }: { onText: (text: string) => void }) {
  const { t } = useTranslation()
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button icon={<IconUpload />} onClick={() => input.current?.click()}>
        {t('withdrawal.several.file')}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        accept=".csv,text/csv,text/plain"
        aria-label={t('withdrawal.several.file')}
        onChange={(event) => {
          void event.target.files?.[0]?.text().then(onText)
          event.target.value = ''
        }}
      />
    </>
  )
}
