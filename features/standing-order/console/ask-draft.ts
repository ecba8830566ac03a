import type { CallInput } from '@holdfast/contract'
import type { proposeStandingOrder } from '../contract.ts'

/** One coin of a draft, as it is typed. */
export type AskLine = { chain: string; symbol: string; atLeast: string; atMost: string }

/** A standing order as somebody types it. */
export type AskDraft = {
  kind: 'sweep' | 'fuel'
  name: string
  sources: readonly string[]
  targetWallet: string
  targetSubWallet: string
  fuelled: readonly string[]
  assets: readonly AskLine[]
  fees: Readonly<Record<string, { max: string; share: string }>>
  transfers: string
  days: string
}

export const EMPTY_DRAFT: AskDraft = {
  kind: 'sweep',
  name: '',
  sources: [],
  targetWallet: '',
  targetSubWallet: '',
  fuelled: [],
  assets: [{ chain: '', symbol: '', atLeast: '', atMost: '' }],
  fees: {},
  transfers: '1000',
  days: '90',
}

const AMOUNT = /^\d{1,60}(\.\d{1,30})?$/
const isWhole = (text: string, most: number) => /^[1-9]\d{0,6}$/.test(text) && Number(text) <= most

/** The first thing that is missing; undefined if the draft can be sent. What it means, the server says. */
export function faultOfDraft({ name, sources, kind, targetSubWallet, fuelled, assets, fees, transfers, days }: AskDraft): AskFault | undefined {
  if (name.trim() === '') return 'name'
  if (sources.length === 0) return 'sources'
  if (kind === 'sweep' ? targetSubWallet === '' : fuelled.length === 0) return 'targets'
  if (assets.some(({ chain, atLeast, atMost }) => chain === '' || !AMOUNT.test(atLeast) || !AMOUNT.test(atMost))) return 'assets'
  if (assets.some(({ chain }) => !AMOUNT.test(fees[chain]?.max ?? '') || !(Number(fees[chain]?.share) >= 0.01 && Number(fees[chain]?.share) <= 100)))
    return 'fees'
  return isWhole(transfers, 1_000_000) && isWhole(days, 366) ? undefined : 'numbers'
}

export type AskFault = 'name' | 'sources' | 'targets' | 'assets' | 'fees' | 'numbers'

/** The draft as the call takes it. */
export function draftToSend(draft: AskDraft): CallInput<typeof proposeStandingOrder>['draft'] {
  const whole = (walletId: string) => ({ wallet_id: walletId, sub_wallet_id: null })
  const chains = [...new Set(draft.assets.map(({ chain }) => chain))]
  return {
    id: null,
    kind: draft.kind,
    name: draft.name.trim(),
    sources: draft.sources.map(whole),
    targets:
      draft.kind === 'sweep'
        ? [{ kind: 'own', wallet_id: draft.targetWallet, sub_wallet_id: draft.targetSubWallet }]
        : draft.fuelled.map((walletId) => ({ kind: 'own' as const, ...whole(walletId) })),
    assets: draft.assets.map(({ chain, symbol, atLeast, atMost }) => ({ chain, symbol, at_least: atLeast, at_most: atMost })),
    fees: chains.map((chain) => ({ chain, max: draft.fees[chain]?.max ?? '', max_share: Number(draft.fees[chain]?.share) })),
    transfers: Number(draft.transfers),
    never: [],
    days: Number(draft.days),
  }
}

/** Lines with one of them changed. */
export const lineWith = (lines: readonly AskLine[], at: number, changes: Partial<AskLine>): AskLine[] =>
  lines.map((line, i) => (i === at ? { ...line, ...changes } : line))
