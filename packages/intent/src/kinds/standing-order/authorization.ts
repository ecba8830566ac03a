import type { Effects } from '@holdfast/chain-core'
import { type Infer, struct } from '@holdfast/encoding'
import { groupAddress } from '../../group-address.ts'
import { askedRows, keyRow, ORDER_WORDS } from '../../order-rows.ts'
import type { Locale, RenderContext, Rendering } from '../../rendering.ts'
import { askedIn, type CallAct, type Ordered } from '../act.ts'
import type { TransactionKind } from '../intent-kind.ts'
import { askedFields, movedFields } from '../order-fields.ts'

/**
 * An order that an account signs whose code runs in its name from then on (EIP-7702). `to` is that code's contract, or `ENDS_DELEGATION`. It moves nothing:
 * `amount` is 0 of `asset`, the chain's own coin, and so is `feeCap`, since whoever carries it in a transaction pays for it. It takes the account's nonce. No rule
 * of a policy lets it through: only a standing order does, which fixes the contract.
 */
const authorizationIntentShape = struct('holdfast/intent/authorization/v1', { ...movedFields, ...askedFields })

export type AuthorizationIntent = { kind: 'authorization' } & Infer<typeof authorizationIntentShape>
type Authorization = Omit<AuthorizationIntent, 'kind'>

/** What an authorization names in place of a contract where it ends every delegation of the account. Source: EIP-7702. */
export const ENDS_DELEGATION = '0x0000000000000000000000000000000000000000'

/** Why the parts of an authorization do not fit together; undefined if they do. */
export function authorizationFault({ asset, feeAsset, amount, feeCap, from, to }: Authorization): string | undefined {
  if (!asset.chain.startsWith('eip155:')) return 'accounts authorize code on EVM networks alone'
  if (asset.contract !== null || feeAsset.contract !== null) return "an authorization is named with the network's own coin"
  if (amount !== 0n || feeCap !== 0n) return 'an authorization moves nothing and pays no fee'
  return from === to ? 'the account would authorize itself' : undefined
}

const act = (looked: Ordered): CallAct => ({
  ...{ as: 'call', chain: looked.asset.chain, from: looked.from, contract: looked.to, value: 0n, data: new Uint8Array(0), signature: null },
  ...askedIn(looked),
})

function mismatch({ to }: Authorization, { authorizes }: Effects): string | undefined {
  if (!authorizes) return 'the bytes are no authorization'
  const delegate = authorizes.delegate ?? ENDS_DELEGATION
  return delegate === to ? undefined : `the bytes authorize ${delegate}, the order ${to}`
}

const en = {
  ...ORDER_WORDS['en-US'],
  begins: (contract: string) => `Let the code of ${contract} run in the name of this address`,
  ends: 'End that any code runs in the name of this address',
  what: 'What happens',
  runs: 'From the block that carries this on, whatever that contract can do is done in the name of the address, until another authorization takes its place.',
  stops: 'From the block that carries this on, no code runs in the name of the address.',
  contract: 'Contract',
  account: 'Address',
  risk: 'THE WHOLE ACCOUNT: a contract that runs in the name of an address can move everything that the address holds.',
}

const WORDS: Record<Locale, typeof en> = {
  'en-US': en,
  'zh-CN': {
    ...ORDER_WORDS['zh-CN'],
    begins: (contract) => `允许 ${contract} 的合约代码以本地址的名义运行`,
    ends: '终止任何合约代码以本地址的名义运行',
    what: '操作内容',
    runs: '自载入本授权的区块起，该合约能做的一切均可以本地址的名义执行，直至另一份授权取代它。',
    stops: '自载入本授权的区块起，不再有合约代码以本地址的名义运行。',
    contract: '合约',
    account: '地址',
    risk: '涉及整个账户：以某地址名义运行的合约可以转走该地址持有的全部资产。',
  },
}

/** An authorization in words. */
function render(intent: Authorization, context: RenderContext, locale: Locale): Rendering {
  const words = WORDS[locale]
  const isEnd = intent.to === ENDS_DELEGATION
  return {
    locale,
    title: isEnd ? words.ends : words.begins(groupAddress(intent.to)),
    rows: [
      { label: words.what, value: isEnd ? words.stops : words.runs },
      { label: words.contract, value: isEnd ? words.none : groupAddress(intent.to) },
      { label: words.account, value: groupAddress(intent.from) },
      { label: words.network, value: intent.asset.chain, isTechnical: true },
      ...askedRows(intent, context, locale),
      keyRow(intent, locale),
    ],
    warnings: isEnd ? [] : [words.risk],
    isGrave: !isEnd,
  }
}

export const authorization = {
  shape: authorizationIntentShape,
  fault: authorizationFault,
  render,
  does: ['authorizes'],
  moves: () => ({ count: 1, assets: 0 }),
  act,
  // People's approval never stands behind it: by what its bytes do it is nothing that a rule knows.
  done: () => undefined,
  mismatch,
  irreplaceable: 'an authorization is no transaction: nothing takes its place but another one of the next nonce',
} satisfies TransactionKind<typeof authorizationIntentShape>
