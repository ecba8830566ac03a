import { PAYOUTS } from '@holdfast/chain-evm/codec'
import type { Asset } from './asset.ts'
import { groupAddress } from './group-address.ts'
import type { Locale, Rendering } from './rendering.ts'

/** Whether several payments of one transaction are made by the contract that pays many, and not by the chain itself. */
export const isByContract = ({ chain }: Pick<Asset, 'chain'>): boolean => chain.startsWith('eip155:')

/** What the words of an order say that pays several by one transaction, where a contract makes the payments: which one, and what to look at. */
export function contractWords(asset: Asset, locale: Locale): Pick<Rendering, 'rows' | 'warnings'> {
  if (!isByContract(asset)) return { rows: [], warnings: [] }
  const words = WORDS[locale]
  // Tokens stay where they are if nobody is there to take them; coin is sent along, and nothing brings it back from an empty address.
  return { rows: [{ label: words.contract, value: groupAddress(PAYOUTS) }], warnings: asset.contract === null ? [words.mustStand] : [] }
}

const WORDS = {
  'en-US': {
    contract: 'Paid through the contract',
    mustStand:
      'The coins go through a contract of fixed code. Look its address up in a block explorer of this network first: where no contract stands there, the coins would be lost.',
  },
  'zh-CN': {
    contract: '经由合约付款',
    mustStand: '资金将经由一个代码固定的合约付出。请先在该网络的区块浏览器中查看合约地址：若该地址上没有合约，资金将永久丢失。',
  },
}
