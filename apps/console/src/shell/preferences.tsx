import { closePopup, IconGlobe, IconMoon, IconSun, type Locale, loginPath, Popup, type ThemeChoice, useLocale, useTheme } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'
import { changeLanguage } from '../i18n/start-translation.ts'

const THEMES: readonly ThemeChoice[] = ['light', 'dark', 'system']

/** Changes between the two languages of the interface. */
export function LanguageSwitch({ wide }: { wide?: boolean }) {
  const { t, i18n } = useTranslation()
  const locale = useLocale()
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  const change = async () => {
    const next: Locale = locale === 'zh-CN' ? 'en-US' : 'zh-CN'
    await changeLanguage(i18n, next)
    if (pathname === loginPath(locale)) await navigate(loginPath(next) + search, { replace: true })
  }
  return (
    <button
      type="button"
      className={wide ? 'hf-menu-item' : 'hf-header-button hf-header-text'}
      title={t('console.language.change')}
      onClick={() => void change()}
    >
      <IconGlobe /> <span lang={locale === 'zh-CN' ? 'en' : 'zh-CN'}>{t('console.language.other')}</span>
    </button>
  )
}

/** Chooses light, dark, or whatever the device uses. */
export function ThemeSwitch() {
  const { t } = useTranslation()
  const { mode } = useTheme()
  return (
    <Popup label={t('console.theme.label')} face={mode === 'dark' ? <IconMoon /> : <IconSun />}>
      <ThemeChoices />
    </Popup>
  )
}

export function ThemeChoices() {
  const { t } = useTranslation()
  const { choice, choose } = useTheme()
  return (
    <div className="hf-menu" role="group" aria-label={t('console.theme.label')}>
      {THEMES.map((each) => (
        <button
          key={each}
          type="button"
          className="hf-menu-item"
          aria-pressed={choice === each}
          onClick={(event) => {
            closePopup(event.currentTarget)
            choose(each)
          }}
        >
          {t(`console.theme.${each}`)}
          {choice === each && (
            <span aria-hidden className="hf-menu-tick">
              ✓
            </span>
          )}
        </button>
      ))}
    </div>
  )
}
