import '../rules.css'
import { usePermission } from '@holdfast/features/session/console'
import { useEndpoint } from '@holdfast/client'
import { Button, EmptyState, ErrorState, Facts, IconEdit, LoadingState, PageHeader, StatusTag } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { listOperateLog } from '../../contract.ts'
import { isNamed, type NamedDraft, rulesOn, shelfOf } from '@holdfast/features/rule-draft/console'
import { type Rules, useNames, useRules } from '../draft/use-rules.ts'
import { isAboutRule, LogTable } from '../log/log-table.tsx'
import { useRestoreRules } from '../log/use-restore-rules.ts'
import { ActionTag, RuleSentence } from '../words/rule-card.tsx'
import { Hits } from './rule-list.tsx'

/** One rule in force: what it says, how often it decided, and what was changed of it. */
export function RulePage() {
  const { t } = useTranslation('strategyEngine')
  const [search] = useSearchParams()
  const id = search.get('id') ?? ''
  const { rules, error, refetch } = useRules()
  const rule = rules?.base.rules.filter(isNamed).find((each) => each.id === id)
  const kicker = <Link to="/mpc/strategyEngine">{t('rules.title')}</Link>
  if (rules && rule) return <Shown {...{ rules, rule }} />
  return (
    <>
      <PageHeader title={t('rules.detail.title')} kicker={kicker} />
      {rules ? (
        <div className="hf-panel">
          <EmptyState drawing="search" title={t('rules.detail.none')} action={kicker}>
            {t('rules.detail.noneText')}
          </EmptyState>
        </div>
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <LoadingState />
      )}
    </>
  )
}

function Shown({ rules, rule }: { rules: Rules; rule: NamedDraft }) {
  const { t } = useTranslation('strategyEngine')
  const navigate = useNavigate()
  const mayWrite = usePermission('strategy.write') && rules.view.open_change_id === null
  const names = useNames(rules.known, rules.base)
  const placed = rules.view.rules.find((each) => each.id === rule.id)
  const others = rulesOn(rules.base, shelfOf(rule, rules.aboutKept), rules.aboutKept)
  return (
    <>
      <PageHeader
        title={rule.name}
        kicker={<Link to="/mpc/strategyEngine">{t('rules.title')}</Link>}
        actions={
          mayWrite ? (
            <Button
              variant="primary"
              icon={<IconEdit />}
              onClick={() => void navigate(`/mpc/strategyEngine/senior/addStrategy?id=${encodeURIComponent(rule.id)}`)}
            >
              {t('rules.edit.change')}
            </Button>
          ) : undefined
        }
      />
      <div className="hf-stack">
        <section className="hf-panel hf-stack">
          <div className="hf-row">
            <ActionTag action={rule.action} />
            <StatusTag tone="good" text={t('rules.detail.inForce', { version: rules.view.base_version })} />
          </div>
          <RuleSentence rule={rule} names={names} />
          <Facts
            facts={[
              { label: t('rules.detail.about'), value: t(`rules.about.${rule.covers.kind}`) },
              { label: t('rules.detail.place'), value: t('rules.detail.placeOf', { no: others.indexOf(rule) + 1, of: others.length }) },
            ]}
          />
          {placed && <Hits hits={placed.hits_30d} lastAt={placed.last_hit} />}
        </section>
        <History rule={rule} />
      </div>
    </>
  )
}

const TYPES = { payments: 'transfer', calls: 'web3', stake: 'stake', trades: 'trade' } as const

function History({ rule }: { rule: NamedDraft }) {
  const { t } = useTranslation('strategyEngine')
  const answer = useEndpoint(listOperateLog, { scope: rule.level, type: TYPES[rule.covers.kind], page_no: 1, page_size: 200 })
  const rows = answer.data?.list.filter((row) => isAboutRule(row, rule.id))
  const restore = useRestoreRules()
  return (
    <section className="hf-stack-tight">
      <h2>{t('rules.detail.history')}</h2>
      <LogTable name="rule-history" ruleId={rule.id} rows={rows} error={answer.error} onRetry={() => void answer.refetch()} restore={restore} />
    </section>
  )
}
