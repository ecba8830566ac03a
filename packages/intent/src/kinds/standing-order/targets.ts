import type { StandingOrderIntent } from './standing-order.ts'

// Where a standing order moves to, if it moves to addresses that people named one by one.

type Payee = Extract<StandingOrderIntent['does'], { kind: 'schedule' }>['to']
type ListedTarget = Omit<Extract<Payee, { kind: 'listed' }>, 'kind'>

/** The addresses on the whitelist that a standing order moves to, in its sequence. */
export function listedTargets(order: Pick<StandingOrderIntent, 'does'>): ListedTarget[] {
  return targetsOf(order).filter((target) => target.kind === 'listed')
}

/** The address that a standing order pays whether or not it is on the whitelist; undefined if it pays none. */
export function writtenTarget(order: Pick<StandingOrderIntent, 'does'>): ListedTarget | undefined {
  return targetsOf(order).find((target) => target.kind === 'written')
}

function targetsOf({ does }: Pick<StandingOrderIntent, 'does'>): readonly Payee[] {
  if (does.kind === 'schedule') return [does.to]
  if (does.kind === 'rent') return does.to.map((provider) => ({ kind: 'listed', ...provider, memo: null }))
  return does.kind === 'sweep' ? does.to : []
}
