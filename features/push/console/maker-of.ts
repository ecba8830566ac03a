/** The hosts of the push services that browsers use, and whose browsers they are. */
const MAKERS = [
  ['fcm.googleapis.com', 'google'],
  ['push.services.mozilla.com', 'mozilla'],
  ['push.apple.com', 'apple'],
  ['notify.windows.com', 'microsoft'],
] as const

export type Maker = (typeof MAKERS)[number][1]

/** Whose browser a push service reaches; null of one that is not known here. */
export function makerOf(host: string): Maker | null {
  return MAKERS.find(([domain]) => host === domain || host.endsWith(`.${domain}`))?.[1] ?? null
}
