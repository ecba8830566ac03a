import { Note } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import type { PolicyDraft } from '../contract.ts'
import { type PolicyView, setPage } from './draft.ts'

/** From which approval pages approvals count: those of the policy, and those that connected signers serve beside them. */
export function DraftPages({ policy, draft, onChange }: { policy: PolicyView; draft: PolicyDraft; onChange: (draft: PolicyDraft) => void }) {
  const { t } = useTranslation('strategyEngine')
  const servedBy = (page: string) => policy.signers.find((signer) => signer.page === page)
  const offered = policy.signers.flatMap(({ page }) => (page === null || policy.pages.includes(page) ? [] : [page]))
  if (policy.pages.length < 2 && offered.length === 0) return null
  return (
    <fieldset className="hf-fieldset">
      <legend>{t('pages.title')}</legend>
      <p className="hf-small hf-muted">{t('pages.note')}</p>
      {[...policy.pages, ...new Set(offered)].map((page) => {
        const signer = servedBy(page)
        const isKnown = policy.pages.includes(page)
        return (
          <label key={page} className="hf-draft-key">
            <input
              type="checkbox"
              className="hf-tick"
              checked={isKnown ? !draft.drop_pages.includes(page) : draft.add_pages.includes(page)}
              onChange={(event) => onChange(setPage(draft, policy, page, event.target.checked))}
            />
            <span>
              <code className="hf-break">{page}</code>{' '}
              <span className="hf-small hf-muted">{signer ? t('pages.servedBy', { party: signer.party, operator: signer.operator }) : t('pages.silent')}</span>
            </span>
          </label>
        )
      })}
      {draft.drop_pages.length > 0 && <Note tone="warn">{t('pages.dropNote')}</Note>}
    </fieldset>
  )
}
