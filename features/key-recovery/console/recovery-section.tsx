import './recovery.css'
import type { OutputOf } from '@holdfast/contract'
import { usePermissionAnswer } from '@holdfast/features/session/console'
import {
  Button,
  Command,
  downloadFile,
  ErrorState,
  Facts,
  Fingerprint,
  fromBase64,
  IconBolt,
  IconDownload,
  IconUpload,
  Label,
  LoadingState,
  Note,
  RelativeTime,
  StatusTag,
  Time,
  useNow,
  useToast,
} from '@holdfast/ui'
import { useEndpoint, useSend } from '@holdfast/client'
import { type ReactNode, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getRecoveryKit, runDemoDrill, submitDrill } from '../contract.ts'
import { drillFromFile, isDrillText } from './drill-record.ts'

type Kit = OutputOf<typeof getRecoveryKit>

/** Everything about recovering a wallet's keys: how they stand, the kit, and handing in the proof that it works. */
export function RecoverySection({ walletId }: { walletId: string }) {
  const { t } = useTranslation('privateKeyRecovery')
  const mayHandle = usePermissionAnswer('key.kit')
  const { data, error, refetch } = useEndpoint(getRecoveryKit, { wallet_id: walletId }, { enabled: mayHandle === true })
  if (mayHandle === false) return <Note>{t('notYours')}</Note>
  if (!data) return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingState rows={6} />
  if (data.state === 'none' || data.kit === null) return <Note title={t('none.title')}>{t('none.text')}</Note>
  return (
    <div className="hf-recovery">
      <div className="hf-stack-wide">
        <Standing kit={data} />
        {data.demo_drill && <DemoDrill walletId={walletId} isOpen={data.state === 'verified'} />}
      </div>
      <ol className="hf-steps hf-panel">
        <Step number={1} title={t('download.title')} text={t('download.text')}>
          <div className="hf-row-tight">
            <Button icon={<IconDownload />} onClick={() => downloadFile(data.file_name, fromBase64(data.kit ?? ''))}>
              {t('download.action')}
            </Button>
            <Button icon={<IconDownload />} onClick={() => downloadFile(`${data.file_name}.html`, new TextEncoder().encode(data.instructions ?? ''))}>
              {t('download.instructions')}
            </Button>
          </div>
          <p className="hf-small hf-muted">{t('download.print')}</p>
        </Step>
        <Step number={2} title={t('verify.title')} text={t('verify.text')}>
          <Command line="npm run recover -- pack holdfast-recover.mjs" />
          <Command line={`node holdfast-recover.mjs verify --kit ${data.file_name} --identity <file> --out drill`} />
          <p className="hf-small hf-muted">{t('verify.identities')}</p>
        </Step>
        <Step number={3} title={t('submit.title')} text={t('submit.text')}>
          <DrillForm walletId={walletId} isOpen={data.state === 'verified'} />
        </Step>
      </ol>
    </div>
  )
}

function Step({ number, title, text, children }: { number: number; title: string; text: string; children: ReactNode }) {
  return (
    <li className="hf-step">
      <span className="hf-step-number" aria-hidden>
        {number}
      </span>
      <div className="hf-step-body">
        <h2>{title}</h2>
        <p className="hf-muted">{text}</p>
        {children}
      </div>
    </li>
  )
}

function Standing({ kit }: { kit: Kit }) {
  const { t } = useTranslation('privateKeyRecovery')
  const nowMs = useNow()
  const isOverdue = kit.next_drill_at !== null && kit.next_drill_at <= nowMs
  const state = kit.state === 'verified' ? (isOverdue ? 'overdue' : 'verified') : 'written'
  return (
    <section className="hf-panel hf-stack" aria-labelledby="recovery-standing">
      <div className="hf-spread">
        <h2 id="recovery-standing">{t(`standing.${state}.title`)}</h2>
        <StatusTag tone={state === 'verified' ? 'good' : 'warn'} text={t(`standing.${state}.tag`)} />
      </div>
      <p className="hf-muted">{t(`standing.${state}.text`)}</p>
      <Facts
        facts={[
          kit.keys.length > 1 ? undefined : { label: t('fact.epoch'), hint: t('fact.epochHint'), value: kit.epoch },
          kit.verified_at === null ? undefined : { label: t('fact.verifiedAt'), value: <Time ms={kit.verified_at} /> },
          kit.next_drill_at === null
            ? undefined
            : {
                label: t('fact.nextDrill'),
                value: (
                  <>
                    <Time ms={kit.next_drill_at} />{' '}
                    <span className="hf-muted">
                      (<RelativeTime ms={kit.next_drill_at} />)
                    </span>
                  </>
                ),
              },
          kit.kit_hash === null ? undefined : { label: t('fact.hash'), value: <Fingerprint hex={kit.kit_hash} />, wide: true },
        ]}
      />
      {kit.keys.length > 1 && <KeyStandings keys={kit.keys} />}
    </section>
  )
}

