import type { OutputOf } from '@holdfast/contract'
import { useApi } from '@holdfast/client'
import { Button, Command, downloadFile, ErrorState, Facts, Fingerprint, IconCheck, IconDownload, Note, RelativeTime, TextField } from '@holdfast/ui'
import type { LogReport } from '@holdfast/protocol/verify-log-file'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { listLog } from '../contract.ts'
import { stretchesOf } from './read-whole-log.ts'

type Log = OutputOf<typeof listLog>

/** What signers have witnessed of the log, the log as files, and the check of it: here, and where nobody has to be trusted. */
export function AuditProof({ log }: { log: Log }) {
  const { t } = useTranslation()
  const { entries, checkpoint } = log
  return (
    <section className="hf-panel hf-stack" aria-labelledby="audit-proof">
      <h2 id="audit-proof">{t('evidence.proof.title')}</h2>
      <Facts
        columns={2}
        facts={[
          { label: t('evidence.proof.entries'), value: <span className="hf-numbers">{entries}</span> },
          {
            label: t('evidence.proof.checkpoint'),
            value: checkpoint ? (
              <span>
                {t('evidence.proof.upTo', { size: checkpoint.size })} · <RelativeTime ms={checkpoint.at} />
              </span>
            ) : (
              t('evidence.proof.noCheckpoint')
            ),
          },
          checkpoint ? { label: t('evidence.proof.signers'), value: checkpoint.signers.join(', ') } : undefined,
          checkpoint ? { label: t('evidence.proof.root'), value: <code className="hf-break">{checkpoint.root}</code>, wide: true } : undefined,
        ]}
      />
      <Check log={log} />
      {checkpoint && <Offline log={log} size={checkpoint.size} />}
    </section>
  )
}

/** How to check the log where nobody has to be trusted. */
function Offline({ log: { entries, fingerprint }, size }: { log: Log; size: number }) {
  const { t } = useTranslation()
  return (
    <details>
      <summary>{t('evidence.proof.offline')}</summary>
      <div className="hf-stack hf-audit-offline">
        <p className="hf-muted">{t('evidence.proof.offlineNote')}</p>
        <Command line={`npm run verify-log -- holdfast-log-${entries} holdfast-checkpoint-${size} --fingerprint ${fingerprint}`} />
        <p className="hf-small hf-muted">{t('evidence.ownCopy')}</p>
        <Fingerprint hex={fingerprint} />
      </div>
    </details>
  )
}

/** Reads the whole log, to check it or to save it. Whoever leaves the page ends that. */
function Check({ log: { checkpoint } }: { log: Log }) {
  const { t } = useTranslation()
  const { client } = useApi()
  const [own, setOwn] = useState('')
  const [share, setShare] = useState(0)
  const leaving = useRef(new AbortController())
  useEffect(() => {
    const ending = new AbortController()
    leaving.current = ending
    return () => ending.abort()
  }, [])
  const stretches = () => {
    setShare(0)
    return stretchesOf({ client, signal: leaving.current.signal, onProgress: setShare })
  }
  const trusted = own.replaceAll(/\s/g, '').toLowerCase()
  const check = useMutation<LogReport, Error>({
    mutationFn: async () => (await import('./verify-log.ts')).verifyLog(stretches(), trusted === '' ? undefined : trusted),
  })
  const save = useMutation<void, Error>({ mutationFn: () => saveLog(stretches()) })
  const isReading = check.isPending || save.isPending
  const isFingerprint = trusted === '' || /^[0-9a-f]{64}$/.test(trusted)
  return (
    <>
      <div className="hf-audit-check">
        <TextField
          label={t('evidence.proof.own')}
          hint={t('evidence.proof.ownNote')}
          value={own}
          onChange={setOwn}
          maxLength={120}
          {...(isFingerprint ? {} : { error: t('evidence.proof.ownShape') })}
        />
      </div>
      <div className="hf-row">
        <Button
          variant="primary"
          icon={<IconCheck />}
          disabled={checkpoint === null || !isFingerprint || save.isPending}
          loading={check.isPending}
          onClick={() => check.mutate()}
        >
          {t('evidence.proof.check')}
        </Button>
        <Button icon={<IconDownload />} disabled={check.isPending} loading={save.isPending} onClick={() => save.mutate()}>
          {t('evidence.proof.export')}
        </Button>
        {isReading && <span className="hf-muted">{t('evidence.proof.reading', { percent: Math.floor(share * 100) })}</span>}
      </div>
      {save.error && <ErrorState error={save.error} onRetry={() => save.mutate()} />}
      <div role="status">{check.data && <Verified report={check.data} isTrusted={trusted !== ''} />}</div>
      {check.error && (
        <Note tone="bad" title={t('evidence.proof.refused')}>
          <p className="hf-break">{check.error.message}</p>
        </Note>
      )}
    </>
  )
}

function Verified({ report: { entries, checkpoints }, isTrusted }: { report: LogReport; isTrusted: boolean }) {
  const { t } = useTranslation()
  const newest = checkpoints.at(-1)
  const size = newest?.size ?? 0
  return (
    <Note tone="good" title={t('evidence.proof.holds', { count: entries })}>
      <p>{t('evidence.proof.witnessed', { size, signers: newest?.witnesses.join(', ') ?? '' })}</p>
      {entries > size && <p>{t('evidence.proof.beyond', { count: entries - size })}</p>}
      <p className="hf-small">{t(isTrusted ? 'evidence.proof.byOwn' : 'evidence.proof.byServer')}</p>
    </Note>
  )
}

/** Saves the log as one file, and its newest checkpoint beside it, as `verify-log` reads them. */
async function saveLog(stretches: ReturnType<typeof stretchesOf>): Promise<void> {
  const parts: Uint8Array<ArrayBuffer>[] = []
  let last: { file_name: string; checkpoints: { size: number; note: string }[] } | undefined
  for await (const stretch of stretches) {
    parts.push(stretch.bytes)
    last = stretch
  }
  if (!last) return
  downloadFile(last.file_name, ...parts)
  const [newest] = last.checkpoints
  if (newest) downloadFile(`holdfast-checkpoint-${newest.size}`, new TextEncoder().encode(newest.note))
}
