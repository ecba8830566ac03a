import { type AccountResources, array, ChainError, type Delegation, malformed, type Meter, type Resource, RESOURCES } from '@holdfast/chain-core'
import { toHex } from '@holdfast/encoding'
import { addressBytes } from '../codec/address.ts'
import { address as addressOf, count, isNothing, list, record } from './answers.ts'
import { headerOf } from './read-block.ts'
import type { Rpc } from './rpc.ts'

type Claim = Record<string, unknown>
export type Meters = { free: Meter } & Record<Resource, Meter>

/** More accounts than this nobody is asked about one by one: each is a question. */
const RECEIVERS_MAX = 200

/** What an account may use in a day without burning coin, and has used. */
export async function readMeters(rpc: Rpc, address: string): Promise<Meters> {
  const answer = record(await rpc('wallet/getaccountresource', { address: toHex(addressBytes(address)) }), 'resources of an account')
  const meter = (limit: string, used: string) => ({ limit: count(answer[limit], limit), used: count(answer[used], used) })
  return { free: meter('freeNetLimit', 'freeNetUsed'), bandwidth: meter('NetLimit', 'NetUsed'), energy: meter('EnergyLimit', 'EnergyUsed') }
}

/** Coin of an account that is no part of its balance: staked, delegated, or ended and not taken back yet. */
export async function readStaked(rpc: Rpc, address: string): Promise<bigint> {
  const account = await accountOf(rpc, address)
  const staked = frozen(account).reduce((sum, each) => sum + each.amount, 0n)
  const unstaking = unfrozen(account).reduce((sum, each) => sum + each.amount, 0n)
  return RESOURCES.reduce((sum, resource) => sum + delegated(account, resource).out, staked + unstaking)
}

/** Everything that an account has of resources, from several questions: between two of them a block may come. */
export async function readResources(rpc: Rpc, address: string): Promise<AccountResources> {
  const owner = toHex(addressBytes(address))
  const [account, { free, ...meters }, unstakes, ...sizes] = await Promise.all([
    accountOf(rpc, address),
    readMeters(rpc, address),
    rpc('wallet/getavailableunfreezecount', { owner_address: owner }),
    ...RESOURCES.map((_, type) => rpc('wallet/getcandelegatedmaxsize', { owner_address: owner, type })),
  ])
  const own = frozen(account)
  const stakeOf = (resource: Resource, i: number) => {
    const { out, received } = delegated(account, resource)
    const amount = own.reduce((sum, each) => (each.type === resource ? sum + each.amount : sum), 0n)
    return { own: amount, delegatedOut: out, delegatedIn: received, delegatable: count(record(sizes[i], 'what can be delegated').max_size, 'max_size') }
  }
  const now = BigInt(headerOf(await rpc('wallet/getnowblock', {})).timestampMs)
  const waiting = unfrozen(account)
  return {
    isActive: Object.keys(account).length > 0,
    free,
    meters,
    stakes: { bandwidth: stakeOf('bandwidth', 0), energy: stakeOf('energy', 1) },
    unstaking: waiting.filter(({ freeAtMs }) => freeAtMs > now),
    withdrawable: waiting.reduce((sum, { amount, freeAtMs }) => (freeAtMs > now ? sum : sum + amount), 0n),
    unstakesLeft: count(record(unstakes, 'stakes that can be ended').count, 'count'),
    delegations: await readDelegations(rpc, owner),
  }
}

async function accountOf(rpc: Rpc, address: string): Promise<Claim> {
  return record(await rpc('wallet/getaccount', { address: toHex(addressBytes(address)) }), 'account')
}

const RESOURCE_NAMES: Record<string, Resource | null> = { BANDWIDTH: 'bandwidth', ENERGY: 'energy', TRON_POWER: null }

/** What a stake is for; nodes leave bandwidth out, and name a third kind that gives neither. */
function resourceOf(claim: unknown): Resource | null {
  const name = claim ?? 'BANDWIDTH'
  const resource = typeof name === 'string' && Object.hasOwn(RESOURCE_NAMES, name) ? RESOURCE_NAMES[name] : undefined
  if (resource === undefined) throw malformed('kind of a stake', claim)
  return resource
}

function frozen(account: Claim): { type: Resource | null; amount: bigint }[] {
  return list(account.frozenV2, 'list of stakes').map((each) => {
    const { type, amount } = record(each, 'stake')
    return { type: resourceOf(type), amount: count(amount, 'amount of a stake') }
  })
}

function unfrozen(account: Claim): AccountResources['unstaking'] {
  return list(account.unfrozenV2, 'list of stakes that were ended').map((each) => {
    const { type, unfreeze_amount: amount, unfreeze_expire_time: time } = record(each, 'stake that was ended')
    return {
      // The third kind gives nothing and is not made any more; its coin comes back like any other.
      resource: resourceOf(type) ?? 'bandwidth',
      amount: count(amount, 'amount of a stake that was ended'),
      freeAtMs: count(time, 'time of a stake that was ended'),
    }
  })
}

function delegated(account: Claim, resource: Resource): { out: bigint; received: bigint } {
  // What is about energy stands in a part of its own.
  const place = resource === 'bandwidth' ? account : record(account.account_resource ?? {}, 'resources of an account')
  const read = (name: string) => count(place[name], name)
  return {
    out: read(`delegated_frozenV2_balance_for_${resource}`),
    received: read(`acquired_delegated_frozenV2_balance_for_${resource}`),
  }
}

async function readDelegations(rpc: Rpc, owner: string): Promise<Delegation[]> {
  const index = record(await rpc('wallet/getdelegatedresourceaccountindexv2', { value: owner }), 'list of delegations')
  const receivers = list(index.toAccounts, 'accounts that were delegated to').map((each) => addressOf(each, 'account that was delegated to'))
  if (receivers.length > RECEIVERS_MAX) throw new ChainError(`the account delegates to ${receivers.length} others: more than ${RECEIVERS_MAX} are not read`)
  const found = await Promise.all(
    receivers.map(async (to) => {
      const answer = await rpc('wallet/getdelegatedresourcev2', { fromAddress: owner, toAddress: toHex(addressBytes(to)) })
      return isNothing(answer)
        ? []
        : array(record(answer, 'delegations').delegatedResource, 'delegations').flatMap((each) => delegationsOf(record(each, 'delegation'), to))
    }),
  )
  return found.flat()
}

/** A node tells of what is locked and of what is not apart, each for both resources. */
function delegationsOf(claim: Claim, to: string): Delegation[] {
  return RESOURCES.flatMap((resource) => {
    const amount = count(claim[`frozen_balance_for_${resource}`], 'amount of a delegation')
    const until = count(claim[`expire_time_for_${resource}`], 'end of a lock')
    return amount === 0n ? [] : [{ to, resource, amount, lockedUntilMs: until === 0n ? null : until }]
  })
}
