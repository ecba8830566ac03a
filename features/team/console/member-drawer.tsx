import './team.css'
import type { OutputOf } from '@holdfast/contract'
import { usePermission, useSession } from '@holdfast/features/session/console'
import {
  Avatar,
  Button,
  DrawerBody,
  DrawerFooter,
  ErrorState,
  type Fact,
  Facts,
  Label,
  LoadingState,
  Note,
  RelativeTime,
  StatusTag,
  Time,
  Timeline,
  useDrawers,
} from '@holdfast/ui'
import { useEndpoint, useSend } from '@holdfast/client'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { endOutOfOffice, getMember } from '../contract.ts'
import type { Action } from './action-drawer.tsx'
import { KeyList } from './key-list.tsx'
import { Approves, AwayUntil, MemberState } from './member-parts.tsx'
import { Rights } from './member-rights.tsx'
import { toldRights } from './rights-by-area.ts'
import { openActionDrawer } from './open-action-drawer.tsx'
import { openAwayDrawer } from './open-away-drawer.tsx'
import { openOwnKeyDrawer } from './open-own-key-drawer.tsx'

type Detail = OutputOf<typeof getMember>

/** One member: what they may do, their keys and sessions, what became of them, and what stands against letting them go. */
export function MemberDrawer({ userId }: { userId: string }) {
  const { t } = useTranslation('teamMember')
  const { data, error, refetch } = useEndpoint(getMember, { user_id: userId })
  if (!data) return <DrawerBody>{error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingState rows={8} />}</DrawerBody>
  return (
    <>
      <DrawerBody>
        <Head member={data} />
        <Against member={data} />
        <About member={data} />
        <Part title={t('column.key')}>
          <KeyList member={data} />
        </Part>
        <Sessions member={data} />
        <Approvals member={data} />
        <Story member={data} />
      </DrawerBody>
      <Actions member={data} />
    </>
  )
}

function Head({ member }: { member: Detail }) {
  return (
    <div className="hf-row">
      <Avatar name={member.nick_name} size={44} />
      <div className="hf-grow">
        <p className="hf-member-name">
          <Label text={member.nick_name} />
        </p>
        <p className="hf-small hf-muted">
          <Label text={member.account_masked} />
        </p>
      </div>
      <MemberState {...member} />
    </div>
  )
}

