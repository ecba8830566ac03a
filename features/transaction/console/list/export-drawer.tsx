import { CallError } from '@holdfast/contract'
import { FiatField, useFiat } from '@holdfast/features/price/console'
import { browserPorts } from '@holdfast/ports/browser'
import { Button, DrawerBody, DrawerFooter, ErrorState, Field, IconDone, IconDownload, Note, Picker, saveTable, SelectField, useDrawerPage } from '@holdfast/ui'
import { useApi, useEndpoint } from '@holdfast/client'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { exportStatus, exportTransactions } from '../../contract.ts'
import type { ListInput } from './filters.ts'

type State = { step: 'ready' } | { step: 'running'; done: number } | { step: 'done'; rows: number } | { step: 'failed'; error: unknown }

/** Two kinds of file, and the CSV of two other programs. */
const FORMATS = ['csv', 'xlsx', 'koinly', 'xero'] as const
type Format = (typeof FORMATS)[number]

const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC'

/** Writes the list as it is filtered into one file, however long it is: part by part, with its progress shown. */
export function ExportDrawer({ input, total: listed }: { input: ListInput; total: number }) {
  const { t } = useTranslation()
  const { close } = useDrawerPage()
  const { client } = useApi()
  const [zone, setZone] = useState(ownZone)
  const [fiat, setFiat] = useState(useFiat().fiat)
  const [format, setFormat] = useState<Format>('csv')
  const [state, setState] = useState<State>({ step: 'ready' })
  // The list may have been read a while ago.
  const total = useEndpoint(exportStatus, input).data?.rows ?? listed
  const stopping = useRef<AbortController>(undefined)
  useEffect(() => () => stopping.current?.abort(), [])

  const run = async () => {
    const abort = new AbortController()
    stopping.current = abort
    const asked = { ...input, tz: zone, fiat, layout: format === 'koinly' || format === 'xero' ? format : ('all' as const) }
    const parts: string[] = []
    let rows = 0
    let next: string | null | undefined
    setState({ step: 'running', done: 0 })
    try {
      while (next !== null) {
        const part = await client.call(
          exportTransactions,
          { ...asked, ...(next === undefined ? {} : { max_id: next }) },
          { signal: abort.signal, shows: () => true },
        )
        parts.push(part.csv)
        rows += part.rows
        next = part.next_id
        setState({ step: 'running', done: rows })
      }
      const name = `holdfast-transactions-${new Date(browserPorts.clock.nowMs()).toISOString().slice(0, 10)}`
      await saveTable(name, parts, format === 'xlsx' ? 'xlsx' : 'csv')
      setState({ step: 'done', rows })
    } catch (error) {
      if (!abort.signal.aborted) setState({ step: 'failed', error })
    }
  }

  return (
    <>
      <DrawerBody>
        <p>{t('transaction.export.text', { count: total })}</p>
        <Field id="export-zone" label={t('transaction.export.zone')} hint={t('transaction.export.zoneHint')}>
          <Picker
            id="export-zone"
            label={t('transaction.export.zone')}
            value={zone}
            options={[...new Set(['UTC', ownZone(), ...Intl.supportedValuesOf('timeZone')])].map((value) => ({ value, label: value.replaceAll('_', ' ') }))}
            onChange={setZone}
          />
        </Field>
        <FiatField value={fiat} onChange={setFiat} />
        <SelectField
          label={t('transaction.export.format')}
          value={format}
          options={FORMATS.map((value) => ({ value, label: t(`transaction.export.formats.${value}`) }))}
          onChange={(value) => setFormat(FORMATS.find((each) => each === value) ?? 'csv')}
        />
        <Note>{t(`transaction.export.safe.${format}`)}</Note>
        {state.step === 'running' && <Progress done={state.done} total={total} />}
        {state.step === 'done' && (
          <div className="hf-row-tight" role="status">
            <IconDone className="hf-export-done" /> {t('transaction.export.done', { count: state.rows })}
          </div>
        )}
        {state.step === 'failed' && <ErrorState error={state.error} {...(state.error instanceof CallError ? {} : { onRetry: () => void run() })} />}
      </DrawerBody>
      <DrawerFooter>
        <Button onClick={() => close()}>{t(state.step === 'running' ? 'transaction.export.stop' : 'ui.drawer.close')}</Button>
        <Button variant="primary" icon={<IconDownload />} loading={state.step === 'running'} onClick={() => void run()}>
          {t('transaction.export.start')}
        </Button>
      </DrawerFooter>
    </>
  )
}

function Progress({ done, total }: { done: number; total: number }) {
  const { t } = useTranslation()
  return (
    <div className="hf-stack-tight" role="status">
      <progress className="hf-export-progress" max={Math.max(total, 1)} value={done} aria-label={t('transaction.export.progress', { done, total })} />
      <span className="hf-small hf-muted hf-numbers">{t('transaction.export.progress', { done, total })}</span>
    </div>
  )
}
