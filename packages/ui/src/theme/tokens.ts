export type ThemeMode = 'light' | 'dark'

/** Every colour of the interface. One accent; green, amber and red only where they say a state. */
export type Palette = {
  page: string
  surface: string
  raised: string
  sunken: string
  line: string
  lineStrong: string
  /** The edge of a button, which its words name already. */
  buttonLine: string
  text: string
  textMuted: string
  textFaint: string
  /** Buttons and marks; carries `onAccent`. */
  accent: string
  accentHover: string
  onAccent: string
  /** The accent as text and links. */
  accentText: string
  accentSoft: string
  good: string
  goodSoft: string
  warn: string
  warnSoft: string
  bad: string
  badSoft: string
  /** Lines, bars and pieces of charts, in this order. */
  chart1: string
  chart2: string
  chart3: string
  chart4: string
  chart5: string
  chart6: string
}

export const palettes: Record<ThemeMode, Palette> = {
  light: {
    page: '#f5f6f8',
    surface: '#ffffff',
    raised: '#ffffff',
    sunken: '#f0f2f5',
    line: '#e3e6eb',
    lineStrong: '#868f9c',
    buttonLine: '#ccd2db',
    text: '#161b24',
    textMuted: '#4b5563',
    textFaint: '#656e7b',
    accent: '#2a4fb8',
    accentHover: '#3a62d3',
    onAccent: '#ffffff',
    accentText: '#2a4fb8',
    accentSoft: '#edf1fc',
    good: '#17693c',
    goodSoft: '#e8f5ed',
    warn: '#855300',
    warnSoft: '#fcf3df',
    bad: '#b3261e',
    badSoft: '#fcebea',
    chart1: '#3a62d3',
    chart2: '#c2571a',
    chart3: '#14806f',
    chart4: '#8a46ad',
    chart5: '#8f7000',
    chart6: '#6b7686',
  },
  dark: {
    page: '#0e1116',
    surface: '#161a21',
    raised: '#1d222b',
    sunken: '#12161c',
    line: '#2a313c',
    lineStrong: '#727d8d',
    buttonLine: '#3c4553',
    text: '#e8ebf0',
    textMuted: '#b1bac8',
    textFaint: '#8f9aaa',
    accent: '#3e63d8',
    accentHover: '#486cdc',
    onAccent: '#ffffff',
    accentText: '#9db4ff',
    accentSoft: '#1c2747',
    good: '#6fcf97',
    goodSoft: '#14301f',
    warn: '#e8b65a',
    warnSoft: '#33270e',
    bad: '#f59a92',
    badSoft: '#3b1a18',
    chart1: '#7f9dff',
    chart2: '#f0a068',
    chart3: '#56c7b2',
    chart4: '#cf98e8',
    chart5: '#d6bc52',
    chart6: '#98a3b3',
  },
}

/** A program that ships a face for Latin letters names it in --hf-latin; letters that it lacks, Chinese above all, are the system's. */
export const fontFamily =
  'var(--hf-latin, -apple-system), BlinkMacSystemFont, "Segoe UI", Roboto, "Noto Sans", "PingFang SC", "Hiragino Sans GB", "Microsoft YaHei", "Noto Sans CJK SC", "Noto Sans SC", sans-serif'
export const monoFamily = 'ui-monospace, "SF Mono", SFMono-Regular, Menlo, Consolas, "Liberation Mono", "DejaVu Sans Mono", monospace'

/** The custom properties of a palette: `textMuted` is `--hf-text-muted`. */
export function cssVariables(mode: ThemeMode): Record<string, string> {
  const colours = Object.entries(palettes[mode]).map(([name, value]) => [`--hf-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`, value])
  return { ...Object.fromEntries(colours), '--hf-font': fontFamily, '--hf-mono': monoFamily }
}
