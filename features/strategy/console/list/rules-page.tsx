import '../rules.css'
import { usePermission } from '@holdfast/features/session/console'
import { Button, ErrorState, IconPlus, LoadingState, Note, PageHeader, Tabs } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { type About, changeCount, isNamed, rulesOn } from '@holdfast/features/rule-draft/console'
import { useDraft } from '../draft/use-draft.ts'
import { type Rules, useNames, useRules } from '../draft/use-rules.ts'
import { OpenRuleAnalysis } from '@holdfast/features/rule-analysis/console'
import { ChangeBar } from '../review/change-bar.tsx'
import { OpenChange } from '../review/open-change.tsx'
import { MoveOver } from '../template/move-over.tsx'
import { Templates } from '../template/templates.tsx'
import { BySubWallet } from './by-sub-wallet.tsx'
import { Groups } from './groups.tsx'
import { RuleList } from './rule-list.tsx'

const ABOUTS = ['payments', 'calls', 'stake', 'trades'] as const

/** Which log has what was changed of each kind of rule. */
const LOGS: Record<About, string> = { payments: 'senior/transferLog', calls: 'senior/web3Log', stake: 'basic/log', trades: 'senior/tradeLog' }

/** The rules by which signers decide, in the order in which they are asked; what is changed here is proposed together. */
export function RulesPage() {
  const { t } = useTranslation('strategyEngine')
  const { rules, error, refetch } = useRules()
  return (
    <>
      <PageHeader title={t('rules.title')} actions={rules?.view.open_change_id === null ? <AddRule /> : undefined}>
        {t('rules.lead')}
      </PageHeader>
      {rules ? <Shown rules={rules} /> : error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingState rows={8} />}
    </>
  )
}

function useAbout() {
  const [search, setSearch] = useSearchParams()
  const about = ABOUTS.find((each) => each === search.get('about')) ?? 'payments'
  return [about, (next: About) => setSearch(next === 'payments' ? {} : { about: next })] as const
}

function AddRule() {
  const { t } = useTranslation('strategyEngine')
  const mayWrite = usePermission('strategy.write')
  const navigate = useNavigate()
  const [about] = useAbout()
  if (!mayWrite) return null
  return (
    <Button variant="primary" icon={<IconPlus />} onClick={() => void navigate(`/mpc/strategyEngine/senior/addStrategy?about=${about}`)}>
      {t('rules.edit.new')}
    </Button>
  )
}

function Shown({ rules }: { rules: Rules }) {
  const { t } = useTranslation('strategyEngine')
  const mayWrite = usePermission('strategy.write')
  const handle = useDraft(rules.base)
  const names = useNames(rules.known, handle.draft)
  const [about, setAbout] = useAbout()
  const { base, aboutKept, view } = rules
  const count = changeCount(base, handle.draft, aboutKept)
  const isWaiting = view.open_change_id !== null
  const hasNamed = handle.draft.rules.some(isNamed)
  return (
    <div className="hf-stack">
      {view.open_change_id !== null && <OpenChange id={view.open_change_id} />}
      {mayWrite && !isWaiting && view.move_over !== null && !hasNamed && <MoveOver {...{ rules, handle }} moveOver={view.move_over} />}
      {mayWrite && !isWaiting && !hasNamed && <Templates {...{ rules, handle }} />}
      <Tabs label={t('rules.title')} tabs={ABOUTS.map((key) => ({ key, label: t(`rules.about.${key}`) }))} active={about} onChange={setAbout}>
        <div className="hf-stack">
          <RuleList {...{ rules, handle, names }} shelf={{ about, level: 'higher' }} />
          {rulesOn(handle.draft, { about, level: 'basic' }, aboutKept).length > 0 && (
            <RuleList {...{ rules, handle, names }} shelf={{ about, level: 'basic' }} />
          )}
          {about === 'payments' && <BySubWallet />}
          <Note title={t('rules.list.otherwise')}>{t(`rules.list.otherwiseText.${about}`)}</Note>
          <p className="hf-small hf-row-tight">
            <Link to={`/mpc/strategyEngine/${LOGS[about]}`}>{t('rules.log.open')}</Link>
            {about !== 'stake' && (
              <>
                <span className="hf-faint" aria-hidden>
                  ·
                </span>
                <Link to="/mpc/strategyEngine/basic/log">{t('rules.log.openBasic')}</Link>
              </>
            )}
          </p>
        </div>
      </Tabs>
      <p>
        <OpenRuleAnalysis draft={handle.draft} />
      </p>
      <Groups {...{ rules, handle }} />
      {count > 0 && <ChangeBar {...{ rules, handle, count }} />}
    </div>
  )
}
