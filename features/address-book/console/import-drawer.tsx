import type { OutputOf } from '@holdfast/contract'
import { ApprovalLink } from '@holdfast/features/approval-page/console'
import { useSecondFactor } from '@holdfast/features/session/console'
import { Button, Checkbox, DrawerBody, DrawerFooter, downloadFile, FileChooser, IconDownload, Label, Note, useDrawerPage } from '@holdfast/ui'
import { requestIdKeeper, useApi, useEndpoint, useSend } from '@holdfast/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CoolingNote } from './book/cooling-note.tsx'
import { getImportTemplate, getWhitelistConfig, importBook } from '../book-contract.ts'
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
  const second = useSecondFactor()
  const [isAsked, setAsked] = useState(true)
  const { data: config } = useEndpoint(getWhitelistConfig, {}, { enabled: isOfBook })
  // One change of the whitelist is decided at a time: while one is, entries come in as names.
  const isListing = isOfBook && isAsked && config?.open === null
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
    if (!isOfBook) return setOutcome(await send.mutateAsync({ rows: lines }).catch(() => undefined))
    const asked = { rows: lines, whitelist: isListing ? ('1' as const) : ('0' as const) }
    setOutcome(await sendBook.mutateAsync({ request_id: idOf(asked), ...asked, ...(isListing && second.given) }).catch(() => undefined))
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
        {config && !outcome && <WhitelistChoice open={config.open} isAsked={isAsked} onChange={setAsked} />}
        {lines && outcome && <Report lines={lines} outcome={outcome} />}
        {sendBook.data?.approval_url && <ToDecide title={t('book.asked.title')} text={t('book.asked.text')} href={sendBook.data.approval_url} />}
        {isListing && !outcome && second.field}
      </DrawerBody>
      <DrawerFooter>
        <Button onClick={() => close()}>{common('ui.drawer.close')}</Button>
        {!outcome && (
          <Button
            variant="primary"
            disabled={!lines || (isListing && !second.isReady)}
            loading={send.isPending || sendBook.isPending}
            onClick={() => void submit()}
          >
            {t('personal.import.submit')}
          </Button>
        )}
      </DrawerFooter>
    </>
  )
}

type WhitelistChoiceProps = { open: OutputOf<typeof getWhitelistConfig>['open']; isAsked: boolean; onChange: (isAsked: boolean) => void }

/** Whether people are asked at once to put what comes in on the whitelist, unless they decide about another change of it now. */
function WhitelistChoice({ open, isAsked, onChange }: WhitelistChoiceProps) {
  const { t } = useTranslation('whiteAddress')
  if (open) return <ToDecide title={open.title} text={`${t('book.waits')} ${t('personal.import.asNames')}`} href={open.approval_url} />
  return (
    <>
      <Checkbox checked={isAsked} onChange={onChange}>
        {t('book.ask')}
      </Checkbox>
      {isAsked && <CoolingNote />}
    </>
  )
}

function ToDecide({ title, text, href }: { title: string; text: string; href: string }) {
  const { t } = useTranslation('whiteAddress')
  return (
    <Note title={title}>
      <div className="hf-stack-tight">
        <span>{text}</span>
        <ApprovalLink size="small" href={href}>
          {t('book.asked.open')}
        </ApprovalLink>
      </div>
    </Note>
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
