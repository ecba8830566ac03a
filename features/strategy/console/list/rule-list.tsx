import { usePermission } from '@holdfast/features/session/console'
import { newRequestId } from '@holdfast/client'
import { confirm, EmptyState, IconCopy, IconDown, IconEdit, IconTrash, IconUp, Label, RelativeTime, StatusTag, useDrawers } from '@holdfast/ui'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import {
  differences,
  type DraftEntry,
  dropRule,
  duplicateRule,
  isNamed,
  moveRule,
  placeRule,
  putRule,
  rulesOn,
  type Shelf,
} from '@holdfast/features/rule-draft/console'
import type { DraftHandle } from '../draft/use-draft.ts'
import type { Rules } from '../draft/use-rules.ts'
import { ActionTag, RuleSentence } from '../words/rule-card.tsx'
import type { Names } from '../words/rule-words.ts'
import { useDragOrder } from './use-drag-order.ts'

type ListProps = { rules: Rules; handle: DraftHandle; names: Names; shelf: Shelf }

/** Rules of one level about one kind of thing, in the order in which they are asked. */
export function RuleList({ rules, handle, names, shelf }: ListProps) {
  const { t } = useTranslation('strategyEngine')
  const { base, aboutKept } = rules
  const { draft } = handle
  const [moved, setMoved] = useState<{ id: string; step: -1 | 0 | 1 }>()
  const list = useRef<HTMLOListElement>(null)
  const shown = rulesOn(draft, shelf, aboutKept)
  const gone = rulesOn(base, shelf, aboutKept).filter(({ id }) => !draft.rules.some((each) => each.id === id))
  const differs = differences(base, draft, aboutKept)
  // A rule that was moved keeps the focus, so that a person with a keyboard moves it on.
  useEffect(() => {
    if (moved && moved.step !== 0)
      list.current
        ?.querySelector<HTMLElement>(
          `[data-move="${CSS.escape(`${moved.id} ${moved.step}`)}"]:enabled, [data-move="${CSS.escape(`${moved.id} ${-moved.step}`)}"]`,
        )
        ?.focus()
  }, [moved, draft])
  const move = (id: string, step: -1 | 1) => {
    handle.change(moveRule(draft, id, step, aboutKept))
    setMoved({ id, step })
  }
  const drag = useDragOrder(
    shown.map(({ id }) => id),
    (id, at) => {
      handle.change(placeRule(draft, id, at, aboutKept))
      setMoved({ id, step: 0 })
    },
  )
  const at = moved ? shown.findIndex(({ id }) => id === moved.id) : -1
  return (
    <section className="hf-stack-tight" aria-label={t(`rules.list.${shelf.level}`)}>
      <div>
        <h2>{t(`rules.list.${shelf.level}`)}</h2>
        <p className="hf-small hf-muted">{t(`rules.list.note.${shelf.level}`)}</p>
      </div>
      {shown.length === 0 && gone.length === 0 ? (
        <div className="hf-panel">
          <EmptyState title={t('rules.list.none')}>{t(`rules.list.noneText.${shelf.about}`)}</EmptyState>
        </div>
      ) : (
        <ol className="hf-rules" ref={list}>
          {shown.map((entry, no) => (
            <RuleItem
              key={entry.id}
              {...{ entry, no, rules, handle, names, drag }}
              count={shown.length}
              difference={differs.get(entry.id)}
              onMove={(step) => move(entry.id, step)}
            />
          ))}
          {gone.map((entry) => (
            <GoneItem key={entry.id} {...{ entry, rules, handle }} />
          ))}
        </ol>
      )}
      <p className="hf-visually-hidden" aria-live="polite">
        {at >= 0 ? t('rules.list.movedTo', { no: at + 1, of: shown.length }) : ''}
      </p>
    </section>
  )
}

const inForce = ({ view }: Rules, id: string) => view.rules.find((each) => each.id === id)

type ItemProps = Omit<ListProps, 'shelf'> & {
  entry: DraftEntry
  no: number
  count: number
  difference: 'new' | 'changed' | 'moved' | undefined
  drag: ReturnType<typeof useDragOrder>
  onMove: (step: -1 | 1) => void
}

