import type { Brc20Operation } from './brc20.ts'

/** A token as its deployment made it, with what was minted so far; all amounts in parts of 10^-18. */
export type Brc20Token = { max: bigint; limit: bigint; decimals: number; minted: bigint }
/** What an address has of a token: freely, and in transfer inscriptions that were not sent yet. */
export type Brc20Holding = { available: bigint; transferable: bigint }

/** What inscriptions did that BRC-20 looks at; `to` is undefined for scripts without an address, and `isLost` where the satoshi went to whoever mined. */
export type Brc20Event =
  | { kind: 'reveal'; operation: Brc20Operation; to: string | undefined; isLost: boolean }
  | { kind: 'send'; ticker: string; amount: bigint; from: string; to: string | undefined; isLost: boolean }

/**
 * What an event did: `holdings` are those it changed, as they are after it. Nothing is `moved` by a deployment, nor where an inscription sets aside or gives
 * back.
 */
export type Brc20Effect = {
  kind: 'deploy' | 'mint' | 'inscribe' | 'send'
  amount: bigint
  holdings: { holder: string; holding: Brc20Holding }[]
  /** The token after it, where that changed. */
  token?: Brc20Token
  moved?: { from: string | null; to: string }
}

/** How things are before an event: the event's token, and what an address has of it. */
export type Brc20View = { token: Brc20Token | undefined; holdingOf: (holder: string) => Brc20Holding }

/**
 * What an event does by the rules of BRC-20, or undefined if it does nothing: the first deployment of a ticker counts; a mint gives at most the limit, and
 * what is left of the supply where that is less; a transfer that is inscribed sets aside what is available, and one above that never counts; its first
 * move gives the amount to whoever has the satoshi then, or back to the sender where a miner has it. Source: the BRC-20 standard of the Layer 1 Foundation.
 */
export function applyBrc20(event: Brc20Event, view: Brc20View): Brc20Effect | undefined {
  if (event.kind === 'send') return send(event, view)
  const { operation, to, isLost } = event
  if (operation.op === 'deploy') {
    const { max, limit, decimals } = operation
    return view.token || isLost ? undefined : { kind: 'deploy', amount: max, holdings: [], token: { max, limit, decimals, minted: 0n } }
  }
  const { token } = view
  if (!token || isLost || operation.digits > token.decimals) return undefined
  return operation.op === 'mint' ? mint(operation.amount, to, token, view) : inscribe(operation.amount, to, view)
}

function mint(asked: bigint, to: string | undefined, token: Brc20Token, { holdingOf }: Brc20View): Brc20Effect | undefined {
  const left = token.max - token.minted
  if (asked > token.limit || left <= 0n) return undefined
  const amount = asked < left ? asked : left
  const minted = { ...token, minted: token.minted + amount }
  if (to === undefined) return { kind: 'mint', amount, holdings: [], token: minted }
  const { available, transferable } = holdingOf(to)
  return {
    kind: 'mint',
    amount,
    holdings: [{ holder: to, holding: { available: available + amount, transferable } }],
    token: minted,
    moved: { from: null, to },
  }
}

function inscribe(amount: bigint, holder: string | undefined, { holdingOf }: Brc20View): Brc20Effect | undefined {
  if (holder === undefined) return undefined
  const { available, transferable } = holdingOf(holder)
  if (amount > available) return undefined
  return { kind: 'inscribe', amount, holdings: [{ holder, holding: { available: available - amount, transferable: transferable + amount } }] }
}

function send({ amount, from, to, isLost }: Extract<Brc20Event, { kind: 'send' }>, { holdingOf }: Brc20View): Brc20Effect {
  const before = holdingOf(from)
  const sender = { available: before.available, transferable: before.transferable - amount }
  if (isLost || to === from) return { kind: 'send', amount, holdings: [{ holder: from, holding: { ...sender, available: sender.available + amount } }] }
  if (to === undefined) return { kind: 'send', amount, holdings: [{ holder: from, holding: sender }] }
  const { available, transferable } = holdingOf(to)
  const receiver = { available: available + amount, transferable }
  const holdings = [
    { holder: from, holding: sender },
    { holder: to, holding: receiver },
  ]
  return { kind: 'send', amount, holdings, moved: { from, to } }
}
