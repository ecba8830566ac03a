import { decode, encode, fromHex, toHex } from '@holdfast/encoding'
import { type Freeze, freezeHash, freezeShape, type FreezeStatement } from '@holdfast/intent'
import { checkFreeze, FreezeRefused, type Genesis, genesisHash, genesisShape, mayFreeze, type Person, type Policy, policyShape } from '@holdfast/policy'
import { known } from '@holdfast/units'
import type { App, View } from '../app.ts'
import { signWith } from '../decide.ts'
import { element } from './element.ts'
import type { KeyRecord } from '../keys/key-store.ts'
import { type Method, methodsOf } from '../read/list-approvers.ts'
import { PageError, sentenceOf } from '../page-error.ts'
import type { FreezesReply, StopReply } from '../read/signer-api.ts'
import { Work } from './work.ts'
import type { Words } from '../words/en-us.ts'

/** One person stops all signing of the organisation with this fingerprint. */
export function stopView(app: App, genesis: string): View {
  return new StopPage(app, genesis)
}

/** As long as the reason of a freeze may be, in bytes; Chinese takes three for a character. */
const REASON_MAX_BYTES = 500

type Organisation = { genesis: Genesis; policy: Policy; frozen: number }
type Approver = Method & { person: Person }

/** The organisation out of the signer's answer: the founding document must have the fingerprint of the link. Throws PageError. */
export function readOrganisation(fingerprint: string, reply: FreezesReply, origin: string): Organisation {
  try {
    const genesis = decode(genesisShape, fromHex(reply.genesis))
    if (toHex(genesisHash(genesis)) !== fingerprint) throw new PageError('badDocument')
    const policy = decode(policyShape, fromHex(reply.policy))
    if (!policy.origins.some((each) => each.origin === origin)) throw new PageError('otherOrigin', origin)
    return { genesis, policy, frozen: reply.frozen.length }
  } catch (cause) {
    throw cause instanceof PageError ? cause : new PageError('badDocument', '', { cause })
  }
}

class StopPage implements View {
  readonly #app: App
  readonly #work: Work
  readonly #fingerprint: string
  #organisation: Organisation | undefined
  #keys: KeyRecord[] = []
  #reason = ''
  /** Who is asked once more whether they mean it. */
  #asked: Approver | undefined
  #done: StopReply | undefined
  #problem: unknown

  constructor(app: App, fingerprint: string) {
    this.#app = app
    this.#work = new Work(app)
    this.#fingerprint = fingerprint
    void this.#load()
  }

  stop(): void {
    this.#work.isStopped = true
  }

  readonly #keep = (problem: unknown) => (this.#problem = problem)

