import { addressBytes, addressText, encodeMessage } from '@holdfast/chain-tron/codec'
import { fromHex, toHex } from '@holdfast/encoding'
import type { Ports } from '@holdfast/ports'
import { known } from '@holdfast/units'
import { sha256 } from '@noble/hashes/sha2.js'
import { limitOf, TRX } from './accounts.ts'
import type { EmulatedChain } from './chain.ts'
import { type Kind, KINDS } from './messages.ts'
import { addressOfKey } from './sign-as.ts'

/*
 * Somebody on the emulated network who rents energy out for coin, in the form that features/tron-tools/README.md says: an account with stake that delegates
 * for a paid order, and takes back at its end.
 */

/** The key of the provider's play money: known to everybody. */
export const PROVIDER_KEY = sha256(new TextEncoder().encode('holdfast emulated tron energy provider: play money only'))
const PROVIDER = addressOfKey(PROVIDER_KEY)
const NAMES = { label: 'Local provider of energy, play money only', label_zh: '本地能量提供方（仅限测试币）' }
const STAKE = 2_000_000n * TRX
const SPENDING = 1_000n * TRX
/** Sun for a unit in an hour; the emulator burns 100 for one. */
const PRICE = 40n
const ENERGY_MAX = 5_000_000n
const HOURS = 1
const HOUR_MS = 3_600_000
/** An order that is not paid in this time is void. */
const OPEN_MS = 15 * 60_000
/** What the network rounds down, at the provider and at the receiver. */
const ENERGY = 1n

type RentOrder = {
  id: string
  reference: string
  payer: string
  receiver: string
  energy: string
  price: string
  expiresAtMs: number
  payment: string | null
  stake: string | null
  delivery: string | null
  untilMs: number | null
  takenBack: string | null
}

/** An order that the provider does not take, in words that say why. */
export class RentRefused extends Error {
  override name = 'RentRefused'
}

/** Signs and sends what an account of the emulator does; answers with the transaction's id, which the next block holds. */
export type SendAs = (key: Uint8Array, kind: Kind, value: Uint8Array) => Promise<string>

type Needs = {
  ports: Pick<Ports, 'disk'>
  chain: EmulatedChain
  send: SendAs
  mineOne(): Promise<void>
  payProvider(address: Uint8Array, amount: bigint): Promise<unknown>
  path: string
}

type Asked = Record<string, unknown>
type QuoteAsked = { receiver: string; energy: string }

/** Opens the provider with the orders of the last start. `answer` says what it offers and takes orders; `afterBlock` delivers, and takes back. */
export async function openEnergyMarket({ ports, chain, send, mineOne, payProvider, path }: Needs) {
  const stored = await ports.disk.read(path)
  let orders: RentOrder[] = stored ? (JSON.parse(new TextDecoder().decode(stored)) as RentOrder[]) : []
  const keep = () => ports.disk.writeAtomic(path, new TextEncoder().encode(JSON.stringify(orders)))
  const accountOf = (address: string) => chain.world().accounts.get(address)
  const isPending = (txid: string) => chain.pending().some((each) => each.txid === txid)
  const headMs = () => chain.head().timestampMs

  const ensureStake = async () => {
    if (accountOf(PROVIDER)) return
    await payProvider(fromHex(PROVIDER), STAKE + SPENDING)
    await mineOne()
    await send(
      PROVIDER_KEY,
      'FreezeBalanceV2Contract',
      encodeMessage(KINDS.FreezeBalanceV2Contract.message, { owner: fromHex(PROVIDER), amount: STAKE, resource: ENERGY }),
    )
    await mineOne()
  }
  const offer = async ({ receiver, energy }: QuoteAsked) => {
    await ensureStake()
    if (BigInt(energy) > ENERGY_MAX) throw new RentRefused(`at most ${ENERGY_MAX} units of energy are rented out at a time`)
    const to = hexOf(receiver)
    if (!accountOf(to)) throw new RentRefused('the account of the receiver is not active on the network')
    return { ...NAMES, chain: chain.chain, pay_to: addressText(fromHex(PROVIDER)), energy, hours: HOURS, price: String(BigInt(energy) * PRICE) }
  }
  const stateOf = (order: RentOrder) => stateIn(chain, order)
  const tell = (order: RentOrder) => ({
    id: order.id,
    pay_to: addressText(fromHex(PROVIDER)),
    price: order.price,
    expires_at: order.expiresAtMs,
    state: stateOf(order),
  })

  const take = async (asked: QuoteAsked & { payer: string; reference: string }) => {
    const found = orders.find((each) => each.reference === asked.reference)
    if (found) return tell(found)
    const { price, energy } = await offer(asked)
    const id = toHex(sha256(new TextEncoder().encode(`${asked.reference} ${headMs()}`))).slice(0, 24)
    const none = { payment: null, stake: null, delivery: null, untilMs: null, takenBack: null }
    const order = {
      id,
      reference: asked.reference,
      payer: hexOf(asked.payer),
      receiver: hexOf(asked.receiver),
      energy,
      price,
      expiresAtMs: headMs() + OPEN_MS,
      ...none,
    }
    orders = [...orders, order]
    await keep()
    return tell(order)
  }
  return {
    /** Answers a call of the form; undefined for a path that the form does not have. Throws RentRefused. */
    answer: async (method: string, at: string, asked: Asked): Promise<object | undefined> => {
      if (method === 'GET' && at === 'quote') return offer(quoteOf(asked))
      if (method === 'POST' && at === 'orders')
        return take({ ...quoteOf(asked), payer: textOf(asked, 'payer', /^T\w{33}$/), reference: textOf(asked, 'reference', /^.{1,64}$/) })
      const id = /^orders\/([0-9a-f]{24})$/.exec(at)?.[1]
      const order = orders.find((each) => each.id === id)
      if (method !== 'POST' || id === undefined) return undefined
      if (!order) throw new RentRefused('there is no such order')
      const txid = asked.payment_txid == null ? null : textOf(asked, 'payment_txid', /^[0-9a-f]{64}$/)
      if (order.payment === null && txid !== null && hasPaid(chain, orders, order, txid)) {
        order.payment = txid
        await keep()
      }
      return tell(order)
    },
    /** Delivers what was paid, again where a block that held it is forgotten, and takes back what is over. */
    afterBlock: async (): Promise<void> => {
      let isNews = false
      // A block that held the payment may be forgotten, or the chain begun anew.
      for (const order of orders.filter(({ payment }) => payment !== null && chain.heightOf(payment) !== undefined)) {
        const isLost = order.delivery !== null && chain.heightOf(order.delivery) === undefined && !isPending(order.delivery)
        const isDue = order.untilMs !== null && order.untilMs <= headMs() && order.takenBack === null
        if (order.delivery === null || isLost) await deliver(chain, send, order)
        else if (isDue) await takeBack(send, order)
        else continue
        isNews = true
      }
      if (isNews) await keep()
    },
  }
}

