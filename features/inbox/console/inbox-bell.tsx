import './inbox.css'
import { useEndpoint } from '@holdfast/client'
import { closePopup, drawing, Popup } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { listInbox } from '../contract.ts'
import { MarkRead, Needs, NewsList, needsCount } from './inbox-parts.tsx'

const SHOWN = 6
const MOST_COUNTED = 99

const IconBell = drawing(<path d="M6 9.5a6 6 0 0 1 12 0c0 5 2 6.5 2 6.5H4s2-1.5 2-6.5M10 19.5a2.2 2.2 0 0 0 4 0" />)

/** A bell that says how much needs the person or is new to them; opened, it shows the newest. */
export function InboxBell() {
  const { t } = useTranslation()
  const { data } = useEndpoint(listInbox, {})
  const count = data ? needsCount(data) + data.unread : 0
  const face = (
    <>
      <IconBell />
      {count > 0 && (
        <span className="hf-badge hf-bell-badge" aria-hidden>
          {count > MOST_COUNTED ? `${MOST_COUNTED}+` : count}
        </span>
      )}
    </>
  )
  return (
    <Popup label={count > 0 ? t('inbox.count', { count }) : t('inbox.title')} face={face} className="hf-header-button hf-bell">
      <div className="hf-inbox-popup">
        <div className="hf-spread">
          <h2>{t('inbox.title')}</h2>
          {data && <MarkRead inbox={data} />}
        </div>
        {data && <Needs inbox={data} />}
        {data && <NewsList news={data.news.slice(0, SHOWN)} />}
        <p>
          <Link to="/mpc/inbox" onClick={(event) => closePopup(event.currentTarget)}>
            {t('inbox.all')}
          </Link>
        </p>
      </div>
    </Popup>
  )
}
