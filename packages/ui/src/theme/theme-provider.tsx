import { createContext, type ReactNode, useContext, useLayoutEffect, useMemo, useState } from 'react'
import { useMediaQuery } from '../base/use-media-query.ts'
import { applyTheme, keepThemeChoice, readThemeChoice, type ThemeChoice } from './theme-store.ts'
import type { ThemeMode } from './tokens.ts'

type ThemeState = { mode: ThemeMode; choice: ThemeChoice; choose(choice: ThemeChoice): void }

const ThemeContext = createContext<ThemeState | undefined>(undefined)

/** The theme in use, and the way to choose another one. */
export function useTheme(): ThemeState {
  const state = useContext(ThemeContext)
  if (!state) throw new Error('the page is outside the ThemeProvider')
  return state
}

/** Gives everything inside the palette, light or dark. */
export function ThemeProvider({ children }: { children: ReactNode }) {
  const [choice, setChoice] = useState(() => readThemeChoice(localStorage))
  const prefersDark = useMediaQuery('(prefers-color-scheme: dark)')
  const mode: ThemeMode = choice === 'system' ? (prefersDark ? 'dark' : 'light') : choice
  useLayoutEffect(() => applyTheme(document.documentElement, mode), [mode])
  const state = useMemo<ThemeState>(
    () => ({
      mode,
      choice,
      choose: (next) => {
        keepThemeChoice(localStorage, next)
        setChoice(next)
      },
    }),
    [mode, choice],
  )
  return <ThemeContext value={state}>{children}</ThemeContext>
}
