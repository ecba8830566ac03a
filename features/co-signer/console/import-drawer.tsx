import { useApi, useSend, useUpload } from '@holdfast/client'
import { Button, DrawerBody, DrawerFooter, downloadFile, FileField, Note, useDrawerPage } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import { COLLECTING_FILE_BYTES_MAX, confirmCollectingImport, downloadCollectingTemplate, importCollecting } from '../contract.ts'

/** Takes rules in from a file: what is wrong with each line is said first, and nothing is set before it is confirmed. */
export function ImportDrawer({ walletId }: { walletId: string }) {
  const { t } = useTranslation('coSigner')
  const { t: common } = useTranslation()
  const { client } = useApi()
  const { close } = useDrawerPage()
  const check = useUpload(importCollecting)
  const take = useSend(confirmCollectingImport)
  const template = async () => {
    const { file_name: name, content } = await client.call(downloadCollectingTemplate, {})
    downloadFile(name, new TextEncoder().encode(content))
  }
  const read = (file: File | undefined) => {
    check.reset()
    if (file) check.send({ wallet_id: walletId, file })
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
        <FileField label={t('collect.import.file')} accept=".csv,.xlsx" bytesMax={COLLECTING_FILE_BYTES_MAX} onFile={read} sent={check.sent} />
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
