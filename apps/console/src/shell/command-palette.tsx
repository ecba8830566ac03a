import { useSignOut } from '@holdfast/features/session/console'
import {
  IconGlobe,
  IconInfo,
  IconLeave,
  IconMoon,
  IconSearch,
  IconSliders,
  IconSun,
  lazyDrawerBody,
  lazyPart,
  letterKeys,
  type PaletteSource,
  Shortcut,
  useDrawers,
  useLetterKeys,
  useLocale,
  usePaletteShortcuts,
  usePaletteSource,
  useShortcuts,
  useTheme,
} from '@holdfast/ui'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { chunkFailed } from '../chunk-failure.ts'
import { features } from '../features.ts'
import { changeLanguage } from '../i18n/start-translation.ts'
import { useServices } from '../services-context.ts'
import { places, useNavigation } from './navigation.tsx'

const Palette = lazyPart(() => import('../palette.ts').then((module) => module.Palette, chunkFailed))

/** What features add of their own. */
const sources = features.flatMap(({ palette }, at) => (palette ? [{ at, Source: lazyPart(palette) }] : []))

const HelpPanel = lazyDrawerBody(() => import('./help-panel.tsx').then((module) => module.HelpPanel, chunkFailed))

const OPEN_KEYS = 'mod+k'

/** The way to everything: a button in the header, and Ctrl or Cmd with K anywhere. */
export function CommandPalette() {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  usePages()
  useActions()
  usePaletteShortcuts()
  useShortcuts({ [OPEN_KEYS]: () => setOpen((present) => !present) })
  return (
    <>
      <button
        type="button"
        className="hf-palette-button"
        title={t('ui.palette.label')}
        aria-haspopup="dialog"
        onPointerEnter={Palette.preload}
        onClick={() => setOpen(true)}
      >
        <IconSearch />
        <span>{t('ui.palette.button')}</span>
        <Shortcut keys={OPEN_KEYS} />
      </button>
      {sources.map(({ at, Source }) => (
        <Source key={at} />
      ))}
      {isOpen && <Palette words={{ found: (count) => t('search.found', { count }), none: t('search.none') }} onClose={() => setOpen(false)} />}
    </>
  )
}

function usePages(): void {
  const { t, i18n } = useTranslation()
  const navigate = useNavigate()
  const navigation = useNavigation()
  usePaletteSource(
    useMemo(
      (): PaletteSource => ({
        key: 'pages',
        title: t('console.palette.pages'),
        order: 10,
        items: [...navigation, ...places].map(({ to, label, Icon, shortcut }) => ({
          key: to,
          title: t(label.key, { ns: label.namespace }),
          words: to,
          icon: Icon,
          ...(shortcut === undefined ? {} : { shortcut }),
          run: () => void navigate(to),
        })),
      }),
      // The words change with the language.
      // oxlint-disable-next-line react-hooks/exhaustive-deps
      [i18n.language, navigate, navigation],
    ),
  )
}

/** What everybody can do on every page. */
function useActions(): void {
  const { t, i18n } = useTranslation()
  const locale = useLocale()
  const { mode, choose } = useTheme()
  const hasLetterKeys = useLetterKeys()
  const { leave } = useServices()
  const drawers = useDrawers()
  const signOut = useSignOut(leave)
  usePaletteSource(
    useMemo(
      (): PaletteSource => ({
        key: 'actions',
        title: t('console.palette.actions'),
        order: 90,
        items: [
          {
            key: 'theme',
            title: t(mode === 'dark' ? 'console.palette.light' : 'console.palette.dark'),
            icon: mode === 'dark' ? IconSun : IconMoon,
            run: () => choose(mode === 'dark' ? 'light' : 'dark'),
          },
          {
            key: 'language',
            title: t('console.language.change'),
            detail: t('console.language.other'),
            icon: IconGlobe,
            run: () => void changeLanguage(i18n, locale === 'zh-CN' ? 'en-US' : 'zh-CN'),
          },
          {
            key: 'letter-keys',
            title: t(hasLetterKeys ? 'console.palette.lettersOff' : 'console.palette.lettersOn'),
            icon: IconSliders,
            run: () => letterKeys.set(!hasLetterKeys),
          },
          {
            key: 'help',
            title: t('settings.help.title'),
            words: 'help shortcuts keyboard 帮助 快捷键 键盘',
            icon: IconInfo,
            shortcut: '?',
            run: () => void drawers.push({ title: t('settings.help.title'), body: <HelpPanel path={window.location.pathname} /> }),
          },
          { key: 'sign-out', title: t('console.user.signOut'), icon: IconLeave, run: () => void signOut() },
        ],
      }),
      // oxlint-disable-next-line react-hooks/exhaustive-deps
      [i18n.language, mode, choose, hasLetterKeys, locale],
    ),
  )
}
