import './team.css'
import { useSecondFactor } from '@holdfast/features/session/console'
import { Button, DrawerBody, DrawerFooter, Note, REMARK_LIMIT, SelectField, TextField, useDrawerPage } from '@holdfast/ui'
import { useSend } from '@holdfast/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { memberRoles, removeMember, renewInvite, saveRole, setMemberStatus } from '../contract.ts'
import { type Links, LinksView } from './links-view.tsx'
import type { Member } from './member-parts.tsx'

export type Action = 'role' | 'suspend' | 'resume' | 'remove' | 'links'
type Role = (typeof memberRoles)[number]

/** One change of a member: what it means, what it asks for, and the second factor of whoever has one. */
export function ActionDrawer({ member, action }: { member: Member; action: Action }) {
  const { t } = useTranslation('teamMember')
  const { close } = useDrawerPage()
  const [role, setRole] = useState<Role>(memberRoles.find((each) => each === member.workspace_role) ?? 'viewer')
  const [remark, setRemark] = useState('')
  const [links, setLinks] = useState<Links>()
  const send = useAction(member, action, { onDone: () => close(), onLinks: setLinks })
  const second = useSecondFactor()
  if (links) return <LinksView links={links} name={member.nick_name} />
  const isReady = second.isReady && !(action === 'role' && role === member.workspace_role)
  return (
    <>
      <DrawerBody>
        <Note tone={action === 'remove' || action === 'suspend' ? 'warn' : 'info'}>{t(`action.${action}.note`)}</Note>
        {action === 'role' && (
          <SelectField
            label={t('column.role')}
            value={role}
            onChange={(chosen) => setRole(memberRoles.find((each) => each === chosen) ?? 'viewer')}
            options={memberRoles.map((each) => ({ value: each, label: `${t(`role.${each}`)} – ${t(`roleNote.${each}`)}` }))}
          />
        )}
        {['suspend', 'resume', 'remove'].includes(action) && (
          <TextField label={t('remark')} value={remark} onChange={setRemark} rows={3} count={REMARK_LIMIT} />
        )}
        {second.field}
      </DrawerBody>
      <DrawerFooter>
        <Button onClick={() => close()}>{t('cancel')}</Button>
        <Button
          variant={action === 'remove' ? 'danger' : 'primary'}
          disabled={!isReady}
          loading={send.isPending}
          onClick={() => send.run({ role, remark, ...second.given })}
        >
          {t(`action.${action}.do`)}
        </Button>
      </DrawerFooter>
    </>
  )
}

type Given = { role: Role; remark: string; google_code?: string }

/** The call behind each action. */
function useAction({ user_id: userId, state }: Member, action: Action, { onDone, onLinks }: { onDone: () => void; onLinks: (links: Links) => void }) {
  const role = useSend(saveRole)
  const status = useSend(setMemberStatus)
  const remove = useSend(removeMember)
  const renew = useSend(renewInvite)
  const done = { onSuccess: onDone }
  return {
    isPending: [role, status, remove, renew].some((each) => each.isPending),
    run: ({ role: chosen, remark, ...code }: Given) => {
      if (action === 'role') role.mutate({ user_id: userId, role: chosen, ...code }, done)
      if (action === 'suspend') status.mutate({ user_id: userId, status: 'suspended', remark, ...code }, done)
      if (action === 'resume') status.mutate({ user_id: userId, status: 'active', remark, ...code }, done)
      if (action === 'remove') remove.mutate({ user_id: userId, remark, ...code }, done)
      // Whoever has joined gets a link for an approval key alone.
      if (action === 'links') renew.mutate({ user_id: userId, approver: state === 'active' || state === 'invited', ...code }, { onSuccess: onLinks })
    },
  }
}