/** Of a demo: the same drill as by hand, held on this machine at the press of a button. */
function DemoDrill({ walletId, isOpen }: { walletId: string; isOpen: boolean }) {
  const { t } = useTranslation('privateKeyRecovery')
  const toast = useToast()
  const send = useSend(runDemoDrill)
  const run = async () => {
    const answer = await send.mutateAsync({ wallet_id: walletId }).catch(() => undefined)
    if (answer) toast.success(t('submit.done'))
  }
  return (
    <section className="hf-panel hf-stack" aria-labelledby="demo-drill">
      <h2 id="demo-drill">{t('demo.title')}</h2>
      <p className="hf-muted">{t('demo.text')}</p>
      <div>
        <Button variant={isOpen ? 'default' : 'primary'} size="large" icon={<IconBolt />} loading={send.isPending} onClick={() => void run()}>
          {t(send.isPending ? 'demo.running' : 'demo.run')}
        </Button>
      </div>
      <Note title={t('demo.realTitle')}>{t('demo.real')}</Note>
    </section>
  )
}

/** How each of several keys stands: deposits on its networks are open once it is proven. */
function KeyStandings({ keys }: Pick<Kit, 'keys'>) {
  const { t } = useTranslation('privateKeyRecovery')
  return (
    <ul className="hf-recovery-keys" aria-label={t('keys.label', { count: keys.length })}>
      {keys.map((key) => (
        <li key={key.key_id}>
          <span className="hf-grow">
            {t(`keys.networks.${key.key_kind}`)}
            <span className="hf-recovery-key-kind">
              {t(`protocol.${key.key_kind}`)}
              {' · '}
              {t('fact.epoch')} {key.epoch}
            </span>
          </span>
          <StatusTag tone={key.retired ? 'neutral' : key.state === 'verified' ? 'good' : 'warn'} text={t(key.retired ? 'kit.retired' : `kit.${key.state}`)} />
        </li>
      ))}
    </ul>
  )
}

function DrillForm({ walletId, isOpen }: { walletId: string; isOpen: boolean }) {
  const { t } = useTranslation('privateKeyRecovery')
  const toast = useToast()
  const send = useSend(submitDrill)
  const [chosen, setChosen] = useState<{ name: string; drill: string }>()
  const picker = useRef<HTMLInputElement>(null)
  const take = async (file: File | undefined) => {
    if (file) setChosen({ name: file.name, drill: drillFromFile(new Uint8Array(await file.arrayBuffer())) })
  }
  const fault = chosen !== undefined && !isDrillText(chosen.drill) ? t('submit.shape') : undefined
  const hand = async (drill: string) => {
    const answer = await send.mutateAsync({ wallet_id: walletId, drill }).catch(() => undefined)
    if (!answer) return
    setChosen(undefined)
    toast.success(t('submit.done'))
  }
  return (
    <div className="hf-stack">
      <input
        ref={picker}
        type="file"
        className="hf-visually-hidden"
        tabIndex={-1}
        aria-label={t('submit.file')}
        onChange={(event) => void take(event.target.files?.[0])}
      />
      <p role="status" className={fault === undefined ? 'hf-small hf-muted' : 'hf-field-error'}>
        {fault ?? (chosen ? <Label text={chosen.name} /> : t('submit.none'))}
      </p>
      <div className="hf-row-tight">
        <Button icon={<IconUpload />} onClick={() => picker.current?.click()}>
          {t('submit.file')}
        </Button>
        <Button
          variant="primary"
          disabled={chosen === undefined || fault !== undefined}
          loading={send.isPending}
          onClick={() => void hand(chosen?.drill ?? '')}
        >
          {t(isOpen ? 'submit.again' : 'submit.action')}
        </Button>
      </div>
    </div>
  )
}
