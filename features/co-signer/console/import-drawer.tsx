import { useApi, useSend } from '@holdfast/client'
import { Button, DrawerBody, DrawerFooter, downloadFile, Note, useDrawerPage } from '@holdfast/ui'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { confirmCollectingImport, downloadCollectingTemplate, importCollecting } from '../contract.ts'

/** Takes rules in from a file: what is wrong with each line is said first, and nothing is set before it is confirmed. */
export function ImportDrawer({ walletId }: { walletId: string }) {
  const { t } = useTranslation('coSigner')
  const { t: common } = useTranslation()
  const { client } = useApi()
  const { close } = useDrawerPage()
  const check = useSend(importCollecting)
  const take = useSend(confirmCollectingImport)
  const [isEmpty, setEmpty] = useState(false)
  const template = async () => {
    const { file_name: name, content } = await client.call(downloadCollectingTemplate, {})
    downloadFile(name, new TextEncoder().encode(content))
  }
  const read = async (file: File | undefined) => {
    check.reset()
    const text = (await file?.text()) ?? ''
    setEmpty(file !== undefined && text === '')
    if (text !== '') check.mutate({ wallet_id: walletId, file: text })
  }
  const found = check.data
  const isGood = found !== undefined && found.errors.length === 0
  return (
    <>
      <DrawerBody>
        <p className="hf-muted">{t('collect.import.text')}</p>
        <div className="hf-row">
          <Button size="small" onClick={() => void template()}>
            {t('collect.import.template')}
          </Button>
        </div>
        <label className="hf-stack-tight">
          <span className="hf-label">{t('collect.import.file')}</span>
          <input type="file" accept=".csv,text/csv" className="hf-file-input" onChange={(event) => void read(event.target.files?.[0])} />
        </label>
        {isEmpty && <Note tone="bad">{t('collect.import.empty')}</Note>}
        {isGood && <Note tone="good">{t('collect.import.good', { count: found.rows })}</Note>}
        {found && !isGood && (
          <Note tone="bad" title={t('collect.import.wrong', { count: found.errors.length })}>
            <ul>
              {found.errors.map(({ line, field, msg }) => (
                <li key={`${line} ${field}`}>{t('collect.import.line', { line, field: field === '' ? '--' : field, msg })}</li>
              ))}
            </ul>
          </Note>
        )}
      </DrawerBody>
      <DrawerFooter>
        <Button onClick={() => close()}>{common('ui.confirm.cancel')}</Button>
        <Button
          variant="primary"
          disabled={!isGood}
          loading={check.isPending || take.isPending}
          onClick={() => found && take.mutate({ import_id: found.import_id }, { onSuccess: () => close() })}
        >
          {t('collect.import.take')}
        </Button>
      </DrawerFooter>
    </>
  )
}
