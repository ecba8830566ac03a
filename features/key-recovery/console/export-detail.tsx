import { ApprovalLink } from '@holdfast/features/approval-page/console'
import './keys.css'
import { useSignerReason } from '@holdfast/features/evidence/console'
import {
  Button,
  ButtonLink,
  Command,
  DrawerBody,
  downloadFile,
  ErrorState,
  Facts,
  Fingerprint,
  fromBase64,
  IconDownload,
  IconExternal,
  Label,
  LoadingState,
  Note,
  Time,
  Timeline,
} from '@holdfast/ui'
import { useEndpoint, useSend } from '@holdfast/client'
import type { OutputOf } from '@holdfast/contract'
import { useTranslation } from 'react-i18next'
import { acceptExport, getExport, getRecoveryTool } from '../contract.ts'
import { HolderList } from './holder-list.tsx'

type Export = OutputOf<typeof getExport>

/** One export of a key: how far it is, whose recipients it names, and for these what came of it. */
export function ExportDetail({ itemId }: { itemId: string }) {
  const { t } = useTranslation('privateKeyRecovery')
  const reasonOf = useSignerReason()
  const { data, error, refetch } = useEndpoint(getExport, { item_id: itemId })
  if (!data) return <DrawerBody>{error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingState rows={6} />}</DrawerBody>
  return (
    <DrawerBody>
      <Note tone={data.state === 3 ? 'good' : 'info'} title={t(`change.state.${data.order_state}`)}>
        {t(`export.state.${data.state}`)}
      </Note>
      <Facts
        facts={[
          { label: t('export.wallet'), value: <Label text={data.wallet_name} /> },
          { label: t('change.askedBy'), value: <Label text={data.applicant.name} /> },
          { label: t('export.usableFrom'), value: <Time ms={data.usable_from} /> },
          { label: t('export.usableUntil'), value: <Time ms={data.usable_until} /> },
          { label: t('export.reason'), value: data.reason === '' ? '--' : <Label text={data.reason} wrap />, wide: true },
        ]}
      />
      <HolderList holders={data.holders} />
      {data.must_accept && <Accept of={data} />}
      {data.file && <File file={data.file} />}
      <div className="hf-row-tight">
        <ApprovalLink href={data.approval_url}>{t('change.look')}</ApprovalLink>
      </div>
      <Timeline
        label={t('export.audit')}
        items={data.audit.map((each, at) => ({
          key: String(at),
          tone: 'neutral',
          title: t(`change.state.${each.state}`),
          actor: each.actor,
          atMs: each.at,
          ...(each.reason === null ? {} : { note: reasonOf(each.reason) }),
        }))}
      />
    </DrawerBody>
  )
}

function Accept({ of }: { of: Export }) {
  const { t } = useTranslation('privateKeyRecovery')
  const accept = useSend(acceptExport)
  const say = (result: 1 | 2) => accept.mutate({ item_id: of.item_id, result })
  return (
    <Note tone="warn" title={t('export.accept.title')}>
      <p>{t('export.accept.text')}</p>
      <div className="hf-row-tight">
        <Button variant="primary" loading={accept.isPending} onClick={() => say(1)}>
          {t('export.accept.yes')}
        </Button>
        <Button variant="danger" loading={accept.isPending} onClick={() => say(2)}>
          {t('export.accept.no')}
        </Button>
      </div>
    </Note>
  )
}

function File({ file }: { file: NonNullable<Export['file']> }) {
  const { t } = useTranslation('privateKeyRecovery')
  const { data: tool } = useEndpoint(getRecoveryTool, {})
  return (
    <section className="hf-panel hf-stack" aria-labelledby="export-file">
      <h3 id="export-file">{t('export.file.title')}</h3>
      <p className="hf-muted">{t('export.file.text')}</p>
      <Facts facts={[{ label: t('export.file.digest'), value: <Fingerprint hex={file.sha256} />, wide: true }]} />
      <div className="hf-row-tight">
        <Button variant="primary" icon={<IconDownload />} onClick={() => downloadFile(file.name, fromBase64(file.kit))}>
          {t('export.file.download')}
        </Button>
        {tool?.url != null && (
          <ButtonLink href={tool.url} iconEnd={<IconExternal />}>
            {t('export.file.tool')}
          </ButtonLink>
        )}
      </div>
      {tool?.sha256 != null && <Facts facts={[{ label: t('export.file.toolDigest'), value: <Fingerprint hex={tool.sha256} />, wide: true }]} />}
      {tool && <Command line={tool.command} />}
      <Command line={`node holdfast-recover.mjs verify --kit ${file.name} --identity <file> --identity <file>`} />
    </section>
  )
}