/** Whether a transaction paid for an order: in a block before it was void, from its payer, at least its price, and for no other order. */
function hasPaid(chain: EmulatedChain, orders: readonly RentOrder[], { id, payer, price, expiresAtMs }: RentOrder, txid: string): boolean {
  const height = chain.heightOf(txid)
  const block = height === undefined ? undefined : chain.block(height)
  const sent = block?.sent.find((each) => each.txid === txid)
  if (!block || block.timestampMs >= expiresAtMs) return false
  if (sent?.order.kind !== 'TransferContract' || orders.some((each) => each.id !== id && each.payment === txid)) return false
  const { owner, to, amount } = sent.order
  return toHex(owner) === payer && toHex(to) === PROVIDER && amount >= BigInt(price)
}

function stateIn(chain: EmulatedChain, { takenBack, delivery, payment, expiresAtMs }: RentOrder): string {
  if (takenBack !== null) return 'over'
  if (delivery !== null && chain.heightOf(delivery) !== undefined) return 'delivered'
  if (payment !== null) return 'paid'
  return expiresAtMs <= chain.head().timestampMs ? 'failed' : 'unpaid'
}

async function deliver(chain: EmulatedChain, send: SendAs, order: RentOrder): Promise<void> {
  const account = known(chain.world().accounts.get(order.receiver), 'the account of the receiver')
  order.stake ??= String(stakeFor(account, BigInt(order.energy)))
  const value = { owner: fromHex(PROVIDER), resource: ENERGY, amount: BigInt(order.stake), receiver: fromHex(order.receiver), lock: false, lockPeriod: 0n }
  order.delivery = await send(PROVIDER_KEY, 'DelegateResourceContract', encodeMessage(KINDS.DelegateResourceContract.message, value))
  order.untilMs = chain.head().timestampMs + HOURS * HOUR_MS
}

async function takeBack(send: SendAs, order: RentOrder): Promise<void> {
  const value = { owner: fromHex(PROVIDER), resource: ENERGY, amount: BigInt(known(order.stake, 'the stake')), receiver: fromHex(order.receiver) }
  order.takenBack = await send(PROVIDER_KEY, 'UnDelegateResourceContract', encodeMessage(KINDS.UnDelegateResourceContract.message, value))
}

const quoteOf = (asked: Asked): QuoteAsked => ({ receiver: textOf(asked, 'receiver', /^T\w{33}$/), energy: textOf(asked, 'energy', /^[1-9]\d{0,12}$/) })

function textOf(asked: Asked, name: string, form: RegExp): string {
  const text = asked[name]
  if (typeof text !== 'string' || !form.test(text)) throw new RentRefused(`${name} is missing, or of another form than ${form.source}`)
  return text
}

function hexOf(address: string): string {
  try {
    return toHex(addressBytes(address))
  } catch {
    throw new RentRefused(`${address} is no address of the network`)
  }
}

/** The stake, in whole coins, that gives an account so much more energy. */
function stakeFor(account: Parameters<typeof limitOf>[0], energy: bigint): bigint {
  const limitWith = (stake: bigint) => limitOf({ ...account, borrowed: { ...account.borrowed, energy: account.borrowed.energy + stake } }, 'energy')
  const base = limitOf(account, 'energy')
  let [low, high] = [0n, STAKE / TRX]
  while (low < high) {
    const middle = (low + high) / 2n
    if (limitWith(middle * TRX) - base >= energy) high = middle
    else low = middle + 1n
  }
  return low * TRX
}