function RuleItem({ entry, no, count, rules, handle, names, difference, drag, onMove }: ItemProps) {
  const { t } = useTranslation('strategyEngine')
  const mayWrite = usePermission('strategy.write') && rules.view.open_change_id === null
  const placed = inForce(rules, entry.id)
  const machines = nameOfMachines(rules, entry.id)
  const name = isNamed(entry) ? entry.name : (machines ?? t('rules.list.keptName', { id: entry.id }))
  return (
    <li className={difference === undefined ? 'hf-rule' : `hf-rule hf-rule-${difference}`} {...drag.itemProps(entry.id)}>
      <span className="hf-rule-place" aria-hidden>
        <span className="hf-rule-no hf-numbers">{no + 1}</span>
        {mayWrite && count > 1 && <span className="hf-rule-grip" title={t('rules.list.drag', { name })} {...drag.gripProps(entry.id)} />}
      </span>
      <div className="hf-rule-body">
        <div className="hf-rule-head">
          <h3>
            {isNamed(entry) && placed ? (
              <Link to={`/mpc/strategyEngine/senior/strategyDetail?id=${encodeURIComponent(entry.id)}`}>
                <Label text={name} wrap />
              </Link>
            ) : (
              <Label text={name} wrap />
            )}
          </h3>
          {isNamed(entry) ? (
            <ActionTag action={entry.action} />
          ) : (
            <StatusTag tone="neutral" text={t(machines === null ? 'rules.list.kept' : 'rules.list.machines')} />
          )}
          {difference !== undefined && <StatusTag tone="warn" text={t(`rules.difference.${difference}`)} />}
          {mayWrite && <Tools {...{ entry, name, no, count, handle, onMove }} />}
        </div>
        {isNamed(entry) ? <RuleSentence rule={entry} names={names} /> : <p>{placed && <Label text={placed.sentence} wrap />}</p>}
        {placed && <Hits hits={placed.hits_30d} lastAt={placed.last_hit} />}
      </div>
    </li>
  )
}

/** The name of a rule in force under which machines ask or approve; null of any other that the editor does not draw. */
function nameOfMachines(rules: Rules, id: string): string | null {
  const placed = inForce(rules, id)
  return placed?.kind === 'kept' ? placed.name : null
}

/** How often a rule decided of late. */
export function Hits({ hits, lastAt }: { hits: number; lastAt: number | null }) {
  const { t } = useTranslation('strategyEngine')
  return (
    <p className="hf-small hf-faint hf-rule-hits">
      {hits === 0 ? t('rules.list.unused') : t('rules.list.hits', { count: hits })}
      {lastAt !== null && (
        <>
          {' · '}
          {t('rules.list.lastHit')} <RelativeTime ms={lastAt} />
        </>
      )}
    </p>
  )
}

type ToolsProps = { entry: DraftEntry; name: string; no: number; count: number; handle: DraftHandle; onMove: (step: -1 | 1) => void }

function Tools({ entry, name, no, count, handle, onMove }: ToolsProps) {
  const { t } = useTranslation('strategyEngine')
  const navigate = useNavigate()
  const drawers = useDrawers()
  const { draft } = handle
  const drop = async () => {
    const answer = await confirm(drawers, {
      type: 'remove',
      title: t('rules.list.dropTitle', { name }),
      content: t('rules.list.dropText'),
      confirmText: t('rules.list.drop'),
    })
    if (answer.outcome === 'confirm') handle.change(dropRule(draft, entry.id))
  }
  const tool = (label: string, icon: React.ReactNode, act: () => void, more: { disabled?: boolean; 'data-move'?: string } = {}) => (
    <button type="button" className="hf-icon-button" aria-label={label} title={label} onClick={act} {...more}>
      {icon}
    </button>
  )
  return (
    <span className="hf-rule-tools">
      {tool(t('rules.list.up', { name }), <IconUp />, () => onMove(-1), { disabled: no === 0, 'data-move': `${entry.id} -1` })}
      {tool(t('rules.list.down', { name }), <IconDown />, () => onMove(1), { disabled: no === count - 1, 'data-move': `${entry.id} 1` })}
      {isNamed(entry) && (
        <>
          {tool(t('rules.list.edit', { name }), <IconEdit />, () => void navigate(`/mpc/strategyEngine/senior/addStrategy?id=${encodeURIComponent(entry.id)}`))}
          {tool(t('rules.list.duplicate', { name }), <IconCopy />, () => handle.change(duplicateRule(draft, entry.id, newRequestId())))}
        </>
      )}
      {tool(t('rules.list.dropOf', { name }), <IconTrash />, () => void drop())}
    </span>
  )
}

/** A rule in force that the draft takes away, with the way back. */
function GoneItem({ entry, rules, handle }: { entry: DraftEntry } & Pick<ListProps, 'rules' | 'handle'>) {
  const { t } = useTranslation('strategyEngine')
  const name = isNamed(entry) ? entry.name : (nameOfMachines(rules, entry.id) ?? t('rules.list.keptName', { id: entry.id }))
  const back = () => handle.change(isNamed(entry) ? putRule(handle.draft, entry, rules.aboutKept) : { ...handle.draft, rules: [...handle.draft.rules, entry] })
  return (
    <li className="hf-rule hf-rule-gone">
      <span className="hf-rule-no" aria-hidden>
        –
      </span>
      <div className="hf-rule-body">
        <div className="hf-rule-head">
          <h3>
            <Label text={name} wrap />
          </h3>
          <StatusTag tone="bad" text={t('rules.difference.gone')} />
          <span className="hf-rule-tools">
            <button type="button" className="hf-text-button hf-small" onClick={back}>
              {t('rules.list.keep')}
            </button>
          </span>
        </div>
      </div>
    </li>
  )
}
