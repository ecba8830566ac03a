import './workspace.css'
import { usePermission } from '@holdfast/features/session/console'
import { OpenChange, spanWords } from '@holdfast/features/strategy/console'
import { Button, type Drawers, ErrorState, IconEdit, Label, lazyDrawerBody, LoadingState, PageHeader, RelativeTime, StatusTag, useDrawers } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useWorkspace } from './use-workspace.ts'
import { IDLE_PARTS, ORDER_PARTS, type Part, type Workspace } from './workspace.ts'

const PartDrawer = lazyDrawerBody(() => import('./edit-drawer.tsx').then((module) => module.PartDrawer))
const WaitDrawer = lazyDrawerBody(() => import('./edit-drawer.tsx').then((module) => module.WaitDrawer))
const CoolingDrawer = lazyDrawerBody(() => import('./edit-drawer.tsx').then((module) => module.CoolingDrawer))
const DeputiesDrawer = lazyDrawerBody(() => import('./edit-drawer.tsx').then((module) => module.DeputiesDrawer))
const HistoryDrawer = lazyDrawerBody(() => import('./history-drawer.tsx').then((module) => module.HistoryDrawer))

const WIDTH = 900

const open = (drawers: Drawers, title: string, body: React.ReactNode) => void drawers.push({ title, body }, { width: WIDTH, maskClosable: false })

/** Who approves changes of what is no payment, part by part; what waits now, and how long what loosens the policy waits. */
export function WorkspacePage() {
  const { t } = useTranslation('strategyEngine')
  const { workspace, error, refetch, canEdit } = useWorkspace()
  return (
    <>
      <PageHeader title={t('workspace.title')} actions={<Link to="/mpc/workspaceStrategyEngine/log">{t('workspace.log.open')}</Link>}>
        {t('workspace.lead')}
      </PageHeader>
      {workspace ? <Shown {...{ workspace, canEdit }} /> : error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingState rows={10} />}
    </>
  )
}

type ShownProps = { workspace: Workspace; canEdit: boolean }

function Shown({ workspace, canEdit }: ShownProps) {
  const { t } = useTranslation('strategyEngine')
  const mayWrite = usePermission('strategy.write')
  const live = workspace.parts.filter(({ key }) => !IDLE_PARTS.has(key))
  const idle = workspace.parts.filter(({ key }) => IDLE_PARTS.has(key))
  return (
    <div className="hf-stack-wide">
      {workspace.open_change_id !== null && <OpenChange id={workspace.open_change_id} />}
      {!mayWrite && <p className="hf-small hf-muted">{t('workspace.mayNot')}</p>}
      <div className="hf-workspace-head">
        <Governance {...{ workspace }} />
        <Wait what="wait" hours={workspace.delay_h} {...(canEdit && { drawer: <WaitDrawer workspace={workspace} /> })} />
        <Wait what="cooling" hours={workspace.cooling_h} {...(canEdit && { drawer: <CoolingDrawer workspace={workspace} /> })} />
        <Deputies {...{ workspace, canEdit }} />
      </div>
      <section className="hf-stack-tight">
        <h2>{t('workspace.parts')}</h2>
        <ul className="hf-workspace-parts">
          {live.map((part) => (
            <PartCard key={part.key} {...{ part, workspace, canEdit }} />
          ))}
        </ul>
      </section>
      <section className="hf-stack-tight">
        <div>
          <h2>{t('workspace.idle')}</h2>
          <p className="hf-small hf-muted">{t('workspace.idleNote')}</p>
        </div>
        <ul className="hf-workspace-parts">
          {idle.map((part) => (
            <PartCard key={part.key} {...{ part, workspace, canEdit }} />
          ))}
        </ul>
      </section>
    </div>
  )
}

function Governance({ workspace: { governance, touched } }: Pick<ShownProps, 'workspace'>) {
  const { t } = useTranslation('strategyEngine')
  return (
    <section className="hf-panel hf-workspace-part">
      <div className="hf-rule-head">
        <h2>{t('workspace.governance')}</h2>
        {touched.includes('governance') && <StatusTag tone="warn" text={t('workspace.touched')} />}
      </div>
      <p className="hf-small hf-muted">{t('workspace.governanceNote')}</p>
      <Deciders need={governance.need} names={governance.approvers.map(({ name }) => name)} />
    </section>
  )
}

