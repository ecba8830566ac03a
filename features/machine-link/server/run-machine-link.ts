import type { OrganisationTx } from '@holdfast/db'
import type { ServerContext } from '@holdfast/features/context'
import type { ServerServices } from '@holdfast/features/server-feature'
import { announce, createBackoff, repeat, type Repeating, tellSeldom } from '@holdfast/jobs'
import { PeerError } from '@holdfast/link'
import { currentPolicy } from '@holdfast/features/policy/server'
import { machinesOf } from '@holdfast/policy'
import { coSignerCalls, type ExaminedStep } from '@holdfast/protocol/co-signer-calls'
import { askCoSigner, type OpenOrder, openOrders, tellSent } from './ask-co-signers.ts'
import { bringUp } from './bring-up.ts'
import { noteStillHere, readSeen } from './link-state.ts'
import { type Connected, doorOf, type MachineDoor, type NamedMachine, nameOf } from './machine-door.ts'

type Needs = Pick<ServerContext, 'db' | 'ports'>

const SWEEP_MS = 1_000
const RETRY_MS = 1_000
const RETRY_MAX_MS = 30_000
/** Orders that one server has co-signers decide at the same time. */
const AT_ONCE_MAX = 16
const SEEN_EVERY_MS = 30_000
const EXAMINE_MS = 75_000

/** Brings up the co-signers that dial in, and asks them about the orders that wait for them, until stopped. Nothing where this server lets none in. */
export function startMachineLink(context: Needs, { proposals, report }: Pick<ServerServices, 'proposals' | 'report'>): Pick<Repeating, 'stop'> {
  const door = doorOf(context)
  if (!door) return { stop: async () => {} }
  const relay = new Relay(context, door, proposals, tellSeldom(context.ports.clock, report))
  const work = repeat(context.ports.timer, SWEEP_MS, () => relay.round(), report)
  const forget = door.onChange(() => {
    relay.nothingPutOff()
    work.poke()
  })
  return {
    stop: async () => {
      forget()
      await work.stop()
      await relay.settled()
    },
  }
}

class Relay {
  readonly #needs: Needs
  readonly #door: MachineDoor
  readonly #proposals: ServerServices['proposals']
  readonly #report: (cause: unknown) => void
  readonly #backoff: ReturnType<typeof createBackoff>
  /** Until when a co-signer said that it has nothing to say of an order. */
  readonly #later = new Map<string, number>()
  /** By co-signer: the open orders that were not its turn, with how many had spoken of each. None is read again before there is another word. */
  readonly #notItsTurn = new Map<string, Map<string, number>>()
  /** What is asked now, by co-signer and order. */
  readonly #asking = new Map<string, Promise<void>>()
  /** Which co-signers are told now. */
  readonly #telling = new Map<string, Promise<void>>()
  readonly #seenAt = new Map<string, number>()
  /** By co-signer: the link by which it was here when pages were told last; undefined where it was not here. */
  readonly #announced = new Map<string, Connected['link'] | undefined>()

  constructor(needs: Needs, door: MachineDoor, proposals: ServerServices['proposals'], report: (cause: unknown) => void) {
    this.#needs = needs
    this.#door = door
    this.#proposals = proposals
    this.#report = report
    this.#backoff = createBackoff(() => needs.ports.clock.monotonicMs(), RETRY_MS, RETRY_MAX_MS)
  }

  nothingPutOff(): void {
    this.#backoff.clear()
    this.#later.clear()
    this.#notItsTurn.clear()
  }

