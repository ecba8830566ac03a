import { useTranslation } from 'react-i18next'
import { Outlet } from 'react-router'
import { Mark } from '../shell/mark.tsx'
import { LanguageSwitch, ThemeSwitch } from '../shell/preferences.tsx'

/** The frame around the pages for people who are not signed in. */
export function PublicFrame() {
  const { t } = useTranslation()
  return (
    <div className="hf-public">
      <header className="hf-public-header">
        <span className="hf-brand">
          <Mark />
          <span className="hf-brand-text">
            <span className="hf-brand-name">Holdfast</span>
            <span className="hf-brand-organisation">{t('console.brandLine')}</span>
          </span>
        </span>
        <div className="hf-header-end">
          <LanguageSwitch />
          <ThemeSwitch />
        </div>
      </header>
      <main className="hf-public-content">
        <Outlet />
      </main>
    </div>
  )
}
