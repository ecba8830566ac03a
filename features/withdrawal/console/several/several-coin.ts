import type { Coin } from '../draft.ts'

/** A coin that several are paid in; together by one transaction, where its network has coins, or each by an order of their own. */
export type SeveralCoin = Coin & { isTogether: boolean }

/** How several are paid in a coin. */
export const severalCoin = (coin: Coin): SeveralCoin => ({ ...coin, isTogether: coin.chain.startsWith('bip122:') && coin.contract_address === null })

/** Whether several can be paid in a coin at once: a token that is inscribed for each payment cannot. */
export const paysSeveral = ({ chain, contract_address: contract }: Pick<Coin, 'chain' | 'contract_address'>): boolean =>
  contract === null || !chain.startsWith('bip122:')
