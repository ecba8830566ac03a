import './team.css'
import { usePermission } from '@holdfast/features/session/console'
import { OrganisationParts } from '@holdfast/features/setup/console'
import { PolicyPanel } from '@holdfast/features/policy/console'
import { Button, IconPlus, PageHeader, Tabs, useDrawers } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { AvailabilityNote } from './availability-note.tsx'
import { DelegationList } from './delegation/delegations.tsx'
import { MemberList } from './member-list.tsx'
import { openInviteDrawer } from './open-drawers.tsx'
import { PageKeyNote } from './page-key-note.tsx'

const TABS = ['members', 'policy', 'organisation'] as const
type Tab = (typeof TABS)[number]

/** Who belongs to the organisation, who may approve, and the organisation itself. */
export function TeamPage() {
  const { t } = useTranslation('teamMember')
  const drawers = useDrawers()
  const [search, setSearch] = useSearchParams()
  const mayInvite = usePermission('member.write')
  const tab = TABS.find((each) => each === search.get('tab')) ?? 'members'
  const show = (next: Tab) => setSearch(next === 'members' ? {} : { tab: next })
  return (
    <>
      <PageHeader
        title={t('title')}
        actions={
          mayInvite ? (
            <Button variant="primary" icon={<IconPlus />} onClick={() => openInviteDrawer(drawers, t('invite.title'))}>
              {t('invite.open')}
            </Button>
          ) : undefined
        }
      >
        {t('note')}
      </PageHeader>
      <Tabs label={t('title')} tabs={TABS.map((key) => ({ key, label: t(`tab.${key}`) }))} active={tab} onChange={show}>
        {tab === 'members' && (
          <>
            <PageKeyNote />
            <DelegationList />
            <MemberList />
          </>
        )}
        {tab === 'policy' && (
          <>
            <AvailabilityNote />
            <PolicyPanel />
          </>
        )}
        {tab === 'organisation' && <OrganisationParts />}
      </Tabs>
    </>
  )
}
