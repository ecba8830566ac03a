import './calendar.css'
import { useEndpoint } from '@holdfast/client'
import type { OutputOf } from '@holdfast/contract'
import { Button, EmptyState, ErrorState, IconBack, IconForward, LoadingState, PageHeader, useIsPhone, useLocale, useNow } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { getCalendar } from '../contract.ts'
import { EntryItem } from './entry-item.tsx'
import { isMonth, monthAfter, monthAt, weeksOf } from './month.ts'

export type Entry = OutputOf<typeof getCalendar>['list'][number]
type Month = { month: string; list: readonly Entry[]; today: string }

/** Scheduled payments, held sends, and what ends, by the days of a month. */
export function CalendarPage() {
  const { t } = useTranslation()
  const nowMs = useNow()
  const isPhone = useIsPhone()
  const [search, setSearch] = useSearchParams()
  const asked = search.get('month') ?? ''
  const present = monthAt(nowMs)
  const month = isMonth(asked) ? asked : present
  const { data, error, refetch } = useEndpoint(getCalendar, { month })
  const go = (next: string) => setSearch(next === present ? {} : { month: next })
  const today = new Date(nowMs).toISOString().slice(0, 10)
  const title = useDateText(`${month}-01`, { month: 'long', year: 'numeric' })
  return (
    <>
      <PageHeader title={t('calendar.title')}>{t('calendar.lead')}</PageHeader>
      <div className="hf-panel hf-stack">
        <div className="hf-row hf-calendar-head">
          <Button size="small" icon={<IconBack />} label={t('calendar.before')} onClick={() => go(monthAfter(month, -1))} />
          <h2 aria-live="polite">{title}</h2>
          <Button size="small" icon={<IconForward />} label={t('calendar.after')} onClick={() => go(monthAfter(month, 1))} />
          {month !== present && (
            <Button size="small" onClick={() => go(present)}>
              {t('calendar.present')}
            </Button>
          )}
        </div>
        {!data ? (
          error ? (
            <ErrorState error={error} onRetry={() => void refetch()} />
          ) : (
            <LoadingState rows={8} />
          )
        ) : data.list.length === 0 ? (
          <EmptyState title={t('calendar.none')}>{t('calendar.noneText')}</EmptyState>
        ) : isPhone ? (
          <Days {...{ month, today }} list={data.list} />
        ) : (
          <Weeks {...{ month, today }} list={data.list} label={title} />
        )}
      </div>
    </>
  )
}

/** A day of UTC in words, by the language of the page. */
function useDateText(date: string, style: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(useLocale(), { ...style, timeZone: 'UTC' }).format(Date.parse(`${date}T00:00:00Z`))
}

function Weeks({ month, list, today, label }: Month & { label: string }) {
  const { t } = useTranslation()
  const on = Map.groupBy(list, ({ date }) => date)
  return (
    <table className="hf-calendar" aria-label={label}>
      <thead>
        <tr>
          {(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const).map((weekday) => (
            <th key={weekday} scope="col">
              {t(`calendar.weekday.${weekday}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeksOf(month).map((week, i) => (
          <tr key={i}>
            {week.map((date, weekday) => (
              <td key={weekday} aria-current={date === today ? 'date' : undefined}>
                {date !== undefined && (
                  <>
                    <span className="hf-calendar-number hf-numbers">{Number(date.slice(8))}</span>
                    <Entries list={on.get(date) ?? []} />
                  </>
                )}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The days on which something is, one below the other. */
function Days({ list, today }: Month) {
  return [...Map.groupBy(list, ({ date }) => date)].map(([date, entries]) => (
    <section key={date} className="hf-stack-tight" aria-current={date === today ? 'date' : undefined}>
      <DayTitle date={date} />
      <Entries list={entries} />
    </section>
  ))
}

function DayTitle({ date }: { date: string }) {
  return <h3>{useDateText(date, { weekday: 'short', day: 'numeric', month: 'long' })}</h3>
}

function Entries({ list }: { list: readonly Entry[] }) {
  if (list.length === 0) return null
  return (
    <ul className="hf-calendar-entries">
      {list.map((entry, i) => (
        <li key={i}>
          <EntryItem entry={entry} />
        </li>
      ))}
    </ul>
  )
}