/** What must happen first, before somebody can be let go; shown to those who could. */
function Against({ member }: { member: Detail }) {
  const { t } = useTranslation('teamMember')
  const mayWrite = usePermission('member.write')
  const reasons = [...new Set([...member.against.suspend, ...member.against.remove])]
  if (!mayWrite || reasons.length === 0) return null
  return (
    <Note tone="info" title={t('detail.against')}>
      <ul className="hf-bullets">
        {reasons.map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
    </Note>
  )
}

function About({ member }: { member: Detail }) {
  const { t } = useTranslation('teamMember')
  const facts: (Fact | undefined)[] = [
    { label: t('column.role'), value: t(`role.${member.workspace_role}`, { defaultValue: member.workspace_role }) },
    { label: t('column.joined'), value: <Time ms={member.joined_at} /> },
    { label: t('column.approves'), value: <Approves member={member} /> },
    { label: t('column.seen'), value: member.last_seen_at === null ? '--' : <RelativeTime ms={member.last_seen_at} /> },
    {
      label: t('column.ways'),
      value:
        member.sign_in_ways.length === 0 ? (
          '--'
        ) : (
          <ul className="hf-stack-tight">
            {member.sign_in_ways.map((way, at) => (
              <li key={at}>
                {t(`way.${way.kind}`, { defaultValue: way.kind })} · <Label text={way.label} />
              </li>
            ))}
          </ul>
        ),
    },
    member.out_of_office === null
      ? undefined
      : {
          label: t('away.title'),
          value: (
            <>
              <AwayUntil away={member.out_of_office} />
              {member.out_of_office.note !== '' && (
                <p className="hf-small hf-muted">
                  <Label text={member.out_of_office.note} wrap />
                </p>
              )}
            </>
          ),
          wide: true,
        },
    { label: t('detail.may'), value: <span className="hf-small">{t('detail.permissions', { count: toldRights(member.permissions).length })}</span> },
  ]
  return (
    <>
      <Facts columns={2} facts={facts} />
      {member.strategies_detail.some((each) => each.only) && (
        <Note tone="warn" title={t('detail.only')}>
          {member.strategies_detail
            .filter((each) => each.only)
            .map(({ id, name, node }) => {
              const [need, of] = node.split('/')
              return t('detail.onlyIn', { name: id === 'governance' ? name : t('approves.rule', { rule: name }), need, of })
            })
            .join(t('comma'))}
        </Note>
      )}
      <details>
        <summary>{t('detail.showPermissions')}</summary>
        <Rights permissions={member.permissions} />
      </details>
    </>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="hf-stack-tight hf-member-part">
      <h3>{title}</h3>
      {children}
    </section>
  )
}

function Sessions({ member }: { member: Detail }) {
  const { t } = useTranslation('teamMember')
  if (member.devices === null) return null
  return (
    <Part title={t('detail.sessions')}>
      {member.devices.length === 0 && <p className="hf-muted">{t('detail.noSessions')}</p>}
      <ul className="hf-stack-tight">
        {member.devices.map((each, at) => (
          <li key={at} className="hf-spread">
            <span>
              {each.model === '' ? t('detail.unknownDevice') : each.model} <span className="hf-faint hf-numbers">{each.ip}</span>
            </span>
            <span className="hf-small hf-muted">
              <RelativeTime ms={each.last_at} />
            </span>
          </li>
        ))}
      </ul>
    </Part>
  )
}

function Approvals({ member }: { member: Detail }) {
  const { t } = useTranslation('teamMember')
  return (
    <Part title={t('detail.approvals')}>
      {member.approvals.length === 0 && <p className="hf-muted">{t('detail.noApprovals')}</p>}
      <ul className="hf-stack-tight">
        {member.approvals.map((each) => (
          <li key={`${each.kind}-${each.id}`} className="hf-spread">
            <span className="hf-grow hf-break">{each.title}</span>
            <span className="hf-row-tight">
              <StatusTag tone={each.decision === 'approve' ? 'good' : 'bad'} text={t(`decision.${each.decision}`)} />
              <span className="hf-small hf-muted">
                <RelativeTime ms={each.at} />
              </span>
            </span>
          </li>
        ))}
      </ul>
    </Part>
  )
}

function Story({ member }: { member: Detail }) {
  const { t } = useTranslation('teamMember')
  const titleOf = ({ kind, from, to }: Detail['events'][number]) => {
    if (kind === 'role_changed') return t('event.role', { from: role(from), to: role(to) })
    if (kind === 'delegated' || kind === 'delegation_ended') return t(`event.${kind}`, { name: to ?? '' })
    if (kind === 'decided_for') return t(from === 'reject' ? 'event.rejectedFor' : 'event.approvedFor')
    return t(`event.${kind}`)
  }
  const role = (name: string | null) => (name === null ? '' : t(`role.${name}`, { defaultValue: name }))
  return (
    <Part title={t('detail.story')}>
      <Timeline
        label={t('detail.story')}
        items={[
          ...member.events.map((each, at) => ({
            key: String(at),
            tone: 'neutral' as const,
            title: titleOf(each),
            actor: each.actor,
            atMs: each.at,
            ...(each.note === '' ? {} : { note: each.note }),
          })),
          ...(member.events.some((each) => each.kind === 'invited')
            ? []
            : [{ key: 'founded', tone: 'neutral' as const, title: t('event.founded'), atMs: member.joined_at }]),
        ]}
      />
    </Part>
  )
}

/** What the reader may do to this member; what the server would refuse anyway is not offered. */
function Actions({ member }: { member: Detail }) {
  const { t } = useTranslation('teamMember')
  const drawers = useDrawers()
  const session = useSession()?.session
  const mayWrite = usePermission('member.write')
  const mayRemove = usePermission('member.remove')
  const isOwn = session?.person_id === member.user_id
  const mayTouch = mayWrite && member.state !== 'removed' && (member.workspace_role !== 'owner' || session?.role === 'owner')
  const open = (action: Action) => openActionDrawer(drawers, member, action, t(`action.${action}.title`, { name: member.nick_name }))
  const back = useSend(endOutOfOffice)
  const offered: Action[] = []
  if (mayTouch) {
    if (member.state !== 'suspended' && !(isOwn && member.state === 'active')) offered.push('links')
    offered.push('role')
    if (!isOwn) offered.push(member.state === 'suspended' ? 'resume' : 'suspend')
    if (mayRemove && !isOwn) offered.push('remove')
  }
  const isHere = isOwn && member.state === 'active'
  if (offered.length === 0 && !isHere) return null
  return (
    <DrawerFooter>
      {isHere && member.out_of_office !== null && (
        <Button loading={back.isPending} onClick={() => back.mutate({})}>
          {t('away.back')}
        </Button>
      )}
      {isHere && <Button onClick={() => openAwayDrawer(drawers, member, t('away.title'))}>{t('away.open')}</Button>}
      {isHere && (
        <Button onClick={() => openOwnKeyDrawer(drawers, member.nick_name, t('action.ownKey.title', { name: member.nick_name }))}>
          {t('action.ownKey.open')}
        </Button>
      )}
      {offered.map((action) => (
        <Button key={action} variant={action === 'remove' ? 'danger' : 'default'} onClick={() => open(action)}>
          {t(`action.${action}.open`)}
        </Button>
      ))}
    </DrawerFooter>
  )
}
