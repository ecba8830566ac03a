import './team.css'
import type { OutputOf } from '@holdfast/contract'
import { useSecondFactor, useSession } from '@holdfast/features/session/console'
import { Button, Grouped, Label, Note, StatusTag } from '@holdfast/ui'
import { useSend } from '@holdfast/client'
import { useTranslation } from 'react-i18next'
import { answerForOwnKey, type getMember } from '../contract.ts'
import { PageKeyNote } from './page-key-note.tsx'

type Detail = OutputOf<typeof getMember>

/** The approval keys of a member, where each counts, and with whose link it was made. */
export function KeyList({ member }: { member: Detail }) {
  const { t } = useTranslation('teamMember')
  const isOwn = useSession()?.session?.person_id === member.user_id
  return (
    <>
      {member.keys.length === 0 && <p className="hf-muted">{t('keys.noneNote')}</p>}
      <ul className="hf-stack">
        {member.keys.map((key) => (
          <li key={key.key_id} className="hf-stack-tight">
            <div className="hf-row-tight">
              <Label text={key.label} />
              <StatusTag tone={key.in_policy ? 'good' : 'warn'} text={t(key.in_policy ? 'keys.inPolicy' : 'keys.waiting')} />
            </div>
            <Grouped text={key.fingerprint} />
            {key.page !== null && <p className="hf-small hf-muted">{t('keys.at', { page: new URL(key.page).host })}</p>}
            <KeyOrigin member={member} keyId={key.key_id} inPolicy={key.in_policy} origin={key.origin} />
          </li>
        ))}
      </ul>
      {isOwn && <PageKeyNote />}
    </>
  )
}

type OriginOf = { member: Detail; keyId: string; inPolicy: boolean; origin: Detail['keys'][number]['origin'] }

/** With whose link a key was made, and the word of the person whose key it is: they are asked for it here. */
function KeyOrigin({ member, keyId, inPolicy, origin }: OriginOf) {
  const { t } = useTranslation('teamMember')
  const isOwn = useSession()?.session?.person_id === member.user_id
  if (origin === null) return null
  if (isOwn && !inPolicy && origin.answer === 'waiting') return <KeyQuestion keyId={keyId} maker={origin.link_by} />
  return <p className="hf-small hf-muted">{t(`keys.origin.${origin.answer}`, { maker: origin.link_by, name: member.nick_name })}</p>
}

/** Asks a person whether a key that was made with a link is theirs. */
function KeyQuestion({ keyId, maker }: { keyId: string; maker: string }) {
  const { t } = useTranslation('teamMember')
  const answer = useSend(answerForOwnKey)
  const second = useSecondFactor()
  const send = (isMine: boolean) => answer.mutate({ key_id: keyId, is_mine: isMine, ...second.given })
  return (
    <Note tone="warn" title={t('keys.ask', { maker })}>
      <p className="hf-key-question">{t('keys.askNote')}</p>
      {second.field}
      <div className="hf-row-tight">
        <Button variant="primary" disabled={!second.isReady} loading={answer.isPending} onClick={() => send(true)}>
          {t('keys.mine')}
        </Button>
        <Button variant="danger" disabled={!second.isReady} loading={answer.isPending} onClick={() => send(false)}>
          {t('keys.notMine')}
        </Button>
      </div>
    </Note>
  )
}