  async settled(): Promise<void> {
    await Promise.all([...this.#asking.values(), ...this.#telling.values()])
  }

  async round(): Promise<void> {
    await this.#door.refresh()
    for (const machine of this.#door.named()) {
      await this.#attend(`up ${nameOf(machine)}`, () => this.#bringUp(machine))
      const connected = this.#door.connected.get(nameOf(machine))
      await this.#announce(machine, connected)
      if (!connected) continue
      await this.#noteSeen(machine)
      await this.#askAbout(machine, connected)
      this.#tell(machine, connected)
    }
  }

  async #bringUp(machine: NamedMachine): Promise<void> {
    const [newest] = this.#door.linksOf(machine.publicKey)
    const { link } = this.#door.connected.get(nameOf(machine)) ?? {}
    // Whoever only looks in, as `check-ip` does, answers nothing: the link that was brought up before goes on.
    if (newest) await bringUp(this.#needs, this.#door, machine, link ?? newest)
  }

  /** Has pages ask again how a co-signer stands: it came, went, or came anew, perhaps in another version. */
  async #announce(machine: NamedMachine, connected: Connected | undefined): Promise<void> {
    const name = nameOf(machine)
    if (this.#announced.has(name) && this.#announced.get(name) === connected?.link) return
    const { db, ports } = this.#needs
    await db.asOrganisation(machine.orgId, (tx) => announce(tx, ports, 'machine.changed', { machine_id: machine.machineId }))
    this.#announced.set(name, connected?.link)
  }

  async #noteSeen(machine: NamedMachine): Promise<void> {
    const nowMs = this.#needs.ports.clock.nowMs()
    if ((this.#seenAt.get(nameOf(machine)) ?? 0) + SEEN_EVERY_MS > nowMs) return
    this.#seenAt.set(nameOf(machine), nowMs)
    await this.#needs.db.asOrganisation(machine.orgId, (tx) => noteStillHere(tx, machine.machineId, nowMs))
  }

  async #askAbout(machine: NamedMachine, connected: Connected): Promise<void> {
    const orders = await this.#needs.db.readOrganisation(machine.orgId, (tx) => openOrders(tx))
    const before = this.#notItsTurn.get(nameOf(machine))
    const notItsTurn = new Map(orders.flatMap(({ id }) => (before?.has(id) ? [[id, before.get(id) ?? 0]] : [])))
    this.#notItsTurn.set(nameOf(machine), notItsTurn)
    const nowMs = this.#needs.ports.clock.monotonicMs()
    for (const order of orders) {
      const name = `ask ${nameOf(machine)} ${order.id}`
      if (this.#asking.size >= AT_ONCE_MAX) return
      if (this.#asking.has(name) || notItsTurn.get(order.id) === order.words || (this.#later.get(name) ?? 0) > nowMs) continue
      const asked = this.#attend(name, () => this.#ask(machine, connected, order, name)).finally(() => this.#asking.delete(name))
      this.#asking.set(name, asked)
    }
  }

  /** Tells what was sent, beside the questions: a callback that takes long over news holds up none of them. */
  #tell(machine: NamedMachine, { link }: Connected): void {
    const name = `sent ${nameOf(machine)}`
    if (this.#telling.has(name)) return
    const told = this.#attend(name, () => tellSent(this.#needs, machine, link)).finally(() => this.#telling.delete(name))
    this.#telling.set(name, told)
  }

  async #ask(machine: NamedMachine, { link, version }: Connected, { id, words }: OpenOrder, name: string): Promise<void> {
    const answer = await askCoSigner(this.#needs, this.#proposals, { machine, link, version }, id)
    this.#later.delete(name)
    if (answer === undefined) this.#notItsTurn.get(nameOf(machine))?.set(id, words)
    if (answer?.kind !== 'later') return
    this.#later.set(name, this.#needs.ports.clock.monotonicMs() + Number(answer.afterMs))
    this.#report(new PeerError('unavailable', `the co-signer ${machine.machineId} puts order ${id} off: ${answer.reason}`))
  }

  async #attend(name: string, act: () => Promise<void>): Promise<void> {
    if (!this.#backoff.isDue(name)) return
    try {
      await act()
      this.#backoff.succeed(name)
    } catch (cause) {
      this.#backoff.fail(name)
      this.#report(cause)
    }
  }
}

/** How the co-signers of an organisation stand, as its policy in force names them. `last_seen` is null for one that was never here. */
export type CoSignerStatus = { machineId: string; name: string; online: boolean; version: string | null; lastSeen: number | null }

/** The co-signers of an organisation and how they stand; none where its policy names none. */
export async function coSignerStatus({ db }: Pick<ServerContext, 'db'>, tx: OrganisationTx): Promise<CoSignerStatus[]> {
  const [{ policy }, seen] = await Promise.all([currentPolicy(tx), readSeen(tx)])
  const machines = machinesOf(policy).filter(({ kind }) => kind === 'coSigner')
  const door = doorOf({ db })
  return machines.map(({ id, name }) => {
    const here = seen.get(id)
    const isOnline = door?.connected.has(nameOf({ orgId: tx.orgId, machineId: id })) ?? false
    return { machineId: id, name, online: isOnline, version: here?.version ?? null, lastSeen: here?.seenAt ?? null }
  })
}

/** Has a co-signer look at everything that it needs, and says step by step how that is. The first step says whether it is connected at all. */
export async function examineCoSigner(
  { db, ports }: Needs,
  orgId: OrganisationTx['orgId'],
  machineId: string,
): Promise<{ name: string; ok: boolean; msg: string; ms: number }[]> {
  const door = doorOf({ db })
  const name = nameOf({ orgId, machineId })
  const connected = door?.connected.get(name)
  const machine = door?.named().find((each) => nameOf(each) === name)
  if (!connected || !machine) return [{ name: 'connected', ok: false, msg: door ? 'it is not connected' : 'this server lets no co-signer in', ms: 0 }]
  const from = ports.clock.monotonicMs()
  const told = (step: Omit<ExaminedStep, 'ms'>, ms: number) => ({ name: step.name, ok: step.ok, msg: step.message, ms })
  try {
    const { version, steps } = await connected.link.call(coSignerCalls.examine, { genesis: machine.genesis }, { timeoutMs: EXAMINE_MS })
    const ms = Math.round(ports.clock.monotonicMs() - from)
    return [told({ name: 'connected', ok: true, message: `version ${version}` }, ms), ...steps.map((each) => told(each, Number(each.ms)))]
  } catch (cause) {
    if (!(cause instanceof PeerError)) throw cause
    return [told({ name: 'connected', ok: false, message: cause.message }, Math.round(ports.clock.monotonicMs() - from))]
  }
}
