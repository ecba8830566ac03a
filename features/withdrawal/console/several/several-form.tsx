import { listPersonalBook } from '@holdfast/features/address-book/contract'
import { LabelFields } from '@holdfast/features/transaction/console'
import { useEndpoint } from '@holdfast/client'
import { Amount, Button, DrawerBody, DrawerFooter, Facts, Note, REMARK_LIMIT, SelectField, TextField, useDrawerPage, useTextForm } from '@holdfast/ui'
import { formatAmount } from '@holdfast/units'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DestinationField } from '../destination-field.tsx'
import { coinKey, unitOf } from '../draft.ts'
import type { Noted } from './open-pay-several-drawer.tsx'
import { type ReadRecipients, readRecipients } from './read-recipients.ts'
import type { SeveralCoin } from './several-coin.ts'
import { type CheckedBatch, type LineFault, useCheckedRecipients } from './use-checked-recipients.ts'
import { Worth } from '../worth.tsx'

type SeveralFormProps = {
  subWallet: { id: string; name: string }
  coins: readonly SeveralCoin[]
  coin: SeveralCoin | undefined
  text: string
  filled: Pick<ReturnType<typeof useTextForm<keyof Noted>>, 'form' | 'field' | 'submit'>
  onText: (text: string) => void
  onCoin: (key: string) => void
  onReview: (batch: CheckedBatch, read: ReadRecipients) => void
}

const CONTACTS_MAX = 100
const LINES_NAMED = 10

/** Who is paid, and how much: written or pasted line by line, or read from a CSV file. Every line is checked before anything is shown to be sent. */
export function SeveralForm({ subWallet, coins, coin, text, filled: { form, field, submit }, onText, onCoin, onReview }: SeveralFormProps) {
  const { t } = useTranslation()
  const { close } = useDrawerPage()
  const [faults, setFaults] = useState<readonly LineFault[]>([])
  const [isChecking, setChecking] = useState(false)
  const check = useCheckedRecipients(subWallet.id, coin)
  const { data } = useEndpoint(listPersonalBook, { chain: coin?.chain ?? '', page_size: CONTACTS_MAX }, { enabled: coin !== undefined })
  const contacts = new Map((data?.list ?? []).map(({ name, address }) => [name.toLocaleLowerCase(), address]))
  const read = readRecipients(text, coin ?? { chain: '', decimals: 0 }, contacts)
  const isReady = read.recipients.length >= 2 && read.faulty.length === 0 && read.lost.length === 0
  const change = (written: string) => {
    onText(written)
    setFaults([])
  }
  const review = async () => {
    if (!isReady || isChecking) return
    setChecking(true)
    const answer = await check(read).catch(() => undefined)
    setChecking(false)
    if (answer && 'faults' in answer) setFaults(answer.faults)
    else if (answer) onReview(answer, read)
  }
  const named = (lines: readonly number[]) => ({ count: lines.length, lines: lines.slice(0, LINES_NAMED).join(', ') })
  return (
    <form ref={form} className="hf-drawer-form" noValidate onSubmit={(event) => submit(event, () => void review())}>
      <DrawerBody>
        <SelectField
          label={t('withdrawal.form.coin')}
          value={coin ? coinKey(coin) : ''}
          options={coins.map((each) => ({ value: coinKey(each), label: `${unitOf(each)} · ${each.network}` }))}
          onChange={onCoin}
        />
        {coin && <p className="hf-muted">{t(coin.isTogether ? 'withdrawal.several.note' : 'withdrawal.several.noteEach', { network: coin.network })}</p>}
        <TextField
          label={t('withdrawal.several.recipients')}
          value={text}
          rows={6}
          className="hf-mono"
          autoComplete="off"
          onChange={change}
          hint={t('withdrawal.several.lineHint')}
        />
        {coin && <AddRecipient {...{ subWallet, coin }} onAdd={(line) => change([text.trimEnd(), line].filter(Boolean).join('\n'))} />}
        <label className="hf-stack-tight">
          <span className="hf-label">{t('withdrawal.several.file')}</span>
          <input
            type="file"
            accept=".csv,text/csv,text/plain"
            className="hf-file-input"
            onChange={(event) => void event.target.files?.[0]?.text().then((content) => change(content.replaceAll('\r', '')))}
          />
        </label>
        {read.lost.length > 0 && <Note tone="bad">{t('withdrawal.several.lost', named(read.lost))}</Note>}
        {read.faulty.length > 0 && <Note tone="bad">{t('withdrawal.several.faulty', named(read.faulty))}</Note>}
        {faults.length > 0 && (
          <Note tone="bad">
            <ul className="hf-bullets">
              {faults.slice(0, LINES_NAMED).map((fault) => (
                <li key={fault.line}>{t('withdrawal.several.fault', fault)}</li>
              ))}
            </ul>
          </Note>
        )}
        {coin && <Totals coin={coin} read={read} />}
        <TextField {...field('remark')} rows={2} count={REMARK_LIMIT} />
        <LabelFields field={field} />
      </DrawerBody>
      <DrawerFooter>
        <Button onClick={() => close()}>{t('ui.confirm.cancel')}</Button>
        <Button variant="primary" type="submit" disabled={!isReady} loading={isChecking}>
          {t('withdrawal.several.review')}
        </Button>
      </DrawerFooter>
    </form>
  )
}

/** Adds a line for a contact, a sub-wallet of the organisation, or whom a payment code names; the amount is written behind it. */
function AddRecipient({ subWallet, coin, onAdd }: { subWallet: { id: string }; coin: SeveralCoin; onAdd: (line: string) => void }) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState('')
  const add = (address: string, amount?: bigint) => {
    onAdd(`${address}, ${amount === undefined ? '' : formatAmount(amount, coin.decimals)}`)
    setTyped('')
  }
  return (
    <DestinationField
      label={t('withdrawal.several.add')}
      value={typed}
      fromId={subWallet.id}
      coin={coin}
      onChange={setTyped}
      onTake={({ address }) => add(address)}
      onCode={({ to, amount }) => add(to, amount)}
    />
  )
}

function Totals({ coin, read }: { coin: SeveralCoin; read: ReadRecipients }) {
  const { t } = useTranslation()
  return (
    <Facts
      facts={[
        { label: t('withdrawal.several.count'), value: read.recipients.length },
        {
          label: t('withdrawal.several.total'),
          value: (
            <span className="hf-row-tight">
              <Amount value={read.total} unit={unitOf(coin)} /> <Worth amount={read.total} price={coin.price} />
            </span>
          ),
        },
        { label: t('withdrawal.several.available'), value: <Amount value={coin.normal_balance} unit={unitOf(coin)} /> },
      ]}
    />
  )
}
