import { toHex } from '@holdfast/encoding'
import { type Decision, groupAddress, isTransaction, type Locale, movesMoney, renderFor, renderIntent, type Rendering } from '@holdfast/intent'
import { approvalContext, neededIn } from '@holdfast/policy'
import { known } from '@holdfast/units'
import type { App, View } from '../app.ts'
import { attentionSection } from './attention-section.ts'
import { decide } from '../decide.ts'
import { element, withKeys } from './element.ts'
import { factsOf, factsSection, recipientsSection } from './facts-section.ts'
import { Folds } from './folds.ts'
import { localTime } from '../format-time.ts'
import { stopLinks } from './home-view.ts'
import type { KeyRecord } from '../keys/key-store.ts'
import { acceptedAnother, isWaiting, listApprovers, seatOfApprover, type Approver } from '../read/list-approvers.ts'
import { PageError, sentenceOf } from '../page-error.ts'
import { approvalsSection, changesSection, closesSection, detailsSection, hasDemoKeys } from './order-sections.ts'
import { personRow } from './person-row.ts'
import { askedWords, standingWord } from './quorum-section.ts'
import { type Order, readOrder, windowOf } from '../read/read-order.ts'
import { isConfirmed, readWitnesses, type Witness } from '../read/read-witnesses.ts'
import type { ApproveReply } from '../read/signer-api.ts'
import { type Part, Reading } from './reading.ts'
import { witnessSection } from './witness-section.ts'
import { Work } from './work.ts'
import { enUs, type Words } from '../words/en-us.ts'

/** An order, read from its bytes, and the buttons of the people who can decide on it here. */
export function orderView(app: App, hash: string): View {
  const page = new OrderPage(app, hash)
  page.show()
  return page
}

/** As long as the remark of an order may be. */
const REMARK_MAX = 200

type Done = { decision: Decision; name: string; inPlaceOf: string | null; reply: ApproveReply }

/** An order in a line: what it says, how it stands, and what was decided on it here. */
export type OrderSummary = { title: string; standing: string; outcome: 'open' | 'closed' | Decision; intent: Order['intent'] | null }

/** One order. It is read at once; other signers are asked about it when it is first shown. */
export class OrderPage implements View {
  /** Settled when the order has been read, or could not be. */
  readonly read: Promise<void>
  readonly #app: App
  readonly #work: Work
  readonly #hash: string
  #order: Order | undefined
  #keys: KeyRecord[] = []
  #problem: unknown
  #done: Done | undefined
  /** What the other signers say; null while they are being asked. */
  #witnesses: readonly Witness[] | null = null
  #remark = ''
  /** Who is asked once more whether they mean to reject. */
  #rejecting: Approver | undefined
  readonly #reading = new Reading()
  readonly #folds = new Folds()
  #shown = false

  constructor(app: App, hash: string) {
    this.#app = app
    this.#work = new Work(app)
    this.#hash = hash
    this.read = this.#load()
  }

  stop(): void {
    this.#work.isStopped = true
    this.#reading.stop()
  }

