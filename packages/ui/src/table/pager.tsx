import { useTranslation } from 'react-i18next'
import { LABEL_LIMIT, plainText } from '../format/hostile-text.ts'
import { IconBack, IconForward } from '../base/icons.tsx'
import { pagesShown } from './pages-shown.ts'
import { useIsPhone } from '../base/use-media-query.ts'

/** `of`: what the list is called, where a page may have several. */
export type Paging = { of?: string; page: number; pageSize: number; total: number; onChange(page: number): void }

/** The pages of a list; nothing if one page holds it all. */
export function Pager({ of, page, pageSize, total, onChange }: Paging) {
  const { t } = useTranslation()
  const isPhone = useIsPhone()
  if (total <= pageSize) return null
  const last = Math.ceil(total / pageSize)
  const step = (to: number, label: string, Icon: typeof IconBack) => (
    <button type="button" className="hf-page" aria-label={label} title={label} disabled={to < 1 || to > last} onClick={() => onChange(to)}>
      <Icon />
    </button>
  )
  return (
    <nav className="hf-pagination" aria-label={of === undefined ? t('ui.pager.label') : `${t('ui.pager.label')}: ${plainText(of, LABEL_LIMIT)}`}>
      {step(page - 1, t('ui.pager.previous'), IconBack)}
      {pagesShown(Math.min(page, last), last, isPhone ? 0 : 2).map((each, at) =>
        each === 'gap' ? (
          <span key={`gap-${at}`} className="hf-page-gap" aria-hidden>
            …
          </span>
        ) : (
          <button
            key={each}
            type="button"
            className="hf-page"
            aria-label={t('ui.pager.page', { page: each })}
            aria-current={each === page ? 'page' : undefined}
            onClick={() => onChange(each)}
          >
            {each}
          </button>
        ),
      )}
      {step(page + 1, t('ui.pager.next'), IconForward)}
    </nav>
  )
}
