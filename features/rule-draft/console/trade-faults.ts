import type { CoversDraft } from '../contract.ts'
import { assetOf, type Known } from './known.ts'
import type { Fault, FaultKey } from './rule-faults.ts'

type Trades = Extract<CoversDraft, { kind: 'trades' }>

/** What is wrong with the trades that a rule is about. `amountFault` says why a text is no amount of so many decimals; an empty one is none. */
export function tradeFaults(
  { chain, router, gives, gets, slippage_percent: slippage, deadline_s: deadline }: Trades,
  refuses: boolean,
  known: Known,
  amountFault: (text: string, decimals: number) => FaultKey | undefined,
): Fault[] {
  const isSame = gives.length > 0 && gets.length > 0 && !gives.some(({ asset }) => gets.some((other) => other !== asset))
  return [
    ...(router.trim() === '' ? [{ field: 'covers.router', key: 'noRouter' } as const] : []),
    ...(gives.length === 0 ? [{ field: 'covers.gives', key: 'noAsset' } as const] : []),
    ...(gets.length === 0 ? [{ field: 'covers.gets', key: 'noAsset' } as const] : []),
    ...(isSame ? [{ field: 'covers.gets', key: 'samePair' } as const] : []),
    ...(refuses ? [] : gives.flatMap(({ asset, at_most: most }, at) => givenFault(at, most ?? '', assetOf(known, chain, asset)?.decimals ?? 0, amountFault))),
    ...(refuses || /^\d{1,2}(\.\d{1,2})?$/.test(slippage?.trim() ?? '') ? [] : [{ field: 'covers.slippage', key: 'percent' } as const]),
    ...(refuses || deadline !== 0 ? [] : [{ field: 'covers.deadline', key: 'noLength' } as const]),
  ]
}

function givenFault(at: number, text: string, decimals: number, amountFault: (text: string, decimals: number) => FaultKey | undefined): Fault[] {
  const key = /[1-9]/.test(text) ? amountFault(text, decimals) : (amountFault(text, decimals) ?? 'amountEmpty')
  return key ? [{ field: `covers.gives.${at}`, key, values: { decimals } }] : []
}
