import './team.css'
import { useSecondFactor, useSession } from '@holdfast/features/session/console'
import { Button, Checkbox, DrawerBody, DrawerFooter, Note, SelectField, TextField, useDrawerPage, useTextForm } from '@holdfast/ui'
import { requestIdKeeper, useSend } from '@holdfast/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { inviteMember, memberRoles } from '../contract.ts'
import { LinksView } from './links-view.tsx'

const idOf = requestIdKeeper()

/** Takes a new member in and shows the links with which they join. */
export function InviteDrawer() {
  const { t } = useTranslation('teamMember')
  const { close } = useDrawerPage()
  const session = useSession()?.session
  const second = useSecondFactor()
  const { form, field, valueOf, submit } = useTextForm({
    nick_name: { label: t('invite.name') },
    account: { label: t('invite.account'), check: (value) => (/^[^\s@]+@[^\s@]+$/.test(value.trim()) ? undefined : t('invite.accountWrong')) },
  })
  const [role, setRole] = useState<(typeof memberRoles)[number]>('approver')
  const [isApprover, setApprover] = useState(true)
  const invite = useSend(inviteMember)
  if (invite.data) return <LinksView links={invite.data} name={valueOf('nick_name')} />
  const send = ({ nick_name: name, account }: { nick_name: string; account: string }) => {
    const given = { nick_name: name.trim(), account: account.trim().toLowerCase(), role, approver: isApprover }
    invite.mutate({ request_id: idOf(given), ...given, ...second.given })
  }
  const offered = memberRoles.filter((each) => each !== 'owner' || session?.role === 'owner')
  return (
    <form ref={form} noValidate onSubmit={(event) => submit(event, send)}>
      <DrawerBody>
        <TextField {...field('nick_name')} maxLength={50} autoFocus />
        <TextField {...field('account')} maxLength={254} hint={t('invite.accountNote')} />
        <SelectField
          label={t('column.role')}
          value={role}
          hint={t(`roleNote.${role}`)}
          onChange={(chosen) => setRole(memberRoles.find((each) => each === chosen) ?? 'viewer')}
          options={offered.map((each) => ({ value: each, label: t(`role.${each}`) }))}
        />
        <Checkbox checked={isApprover} onChange={setApprover}>
          {t('invite.approver')}
          <span className="hf-small hf-muted hf-member-hint">{t('invite.approverNote')}</span>
        </Checkbox>
        {second.field}
        <Note>{t('invite.note')}</Note>
      </DrawerBody>
      <DrawerFooter>
        <Button onClick={() => close()}>{t('cancel')}</Button>
        <Button variant="primary" type="submit" disabled={!second.isReady} loading={invite.isPending}>
          {t('invite.do')}
        </Button>
      </DrawerFooter>
    </form>
  )
}