  #load(): Promise<void> {
    return this.#work.read(this.#keep, async () => {
      const reply = await this.#app.api.getFreezes(this.#fingerprint)
      this.#organisation = readOrganisation(this.#fingerprint, reply, this.#app.origin)
      // A browser without a key store can still sign with a passkey.
      this.#keys = await this.#app.keys.all().catch(() => [])
    })
  }

  async #freeze(approver: Approver): Promise<void> {
    await this.#work.run(this.#keep, async () => {
      this.#done = await freezeAs(this.#app, {
        fingerprint: this.#fingerprint,
        policy: known(this.#organisation, 'the organisation that was shown').policy,
        approver,
        reason: this.#reason,
      })
      this.#app.say((words) => words.stop.done)
      this.#app.reveal('title')
    })
  }

  draw(words: Words): Node[] {
    const problem = this.#problem === undefined ? [] : [element('p', { class: 'notice bad', role: 'alert' }, sentenceOf(this.#problem, words))]
    const organisation = this.#organisation
    const title = (text: string) => element('h1', { tabindex: '-1', id: 'title' }, text)
    if (!organisation) {
      const again = element('button', { type: 'button', id: 'again', onclick: () => void this.#load() }, words.tryAgain)
      return [
        title(words.pageName),
        ...problem,
        this.#problem === undefined ? element('p', { class: 'dim' }, words.loading) : element('div', { class: 'actions' }, again),
      ]
    }
    const { name } = organisation.genesis
    if (this.#done) {
      const { passed } = this.#done
      const said = element('p', { class: passed ? '' : 'notice warn' }, passed ? words.stop.passed : words.stop.notPassed)
      return [element('p', { class: 'eyebrow' }, name), title(words.stop.done), said, element('p', {}, words.stop.lift)]
    }
    return [
      element('p', { class: 'eyebrow' }, name),
      title(words.stop.title(name)),
      element('p', { class: 'lead' }, words.stop.what),
      element('p', {}, words.stop.how),
      ...(organisation.frozen > 0 ? [element('p', { class: 'notice warn' }, words.stop.already(String(organisation.frozen)))] : []),
      ...problem,
      element('section', { class: 'panel' }, ...(this.#asked ? this.#question(this.#asked, words) : this.#form(organisation, words))),
    ]
  }

  #form({ policy }: Organisation, words: Words): Node[] {
    const approvers = approversIn(policy, this.#keys, this.#app.origin)
    const here = approvers.filter((approver) => approver.knownHere)
    const others = approvers.filter((approver) => !approver.knownHere)
    if (approvers.length === 0) return [element('p', { class: 'notice' }, words.stop.nobody)]
    const field = element('textarea', { id: 'reason', rows: '3', maxlength: String(REASON_MAX_BYTES) }, this.#reason)
    const buttons = [...here, ...others].map((approver) => this.#askButton(approver, words))
    field.addEventListener('input', () => {
      this.#reason = field.value
      for (const button of buttons) (button.firstChild as HTMLButtonElement).disabled = !isReason(this.#reason)
    })
    const row = (list: Node[]) => element('div', { class: 'actions' }, ...list)
    return [
      element('div', { class: 'field' }, element('label', { for: 'reason' }, words.stop.reason), field),
      ...(here.length > 0 ? [row(buttons.slice(0, here.length))] : [element('p', { class: 'notice' }, words.order.nobody)]),
      ...(others.length > 0
        ? [element('details', { open: here.length === 0 }, element('summary', {}, words.order.others), row(buttons.slice(here.length)))]
        : []),
    ]
  }

  #askButton(approver: Approver, words: Words): HTMLElement {
    const { name } = approver.person
    const ask = () => {
      this.#asked = approver
      this.#app.redraw()
      this.#app.reveal('sure')
    }
    const button = element(
      'button',
      { type: 'button', id: `stop-${approver.method.kind}-${name}`, class: 'danger', disabled: !isReason(this.#reason), onclick: ask },
      words.stop.as(name),
    )
    return element('span', {}, button, element('span', { class: 'dim' }, ` ${words.method[approver.method.kind]}`))
  }

  #question(approver: Approver, words: Words): Node[] {
    const back = () => {
      this.#asked = undefined
      this.#app.redraw()
    }
    return [
      element('h2', { id: 'sure', tabindex: '-1' }, words.stop.sure),
      element('p', { class: 'quote' }, this.#reason.trim()),
      element(
        'div',
        { class: 'actions' },
        element(
          'button',
          { type: 'button', id: 'stop-yes', class: 'danger', disabled: this.#work.isBusy, onclick: () => void this.#freeze(approver) },
          words.stop.yes(approver.person.name),
        ),
        element('button', { type: 'button', id: 'stop-no', disabled: this.#work.isBusy, onclick: back }, words.stop.no),
      ),
    ]
  }
}

function isReason(text: string): boolean {
  const bytes = new TextEncoder().encode(text.trim()).length
  return bytes > 0 && bytes <= REASON_MAX_BYTES
}

/** The people who may stop signing, and with what they can say so from this browser. */
export function approversIn(policy: Policy, keys: readonly KeyRecord[], origin: string): Approver[] {
  const people = policy.people.filter(({ id }) => mayFreeze(policy, id))
  return people.flatMap((person) => methodsOf(person, policy, keys, origin).map((each) => ({ person, ...each })))
}

type Freezing = { fingerprint: string; policy: Policy; approver: Approver; reason: string }

/** Signs a freeze with one person's key, checks it as signers will, and hands it to the signer of this page. Throws PageError. */
export async function freezeAs(app: App, { fingerprint, policy, approver, reason }: Freezing): Promise<StopReply> {
  const statement: FreezeStatement = {
    genesis: fromHex(fingerprint),
    person: approver.person.id,
    atMs: BigInt(app.clock.nowMs()),
    nonce: app.random.bytes(32),
    reason: reason.trim().normalize('NFC'),
  }
  const freeze: Freeze = { statement, assertion: await signWith(app, approver.method, freezeHash(statement)) }
  try {
    checkFreeze(freeze, policy, statement.genesis)
  } catch (cause) {
    if (cause instanceof FreezeRefused) throw new PageError('wouldNotCount', '', { cause, refusal: cause.refusal })
    throw cause
  }
  return app.api.stopSigning(toHex(encode(freezeShape, freeze)))
}
