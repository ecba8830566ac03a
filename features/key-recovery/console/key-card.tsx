import type { OutputOf } from '@holdfast/contract'
import { usePermission } from '@holdfast/features/session/console'
import { Button, type Fact, Facts, Fingerprint, Label, Note, RelativeTime, StatusTag, Time, type Tone, useDrawers, useNow, useToast } from '@holdfast/ui'
import { useSend } from '@holdfast/client'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { checkKeyShares, listKeys } from '../contract.ts'
import { KeyChangePanel } from './key-change-panel.tsx'
import { openExportDrawer, openProposeDrawer, openRecoveryDrawer, openRetireDrawer } from './open-key-drawers.tsx'
import { SignerList } from './signer-list.tsx'

export type KeyView = OutputOf<typeof listKeys>['list'][number]

type Kit = 'none' | 'written' | 'verified' | 'soon' | 'due' | 'retired'
const KIT_TONES: Record<Kit, Tone> = { none: 'warn', written: 'warn', verified: 'good', soon: 'warn', due: 'bad', retired: 'neutral' }

/** A key of a wallet as it stands, and what can be done with it. */
export function KeyCard({ of }: { of: KeyView }) {
  const { t } = useTranslation('privateKeyRecovery')
  const drawers = useDrawers()
  const toast = useToast()
  const mayChange = usePermission('key.recover')
  const check = useSend(checkKeyShares)
  const kit: Kit = of.retired ? 'retired' : of.drill_due ? 'due' : of.drill_due_soon ? 'soon' : of.kit_state
  const id = `key-${of.key_id}`
  const beginner = of.signers.find(({ online, active }) => online && active === null)
  const busy = of.change?.state === 'approving' || of.change?.state === 'approved' ? of.change.state : undefined
  const isBusy = busy !== undefined
  const checkNow = () =>
    check.mutate(
      { wallet_id: of.wallet_id, key_kind: of.key_kind },
      { onSuccess: ({ fault }) => (fault === null ? toast.success(t('check.done')) : toast.error(t('check.notDone'))) },
    )
  return (
    <section className="hf-panel hf-key" aria-labelledby={id}>
      <div className="hf-spread">
        <h2 id={id}>
          <Label text={of.wallet_name} wrap />
          {!of.is_only && <span className="hf-muted"> · {t(`protocol.${of.key_kind}`)}</span>}
        </h2>
        <StatusTag tone={KIT_TONES[kit]} text={t(`kit.${kit}`)} />
      </div>
      <div className="hf-key-parts">
        <KeyFacts of={of} />
        <SignerList signers={of.signers} epoch={of.epoch} />
      </div>
      {of.check_fault !== null && (
        <Note tone="bad" title={t('check.failed')}>
          <p>{t(of.check_party === null ? 'check.adviceAll' : 'check.advice', { party: of.check_party ?? 0 })}</p>
          <span className="hf-break hf-small">{of.check_fault}</span>
        </Note>
      )}
      {of.retired && <Note>{t('retired')}</Note>}
      {of.retirement_open && !busy && <Note tone="warn">{t('retirementOpen')}</Note>}
      {!of.retired && !busy && beginner && <Note tone="warn">{t('repair.needed', { party: beginner.party })}</Note>}
      {!of.retired && of.change?.state !== 'active' && !of.deposits_open && <Note tone="warn">{t(`closed.${of.drill_due ? 'due' : 'unproven'}`)}</Note>}
      {of.change && <KeyChangePanel change={of.change} signers={of.signers} />}
      {mayChange && busy && <p className="hf-small hf-muted">{t(`busy.${busy}`)}</p>}
      <div className="hf-row-tight">
        <Button
          variant={kit === 'verified' ? 'default' : 'primary'}
          onClick={() => openRecoveryDrawer(drawers, of.wallet_id, t('verify.of', { key: keyName(of, t) }))}
        >
          {t('verifyRecovery')}
        </Button>
        <Button loading={check.isPending} onClick={checkNow}>
          {t('check.do')}
        </Button>
        {mayChange &&
          !of.retired &&
          (['refresh', 'repair'] as const).map((action) => (
            <Button key={action} disabled={isBusy} onClick={() => openProposeDrawer(drawers, of, action, t(`asks.${action}.of`, { key: keyName(of, t) }))}>
              {t(`asks.${action}.title`)}
            </Button>
          ))}
      </div>
      {mayChange && <GraveActions of={of} isBusy={isBusy} />}
    </section>
  )
}

