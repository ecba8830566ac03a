import { Avatar, ButtonLink, CopyButton, IconExternal, StatusTag } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import type { SetupView } from './founding-progress.tsx'

/** The way to the approval page: one link for everybody in a demo, else each member's own, to be handed on. */
export function ApprovalLinks({ setup }: { setup: SetupView }) {
  const { t } = useTranslation()
  const phase = setup.state === 'accepting' ? 'accepted' : 'enrolled'
  return (
    <div className="hf-stack">
      <p className="hf-muted">{t(`setup.links.${setup.demo ? 'demo' : 'each'}`)}</p>
      {setup.demo_url !== null && (
        <div className="hf-stack-tight">
          <div>
            <ButtonLink variant="primary" size="large" href={setup.demo_url} iconEnd={<IconExternal />}>
              {t('setup.links.open')}
            </ButtonLink>
          </div>
          <div className="hf-link-row hf-small">
            <a className="hf-break" href={setup.demo_url} target="_blank" rel="noopener">
              {setup.demo_url}
            </a>
            <CopyButton text={setup.demo_url} label={t('setup.links.copy')} />
          </div>
        </div>
      )}
      <ul className="hf-members">
        {setup.members.map((member) => (
          <li key={member.person_id}>
            <Avatar name={member.name} size={28} />
            <span className="hf-grow">{member.name}</span>
            {member.approval_url !== null && !member[phase] && (
              <CopyButton text={member.approval_url} label={t('setup.links.copyFor', { name: member.name })} showLabel />
            )}
            <StatusTag tone={member[phase] ? 'good' : 'neutral'} text={t(member[phase] ? `setup.member.${phase}` : 'setup.member.waiting')} />
          </li>
        ))}
      </ul>
    </div>
  )
}