/** How long something waits at each signer, and the drawer that changes it, for whoever may. */
function Wait({ what, hours, drawer }: { what: 'wait' | 'cooling'; hours: number; drawer?: React.ReactNode }) {
  const { t } = useTranslation('strategyEngine')
  const drawers = useDrawers()
  return (
    <section className="hf-panel hf-workspace-part">
      <div className="hf-rule-head">
        <h2>{t(`workspace.${what}.title`)}</h2>
        {drawer && (
          <span className="hf-rule-tools">
            <Button
              size="small"
              icon={<IconEdit />}
              label={t('workspace.changeOf', { what: t(`workspace.${what}.edit`) })}
              onClick={() => open(drawers, t(`workspace.${what}.edit`), drawer)}
            >
              {t('workspace.change')}
            </Button>
          </span>
        )}
      </div>
      <p className="hf-workspace-span">{hours > 0 ? spanWords({ t }, hours * 3600) : t(`workspace.${what}.none`)}</p>
      <p className="hf-small hf-muted">{t(`workspace.${what}.${hours > 0 ? 'note' : 'noneNote'}`)}</p>
    </section>
  )
}

/** Who may decide for whoever is away, and the drawer that changes it, for whoever may. */
function Deputies({ workspace, canEdit }: ShownProps) {
  const { t } = useTranslation('strategyEngine')
  const drawers = useDrawers()
  const names = whoNames(workspace.deputies, workspace, (group) => t('rules.say.group', { name: group }))
  const edit = t('workspace.deputies.edit')
  return (
    <section className="hf-panel hf-workspace-part">
      <div className="hf-rule-head">
        <h2>{t('workspace.deputies.title')}</h2>
        {canEdit && (
          <span className="hf-rule-tools">
            <Button
              size="small"
              icon={<IconEdit />}
              label={t('workspace.changeOf', { what: edit })}
              onClick={() => open(drawers, edit, <DeputiesDrawer workspace={workspace} />)}
            >
              {t('workspace.change')}
            </Button>
          </span>
        )}
      </div>
      {names.length === 0 ? <p className="hf-workspace-span">{t('workspace.deputies.none')}</p> : <Names of={names} />}
      <p className="hf-small hf-muted">{t(`workspace.deputies.${names.length > 0 ? 'note' : 'noneNote'}`)}</p>
    </section>
  )
}

/** How many of whom. */
function Deciders({ need, names }: { need: number; names: readonly string[] }) {
  const { t } = useTranslation('strategyEngine')
  return (
    <p className="hf-workspace-who">
      <span className="hf-rule-need hf-numbers">{t('rules.say.stepNeed', { need })}</span>
      <Names of={names} />
    </p>
  )
}

function Names({ of }: { of: readonly string[] }) {
  return (
    <span className="hf-persons">
      {of.map((name) => (
        <span key={name} className="hf-person">
          <Label text={name} wrap />
        </span>
      ))}
    </span>
  )
}

function PartCard({ part, workspace, canEdit }: ShownProps & { part: Part }) {
  const { t } = useTranslation('strategyEngine')
  const drawers = useDrawers()
  const { key, is_own: isOwn, need, since_version: version, last_change: last } = part
  const name = t(`workspace.part.${key}`)
  const { delay_h: hours } = workspace
  const isTouched = workspace.touched.includes(key)
  return (
    <li className="hf-panel hf-workspace-part">
      <div className="hf-rule-head">
        <h3>{name}</h3>
        {isTouched && <StatusTag tone="warn" text={t('workspace.touched')} />}
        {canEdit && (
          <span className="hf-rule-tools">
            <button
              type="button"
              className="hf-icon-button"
              aria-label={t('workspace.editOf', { name })}
              title={t('workspace.editOf', { name })}
              onClick={() => open(drawers, t('workspace.editOf', { name }), <PartDrawer {...{ part, workspace }} />)}
            >
              <IconEdit />
            </button>
          </span>
        )}
      </div>
      <p className="hf-small hf-muted">{t(`workspace.about.${key}`)}</p>
      {isOwn ? (
        <Deciders need={need} names={whoNames(part.who, workspace, (group) => t('rules.say.group', { name: group }))} />
      ) : (
        <p>{t('workspace.byGovernance')}</p>
      )}
      <p className="hf-small hf-faint hf-workspace-foot">
        {version > 1 && <span>{t('workspace.since', { version })}</span>}
        {hours > 0 && <span>{ORDER_PARTS.has(key) ? t('workspace.order') : t('workspace.loosening', { span: spanWords({ t }, hours * 3600) })}</span>}
        {last !== null && (
          <button type="button" className="hf-text-button" onClick={() => open(drawers, t('workspace.historyOf', { name }), <HistoryDrawer partKey={key} />)}>
            {t('workspace.last')} <RelativeTime ms={last} />
          </button>
        )}
      </p>
    </li>
  )
}

const whoNames = (who: Part['who'], { people, groups }: Workspace, nameGroup: (name: string) => string): string[] =>
  who.map(({ kind, id }) =>
    kind === 'group' ? nameGroup(groups.find((each) => each.id === id)?.name ?? id) : (people.find((each) => each.person_id === id)?.name ?? id),
  )
