import type { OutputOf } from '@holdfast/contract'
import { Button, DrawerBody, DrawerFooter, downloadFile, FileChooser, IconDownload, Label, Note, useDrawerPage } from '@holdfast/ui'
import { requestIdKeeper, useApi, useSend } from '@holdfast/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getImportTemplate, importBook } from '../book-contract.ts'
import { importPersonal } from '../contract.ts'
import { BOOK_COLUMNS, type ImportLine, readBookFile } from './import-lines.ts'

type Outcome = Pick<OutputOf<typeof importPersonal>, 'added' | 'results'>

/** Takes entries in from a CSV file, into one's own book or the organisation's, and says of each line that was not taken what is wrong with it. */
export function ImportDrawer({ isOfBook = false }: { isOfBook?: boolean }) {
  const { t, i18n } = useTranslation('whiteAddress')
  const { t: common } = useTranslation()
  const { close } = useDrawerPage()
  const { client } = useApi()
  const [lines, setLines] = useState<ImportLine[]>()
  const [fault, setFault] = useState('')
  const [outcome, setOutcome] = useState<Outcome>()
  const send = useSend(importPersonal)
  const sendBook = useSend(importBook)
  const [idOf] = useState(() => requestIdKeeper())
  const read = async (file: File | undefined) => {
    setOutcome(undefined)
    setLines(undefined)
    setFault('')
    if (!file) return
    const wordsOf = (column: (typeof BOOK_COLUMNS)[number]) => [
      t(`personal.column.${column}`),
      column,
      ...i18n.languages.map((lng) => t(`personal.column.${column}`, { lng })),
    ]
    const words = Object.fromEntries(BOOK_COLUMNS.map((column) => [column, wordsOf(column)])) as Record<(typeof BOOK_COLUMNS)[number], string[]>
    const found = readBookFile(await file.text(), words)
    if ('lines' in found) setLines(found.lines)
    else setFault(t(`personal.import.${found.fault}`, { detail: found.detail }))
  }
  const fetchTemplate = async () => {
    const { name, csv } = await client.call(getImportTemplate, {})
    downloadFile(name, new TextEncoder().encode(csv))
  }
  const submit = async () => {
    if (!lines) return
    const sent = isOfBook ? sendBook.mutateAsync({ request_id: idOf(lines), rows: lines }) : send.mutateAsync({ rows: lines })
    setOutcome(await sent.catch(() => undefined))
  }
  return (
    <>
      <DrawerBody>
        <p className="hf-muted">{t('personal.import.note', { columns: BOOK_COLUMNS.map((column) => t(`personal.column.${column}`)).join(', ') })}</p>
        {isOfBook && (
          <div>
            <Button size="small" icon={<IconDownload />} onClick={() => void fetchTemplate().catch(() => setFault(t('personal.import.noTemplate')))}>
              {t('personal.import.template')}
            </Button>
          </div>
        )}
        <label className="hf-stack-tight">
          <span className="hf-label">{t('personal.import.file')}</span>
          <FileChooser accept=".csv,text/csv" onFile={(file) => void read(file)} />
        </label>
        {fault !== '' && <Note tone="bad">{fault}</Note>}
        {lines && !outcome && <Note>{t('personal.import.found', { count: lines.length })}</Note>}
        {lines && outcome && <Report lines={lines} outcome={outcome} />}
      </DrawerBody>
      <DrawerFooter>
        <Button onClick={() => close()}>{common('ui.drawer.close')}</Button>
        {!outcome && (
          <Button variant="primary" disabled={!lines} loading={send.isPending || sendBook.isPending} onClick={() => void submit()}>
            {t('personal.import.submit')}
          </Button>
        )}
      </DrawerFooter>
    </>
  )
}

function Report({ lines, outcome }: { lines: readonly ImportLine[]; outcome: Outcome }) {
  const { t } = useTranslation('whiteAddress')
  const left = outcome.results.flatMap((result, at) => (result === 'added' ? [] : [{ result, at, line: lines[at] }]))
  return (
    <div className="hf-stack" aria-live="polite">
      <Note tone={outcome.added > 0 ? 'good' : 'warn'}>{t('personal.import.added', { count: outcome.added })}</Note>
      {left.length > 0 && (
        <ul className="hf-book-report" aria-label={t('personal.import.left')}>
          {left.map(({ result, at, line }) => (
            <li key={at}>
              <span className="hf-faint hf-numbers">{at + 2}</span>
              <span className="hf-grow">
                <Label text={line?.name || line?.address || '--'} />
              </span>
              <span className="hf-small hf-muted">{t(`personal.result.${result}`)}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
