import type { CallInput, OutputOf } from '@holdfast/contract'
import { textLines } from '@holdfast/units'
import { ADDRESS_MAX, type getStandingDraft, NEVER_MAX, type proposeStandingOrder } from '../contract.ts'

/** One coin of a draft, as it is typed. */
export type AskLine = { chain: string; symbol: string; atLeast: string; atMost: string }

/** An address that is on the whitelist, on one network. */
export type ListedPlace = { chain: string; address: string; memo: string }

/** A standing order as somebody types it. `id`: the one of which it is to be the next version. */
export type AskDraft = {
  id: string | null
  kind: 'sweep' | 'fuel'
  name: string
  sources: readonly string[]
  goesTo: 'own' | 'listed'
  targetWallet: string
  targetSubWallet: string
  listed: readonly ListedPlace[]
  fuelled: readonly string[]
  assets: readonly AskLine[]
  fees: Readonly<Record<string, { max: string; share: string }>>
  transfers: string
  /** One address on each line. */
  never: string
  days: string
}

export const EMPTY_DRAFT: AskDraft = {
  id: null,
  kind: 'sweep',
  name: '',
  sources: [],
  goesTo: 'own',
  targetWallet: '',
  targetSubWallet: '',
  listed: [],
  fuelled: [],
  assets: [{ chain: '', symbol: '', atLeast: '', atMost: '' }],
  fees: {},
  transfers: '1000',
  never: '',
  days: '90',
}

const AMOUNT = /^\d{1,60}(\.\d{1,30})?$/
const isWhole = (text: string, most: number) => /^[1-9]\d{0,6}$/.test(text) && Number(text) <= most

/** The networks of the coins that were chosen, each once. */
export const chainsOf = ({ assets }: Pick<AskDraft, 'assets'>): string[] => [...new Set(assets.map(({ chain }) => chain).filter((chain) => chain !== ''))]

const neverOf = ({ never }: Pick<AskDraft, 'never'>): string[] => [...new Set(textLines(never))]

/** The first thing that is missing; undefined if the draft can be sent. What it means, the server says. */
export function faultOfDraft(draft: AskDraft): AskFault | undefined {
  const { name, sources, assets, fees, transfers, days } = draft
  if (name.trim() === '') return 'name'
  if (sources.length === 0) return 'sources'
  const target = faultOfTarget(draft)
  if (target) return target
  if (assets.some(({ chain, atLeast, atMost }) => chain === '' || !AMOUNT.test(atLeast) || !AMOUNT.test(atMost))) return 'assets'
  if (assets.some(({ chain }) => !AMOUNT.test(fees[chain]?.max ?? '') || !(Number(fees[chain]?.share) >= 0.01 && Number(fees[chain]?.share) <= 100)))
    return 'fees'
  if (!isWhole(transfers, 1_000_000) || !isWhole(days, 366)) return 'numbers'
  const never = neverOf(draft)
  return never.length > NEVER_MAX || never.some((line) => line.length > ADDRESS_MAX || /\s/.test(line)) ? 'never' : undefined
}

function faultOfTarget({ kind, goesTo, targetSubWallet, listed, fuelled, ...rest }: AskDraft): 'targets' | 'listed' | undefined {
  if (kind === 'fuel') return fuelled.length === 0 ? 'targets' : undefined
  if (goesTo === 'own') return targetSubWallet === '' ? 'targets' : undefined
  const chains = chainsOf(rest)
  const isOneEach = listed.length === chains.length && chains.every((chain) => listed.some((each) => each.chain === chain))
  return isOneEach ? undefined : 'listed'
}

export type AskFault = 'name' | 'sources' | 'targets' | 'listed' | 'assets' | 'fees' | 'numbers' | 'never'

type Sent = CallInput<typeof proposeStandingOrder>['draft']

/** The draft as the call takes it. */
export function draftToSend(draft: AskDraft): Sent {
  const whole = (walletId: string) => ({ wallet_id: walletId, sub_wallet_id: null })
  return {
    id: draft.id,
    kind: draft.kind,
    name: draft.name.trim(),
    sources: draft.sources.map(whole),
    targets:
      draft.kind === 'fuel'
        ? draft.fuelled.map((walletId) => ({ kind: 'own' as const, ...whole(walletId) }))
        : draft.goesTo === 'own'
          ? [{ kind: 'own', wallet_id: draft.targetWallet, sub_wallet_id: draft.targetSubWallet }]
          : draft.listed.map((place) => ({ kind: 'listed' as const, ...place })),
    assets: draft.assets.map(({ chain, symbol, atLeast, atMost }) => ({ chain, symbol, at_least: atLeast, at_most: atMost })),
    fees: chainsOf(draft).map((chain) => ({ chain, max: draft.fees[chain]?.max ?? '', max_share: Number(draft.fees[chain]?.share) })),
    transfers: Number(draft.transfers),
    never: neverOf(draft),
    days: Number(draft.days),
  }
}

/** What was sent once, as it is typed again; undefined if this form does not say such. */
export function draftFromSent(sent: NonNullable<OutputOf<typeof getStandingDraft>['draft']>): AskDraft | undefined {
  const { id, kind, name, sources, targets, assets, fees, transfers, never, days } = sent
  if ((kind !== 'sweep' && kind !== 'fuel') || sources.some(({ sub_wallet_id: part }) => part !== null)) return undefined
  const own = targets.flatMap((target) => (target.kind === 'own' ? [target] : []))
  const listed = targets.flatMap((target) => (target.kind === 'listed' ? [target] : []))
  if (kind === 'fuel' ? own.some(({ sub_wallet_id: part }) => part !== null) : own.length > 1 || (own.length === 1 && listed.length > 0)) return undefined
  const [target] = kind === 'sweep' ? own : []
  return {
    id,
    kind,
    name,
    sources: sources.map(({ wallet_id: walletId }) => walletId),
    goesTo: listed.length > 0 ? 'listed' : 'own',
    targetWallet: target?.wallet_id ?? '',
    targetSubWallet: target?.sub_wallet_id ?? '',
    listed: listed.map(({ chain, address, memo }) => ({ chain, address, memo })),
    fuelled: kind === 'fuel' ? own.map(({ wallet_id: walletId }) => walletId) : [],
    assets: assets.map(({ chain, symbol, at_least: atLeast, at_most: atMost }) => ({ chain, symbol, atLeast, atMost })),
    fees: Object.fromEntries(fees.map(({ chain, max, max_share: share }) => [chain, { max, share: String(share) }])),
    transfers: String(transfers),
    never: never.join('\n'),
    days: String(days),
  }
}

/** Lines with one of them changed. */
export const lineWith = (lines: readonly AskLine[], at: number, changes: Partial<AskLine>): AskLine[] =>
  lines.map((line, i) => (i === at ? { ...line, ...changes } : line))