/** What gives the key away, or ends it: apart from what is done every day. */
function GraveActions({ of, isBusy }: { of: KeyView; isBusy: boolean }) {
  const { t } = useTranslation('privateKeyRecovery')
  const drawers = useDrawers()
  const id = `key-grave-${of.wallet_id}`
  return (
    <div className="hf-key-grave" role="group" aria-labelledby={id}>
      <p id={id} className="hf-small hf-muted">
        {t('grave')}
      </p>
      <div className="hf-row-tight">
        <Button size="small" variant="danger" disabled={isBusy} onClick={() => openExportDrawer(drawers, of, t('export.of', { key: keyName(of, t) }))}>
          {t('export.title')}
        </Button>
        {(!of.retired || of.retirement_open) && (
          <Button size="small" variant="danger" disabled={isBusy} onClick={() => openRetireDrawer(drawers, of, t('retire.of', { key: keyName(of, t) }))}>
            {t('retire.title')}
          </Button>
        )}
      </div>
    </div>
  )
}

/** What a key is called where it is spoken of outside its own card: by its wallet, and by its kind where the wallet has several. */
const keyName = ({ wallet_name: wallet, key_kind: kind, is_only: isOnly }: KeyView, t: TFunction<'privateKeyRecovery'>): string =>
  isOnly ? t('keyOf', { wallet }) : t('keyOfKind', { wallet, kind: t(`protocol.${kind}`) })

function KeyFacts({ of }: { of: KeyView }) {
  const { t } = useTranslation('privateKeyRecovery')
  const nowMs = useNow()
  const facts: (Fact | undefined)[] = [
    { label: t('fact.protocol'), value: `${t(`protocol.${of.key_kind}`)} (${of.protocol})` },
    { label: t('fact.epoch'), hint: t('fact.epochHint'), value: String(of.epoch) },
    { label: t('fact.verifiedAt'), value: of.verified_at === null ? t('never') : <Time ms={of.verified_at} /> },
    of.next_drill_at === null
      ? undefined
      : { label: t(of.next_drill_at <= nowMs ? 'fact.drillDue' : 'fact.nextDrill'), value: <Moment ms={of.next_drill_at} /> },
    { label: t('fact.checkedAt'), value: of.checked_at === null ? t('notYet') : <CheckedAt ms={of.checked_at} by={of.check_asked_by} /> },
    of.next_check_at === null ? undefined : { label: t('fact.nextCheck'), value: <Moment ms={of.next_check_at} /> },
    of.refresh_due_at === null ? undefined : { label: t('fact.refreshDue'), value: <Moment ms={of.refresh_due_at} /> },
    { label: t('fact.deposits'), value: t(of.deposits_open ? 'deposits.open' : 'deposits.closed') },
    { label: t('fact.key'), value: <Fingerprint hex={of.key_id} />, wide: true },
  ]
  return <Facts facts={facts} />
}

function CheckedAt({ ms, by }: { ms: number; by: string | null }) {
  const { t } = useTranslation('privateKeyRecovery')
  return (
    <>
      <Moment ms={ms} />
      <span className="hf-muted"> · {by === null ? t('check.bySchedule') : <Label text={by} />}</span>
    </>
  )
}

function Moment({ ms }: { ms: number }) {
  return (
    <>
      <Time ms={ms} />{' '}
      <span className="hf-muted">
        (<RelativeTime ms={ms} />)
      </span>
    </>
  )
}