  /** Whoever decides sees what the other signers say now, so they are asked when the order is looked at. */
  show(): void {
    if (this.#shown) return
    this.#shown = true
    if (this.#order && this.#closed() === null) void this.#askWitnesses()
  }

  summary(words: Words, locale: Locale): OrderSummary {
    const order = this.#order
    if (!order) {
      const standing = this.#problem === undefined ? words.loading : sentenceOf(this.#problem, words)
      return { title: words.pageName, standing, outcome: 'closed', intent: null }
    }
    const { title } = renderIntent(order.intent, approvalContext(order.policy), locale)
    const closed = this.#closed(words, locale)
    const done = this.#done && doneWords(this.#done, words)[0]
    const counts = order.quorums.map(({ tally, steps }) => words.order.count(String(neededIn(steps) - tally.missing), String(neededIn(steps))))
    const standing = done ?? closed ?? `${words.order.approvals}: ${counts.join(words.comma)}`
    return { title, standing, outcome: this.#done?.decision ?? (closed === null ? 'open' : 'closed'), intent: order.intent }
  }

  readonly #keep = (problem: unknown) => (this.#problem = problem)

  #load(): Promise<void> {
    return this.#work.read(this.#keep, async () => {
      const reply = await this.#app.api.getOrder(this.#hash)
      const order = readOrder(this.#hash, reply, this.#app.origin)
      // A browser without a key store can still approve with a passkey.
      const keys = await this.#app.keys.all().catch(() => [])
      if (acceptedAnother(order, keys)) throw new PageError('otherGenesis')
      this.#order = order
      this.#keys = keys
      if (this.#shown && this.#closed() === null) void this.#askWitnesses()
    })
  }

  get #loaded(): Order {
    return known(this.#order, 'the order that is shown')
  }

  async #askWitnesses(): Promise<void> {
    const order = this.#loaded
    this.#witnesses = null
    this.#app.redraw()
    const challenge = this.#app.random.bytes(32)
    // Where nobody can be asked nobody agrees, which is what the page then says.
    const read = async () => readWitnesses(await this.#app.api.getWitnesses(this.#hash, toHex(challenge)), order, challenge)
    const witnesses = await read().catch(() => [])
    if (this.#work.isStopped || this.#order !== order) return
    this.#witnesses = witnesses
    this.#app.redraw()
  }

  #closed(words?: Words, locale?: Locale): string | null {
    return closedBecause(this.#loaded, this.#app.clock.nowMs(), words, locale)
  }

  async #decide(approver: Approver, decision: Decision, locale: Locale): Promise<void> {
    this.#done = undefined
    await this.#work.run(this.#keep, async () => {
      const remark = decision === 'reject' ? this.#remark.trim() : ''
      const reply = await decide(this.#app, this.#loaded, approver, { decision, locale, remark })
      this.#done = { decision, name: approver.person.name, inPlaceOf: approver.inPlaceOf?.delegator.name ?? null, reply }
      this.#rejecting = undefined
      const done = this.#done
      this.#app.say((words) => doneWords(done, words).join('\n'))
      await this.#load()
      this.#app.reveal('done')
    })
  }

  /** `onward` leads on from here, where this order is one of several. */
  draw(words: Words, locale: Locale, onward?: Node): Node[] {
    const order = this.#order
    if (!order) return [...this.#withoutOrder(words), ...(onward ? [element('div', { class: 'bar pinned' }, onward)] : [])]
    const { intent } = order
    const rendering = renderIntent(intent, approvalContext(order.policy), locale)
    const isOpen = this.#closed(words, locale) === null
    const parts = this.#parts(order, rendering, words, locale)
    const bar = element('div', { class: 'bar', id: 'bar' }, ...(isOpen ? this.#decisions(order, words, locale) : []), onward ?? null)
    if (!isOpen) bar.classList.add('pinned')
    return [
      element('p', { class: 'eyebrow' }, kindWords(intent.kind, words), hasDemoKeys(order) && element('span', { class: 'badge' }, words.demo)),
      titleOf(rendering.title, isTransaction(intent) ? groupAddress(intent.to) : ''),
      ...(this.#done ? [doneNotice(this.#done, words, onward === undefined)] : []),
      factsSection(factsOf(order, words, locale), words),
      ...parts.map(({ section }) => section),
      this.#decideSection(order, words, locale),
      ...(bar.childElementCount > 0 ? [bar] : []),
      ...(isOpen ? [this.#reading.follow(parts, bar, words)] : []),
      stopLinks(toHex(intent.genesis), words),
    ]
  }

  /** What is to be read before anything is decided, in this order. */
  #parts(order: Order, rendering: Rendering, words: Words, locale: Locale): Part[] {
    const isOpen = this.#closed(words, locale) === null
    return [
      attentionSection(order, rendering, words),
      recipientsSection(order, words, locale),
      changesSection(order, words, locale),
      ...(order.closes && order.closes.count > 0 && isOpen ? [closesSection(order.closes, words, locale)] : []),
      approvalsSection(order, words, locale),
      detailsSection(order, rendering, this.#folds, words),
      ...(isOpen ? [witnessSection(this.#witnesses, words, () => void this.#askWitnesses())] : []),
    ]
      .filter((section) => section !== null)
      .map((section) => ({ title: section.querySelector('h2')?.textContent ?? '', section }))
  }

  #withoutOrder(words: Words): Node[] {
    const title = element('h1', { tabindex: '-1', id: 'title' }, words.pageName)
    if (this.#problem === undefined) return [title, element('p', { class: 'dim' }, words.loading)]
    const again = element('button', { type: 'button', id: 'again', onclick: () => void this.#load() }, words.tryAgain)
    return [title, problemNotice(this.#problem, words), element('div', { class: 'actions' }, again)]
  }

  #decideSection(order: Order, words: Words, locale: Locale): Node {
    const closed = this.#closed(words, locale)
    const { approvers, silent } = listApprovers(order, this.#keys, this.#app.origin)
    const others = approvers.filter((approver) => !approver.knownHere)
    const isNobodyHere = approvers.length === others.length
    // Who has rejected is said above, with the approvals.
    const barred = silent.filter((each) => each.why !== 'rejected')
    return element(
      'section',
      { 'aria-labelledby': 'decide' },
      element('h2', { id: 'decide' }, words.order.decide),
      ...(this.#problem === undefined ? [] : [problemNotice(this.#problem, words)]),
      ...(closed !== null ? [element('p', { class: 'notice' }, closed)] : []),
      ...(closed === null && approvers.length > 0 ? [element('p', { class: 'dim' }, words.order.binds)] : []),
      ...(closed === null && approvers.some(({ inPlaceOf }) => inPlaceOf) ? [element('p', { class: 'dim' }, words.delegation.one)] : []),
      ...(closed === null && approvers.length === 0 ? [element('p', { class: 'notice' }, words.order.nobody)] : []),
      ...(closed === null && barred.length > 0
        ? [element('ul', { class: 'people' }, ...barred.map(({ person, why }) => personRow(person.name, standingWord(why, words))))]
        : []),
      ...(closed === null && others.length > 0 && !this.#rejecting ? [this.#othersSection(others, isNobodyHere, words, locale)] : []),
    )
  }

  /** What can be done now: a decision of each person who has a key here, or the question whether a rejection is meant. */
  #decisions(order: Order, words: Words, locale: Locale): Node[] {
    if (this.#rejecting) return [this.#question(this.#rejecting, order, words, locale)]
    const here = listApprovers(order, this.#keys, this.#app.origin).approvers.filter((approver) => approver.knownHere)
    return here.map((approver) => this.#approverRow(approver, words, locale))
  }

  /** A rejection ends an order for everybody, so one more tap says that it is meant. */
  #question(approver: Approver, order: Order, words: Words, locale: Locale): Node {
    const back = () => {
      this.#rejecting = undefined
      this.#app.redraw()
    }
    const { person, inPlaceOf } = approver
    return element(
      'div',
      { class: 'approver', role: 'group', 'aria-labelledby': 'sure' },
      element('h2', { id: 'sure', tabindex: '-1' }, words.order.rejectSure),
      inPlaceOf && this.#inPlaceOf(inPlaceOf.delegator.name, locale),
      // The story of a change of the policy or of a key has no place for a reason.
      ...(movesMoney(order.intent) ? [this.#remarkField(words)] : []),
      element(
        'div',
        { class: 'actions' },
        element(
          'button',
          { type: 'button', id: 'reject-yes', class: 'danger', disabled: this.#work.isBusy, onclick: () => void this.#decide(approver, 'reject', locale) },
          this.#work.isBusy
            ? words.order.signing
            : inPlaceOf
              ? words.delegation.rejectAs(person.name, inPlaceOf.delegator.name)
              : words.order.rejectAs(person.name),
        ),
        element('button', { type: 'button', id: 'reject-no', disabled: this.#work.isBusy, onclick: back }, words.order.rejectNo),
      ),
    )
  }

  /** What whoever decides in somebody's place signs, as it begins. */
  #inPlaceOf(name: string, locale: Locale): Node {
    const { intent, policy } = this.#loaded
    return element('p', { class: 'notice warn' }, ...withKeys(renderFor(renderIntent(intent, approvalContext(policy), locale), name).title))
  }

  #remarkField(words: Words): Node {
    const field = element('textarea', { id: 'remark', rows: '2', maxlength: String(REMARK_MAX), 'aria-describedby': 'remark-note' }, this.#remark)
    field.addEventListener('input', () => (this.#remark = field.value))
    return element(
      'div',
      { class: 'field' },
      element('label', { for: 'remark' }, words.order.remark),
      field,
      element('p', { class: 'dim', id: 'remark-note' }, words.order.remarkNote),
    )
  }

  #othersSection(others: readonly Approver[], open: boolean, words: Words, locale: Locale): Node {
    return this.#folds.fold('others', words.order.others, open, ...others.map((approver) => this.#approverRow(approver, words, locale)))
  }

  #askIfMeant(approver: Approver): void {
    this.#rejecting = approver
    this.#app.redraw()
    this.#app.reveal('sure')
  }

  #approverRow(approver: Approver, words: Words, locale: Locale): Node {
    const { person, inPlaceOf } = approver
    const seat = seatOfApprover(approver)
    const method = words.method[approver.method.kind]
    const label = (decision: Decision): string => {
      if (inPlaceOf) return (decision === 'approve' ? words.delegation.approveAs : words.delegation.rejectAs)(person.name, seat.name)
      return (decision === 'approve' ? words.order.approveAs : words.order.rejectAs)(person.name)
    }
    const button = (decision: Decision): Node =>
      element(
        'button',
        {
          type: 'button',
          id: `${decision}-${approver.method.kind}-${person.name}${inPlaceOf ? `-for-${seat.name}` : ''}`,
          class: decision === 'approve' ? 'primary' : 'danger',
          disabled: this.#work.isBusy || (decision === 'approve' && !isConfirmed(this.#witnesses ?? [])),
          onclick: () => (decision === 'approve' ? void this.#decide(approver, decision, locale) : this.#askIfMeant(approver)),
        },
        label(decision),
      )
    return element(
      'div',
      { class: 'approver', role: 'group', 'aria-label': `${inPlaceOf ? words.delegation.decideForOther(person.name, seat.name) : person.name}, ${method}` },
      inPlaceOf && this.#inPlaceOf(seat.name, locale),
      element(
        'p',
        { class: 'who' },
        element('span', { class: 'name' }, person.name),
        element('span', { class: 'dim' }, this.#work.isBusy ? words.order.signing : method),
      ),
      approver.may.includes('approve')
        ? element('p', { class: 'dim' }, askedWords(this.#loaded, seat, words))
        : element('p', { class: 'dim' }, this.#loaded.quorums.every(({ tally }) => tally.met) ? words.order.mayStop : words.order.mayStillReject),
      element('div', { class: 'actions' }, ...approver.may.map(button)),
    )
  }
}

function kindWords(kind: Order['intent']['kind'], { order }: Words): string {
  return {
    transfer: order.kindTransfer,
    payout: order.kindPayout,
    notedPayout: order.kindPayout,
    batch: order.kindBatch,
    brc20Transfer: order.kindBrc20Transfer,
    brc20Batch: order.kindBrc20Transfer,
    brc20Inscribe: order.kindBrc20Transfer,
    replacement: order.kindReplacement,
    contractCall: order.kindContractCall,
    stake: order.kindStake,
    depositChild: order.kindDepositChild,
    authorization: order.kindAuthorization,
    policyChange: order.kindPolicyChange,
    keyChange: order.kindKeyChange,
    keyOrder: order.kindKeyOrder,
    absence: order.kindAbsence,
    liftFreeze: order.kindLiftFreeze,
    addressBook: order.kindAddressBook,
    standingOrder: order.kindStandingOrder,
  }[kind]
}

/** The title with its address set apart; the text stays exactly the rendering's. */
function titleOf(title: string, address: string): Node {
  if (address === '' || !title.endsWith(address)) return element('h1', { tabindex: '-1', id: 'title' }, ...withKeys(title))
  const apart = element('span', { class: 'address' }, ...withKeys(address))
  return element('h1', { tabindex: '-1', id: 'title' }, ...withKeys(title.slice(0, -address.length)), apart)
}

function problemNotice(problem: unknown, words: Words): Node {
  return element('p', { class: 'notice bad', role: 'alert' }, sentenceOf(problem, words))
}

function doneWords({ decision, name, inPlaceOf, reply }: Done, { order, delegation }: Words): string[] {
  const what = decision === 'reject' ? order.endedByNo : reply.missing > 0 ? order.stillMissing(String(reply.missing)) : order.noneMissing
  const who = inPlaceOf === null ? name : delegation.nameFor(name, inPlaceOf)
  return [decision === 'approve' ? order.doneApprove(who) : order.doneReject(who), what, order.state(order.states[reply.state] ?? reply.state)]
}

function doneNotice(done: Done, words: Words, isLast: boolean): Node {
  const [first = '', ...rest] = doneWords(done, words)
  const sentences = [...rest, ...(isLast ? [words.order.youCanClose] : [])].map((sentence) => element('p', {}, sentence))
  const look = done.decision === 'approve' ? 'panel good' : 'panel bad'
  return element('section', { class: look, id: 'done', tabindex: '-1' }, element('h2', {}, first), ...sentences)
}

/** Why nobody can decide any more, or yet; null while people can. */
function closedBecause(order: Order, nowMs: number, { order: words }: Words = enUs, locale: Locale = 'en-US'): string | null {
  if (order.deniedBecause !== null) return `${words.denied} ${words.denyReasons[order.deniedBecause] ?? order.deniedBecause}`
  // A new policy may still be voted for, or an organisation could never leave an expired one.
  if (order.intent.kind !== 'policyChange' && BigInt(nowMs) > order.policy.expiresAtMs) return words.policyExpired
  const window = windowOf(order.intent, nowMs)
  if (window === 'expired') return words.expired
  if (window === 'not-yet') return words.notYet(localTime(order.intent.notBeforeMs, locale))
  if (order.quorums.some((quorum) => quorum.tally.rejectedBy.length > 0)) return words.over
  return order.quorums.every((quorum) => quorum.tally.met) && !isWaiting(order) ? words.met : null
}
