/** What a browser says of itself, in our words alone: a name from this list and digits, so that nothing hostile is ever shown. */
export type Device = { device: string; os: string; version: string }

// The order matters: most browsers also name the ones they descend from.
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\/(\d{1,4})/, 'Edge'],
  [/\b(?:OPR|Opera)\/(\d{1,4})/, 'Opera'],
  [/\bSamsungBrowser\/(\d{1,4})/, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\/(\d{1,4})/, 'Firefox'],
  [/\b(?:HeadlessChrome|Chrome|CriOS|Chromium)\/(\d{1,4})/, 'Chrome'],
  [/\bVersion\/(\d{1,4})[.\d]* (?:Mobile\/\w+ )?Safari\//, 'Safari'],
]

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:iPhone|iPad|iPod)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\b(?:Macintosh|Mac OS X)\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

/** Browser, its main version and the system; empty if they cannot be told. A browser may say whatever it likes. */
export function parseUserAgent(userAgent: string): Device {
  const os = SYSTEMS.find(([pattern]) => pattern.test(userAgent))?.[1] ?? ''
  for (const [pattern, device] of BROWSERS) {
    const match = pattern.exec(userAgent)
    if (match) return { device, os, version: match[1] ?? '' }
  }
  return { device: '', os, version: '' }
}
