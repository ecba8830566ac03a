import { fromHex, toHex } from '@holdfast/encoding'
import { type Locale, renderIntent, standingOrderRows } from '@holdfast/intent'
import { approvalContext, findPerson } from '@holdfast/policy'
import { known } from '@holdfast/units'
import type { App, View } from '../app.ts'
import { localTime } from '../format-time.ts'
import type { KeyRecord } from '../keys/key-store.ts'
import { sentenceOf } from '../page-error.ts'
import { type Kept, readKept } from '../read/read-kept.ts'
import { type Organisation, readOrganisation } from '../read/read-organisation.ts'
import type { StandingReply } from '../read/signer-api.ts'
import { fitsReason, REASON_MAX_BYTES, type Stopper, stopOrdersAs, stoppersIn } from '../stop.ts'
import type { Words } from '../words/en-us.ts'
import { element, row } from './element.ts'
import { Folds } from './folds.ts'
import { freezeLink } from './home-view.ts'
import { Work } from './work.ts'

/** What the signers of the organisation with this fingerprint do without asking, and how one person stops it. */
export function standingView(app: App, genesis: string): View {
  return new StandingPage(app, genesis)
}

type Loaded = Organisation & { standing: readonly Kept[] }
/** What is to be stopped: one standing order, or all of them. */
type Asked = { orders: readonly Kept[]; isAll: boolean }
/** `isOvertaken`: a newer version was followed before the stop came, and goes on. */
type Done = Asked & { passed: boolean; isOvertaken: boolean }

/** So many standing orders are shown whole at first; of more, each is opened. */
const WHOLE_MAX = 3

const isRunning = ({ stoppedBy }: Kept): boolean => stoppedBy === null
const idOf = ({ order }: Kept): string => toHex(order.id)

class StandingPage implements View {
  readonly #app: App
  readonly #work: Work
  readonly #fingerprint: string
  readonly #folds = new Folds()
  #loaded: Loaded | undefined
  #keys: KeyRecord[] = []
  #reason = ''
  #asked: Asked | undefined
  #done: Done | undefined
  #problem: unknown

  constructor(app: App, fingerprint: string) {
    this.#app = app
    this.#work = new Work(app)
    this.#fingerprint = fingerprint
    void this.#read()
  }

  stop(): void {
    this.#work.isStopped = true
  }

  readonly #keep = (problem: unknown) => (this.#problem = problem)

  #read(): Promise<void> {
    return this.#work.read(this.#keep, async () => {
      this.#loaded = this.#readReply(await this.#app.api.getStandingOrders(this.#fingerprint))
      // A browser without a key store can still sign with a passkey.
      this.#keys = await this.#app.keys.all().catch(() => [])
    })
  }

  /** What is still in force stands first. */
  #readReply({ orders, ...documents }: StandingReply): Loaded {
    const standing = orders.map((each) => readKept(each, fromHex(this.#fingerprint)))
    const organisation = readOrganisation(this.#fingerprint, documents, this.#app.origin)
    return { ...organisation, standing: standing.sort((a, b) => Number(isRunning(b)) - Number(isRunning(a))) }
  }

  /** Asks whether it is meant, or no longer: then the keyboard is where it came from. */
  #ask(asked: Asked | undefined): void {
    const before = this.#asked
    this.#asked = asked
    this.#done = undefined
    this.#problem = undefined
    this.#app.redraw()
    this.#app.reveal(asked || !before ? 'sure' : buttonOf(before))
  }

  async #stop(stopper: Stopper, asked: Asked): Promise<void> {
    await this.#work.run(this.#keep, async () => {
      const { policy } = known(this.#loaded, 'the standing orders that were shown')
      const orders = asked.orders.map(({ order: { id, version } }) => ({ id, version }))
      const stopping = { fingerprint: this.#fingerprint, policy, stopper, reason: this.#reason }
      const { passed, ...reply } = await stopOrdersAs(this.#app, stopping, orders)
      this.#asked = undefined
      this.#reason = ''
      const loaded = this.#readReply(reply)
      this.#loaded = loaded
      const isOvertaken = loaded.standing.some((kept) => isRunning(kept) && asked.orders.some((each) => idOf(each) === idOf(kept)))
      const done = { ...asked, passed, isOvertaken }
      this.#done = done
      this.#app.say((words) => doneTitle(done, words))
    })
    if (this.#done) this.#app.reveal('done')
  }

  draw(words: Words, locale: Locale): Node[] {
    const { standing: said } = words
    const loaded = this.#loaded
    const problem = this.#notice(words)
    const title = (text: string) => element('h1', { tabindex: '-1', id: 'title' }, text)
    if (!loaded) {
      const again = element('div', { class: 'actions' }, element('button', { type: 'button', id: 'again', onclick: () => void this.#read() }, words.tryAgain))
      return [title(words.pageName), ...problem, this.#problem === undefined ? element('p', { class: 'dim' }, words.loading) : again]
    }
    const { genesis, standing } = loaded
    return [
      element('p', { class: 'eyebrow' }, genesis.name),
      title(said.title(genesis.name)),
      element('p', { class: 'lead' }, said.what),
      element('p', {}, said.who),
      ...(this.#done ? [doneSection(this.#done, words)] : []),
      ...(this.#done || standing.every(isRunning) ? [] : [element('p', {}, said.again)]),
      ...(this.#asked ? [] : problem),
      ...(standing.length === 0 ? [element('p', { class: 'notice' }, said.none)] : []),
      ...this.#allSection(loaded, words),
      ...standing.map((kept) => this.#card(kept, loaded, words, locale)),
      freezeLink(this.#fingerprint, words),
    ]
  }

  #notice(words: Words): Node[] {
    return this.#problem === undefined ? [] : [element('p', { class: 'notice bad', role: 'alert' }, sentenceOf(this.#problem, words))]
  }

  #allSection(loaded: Loaded, words: Words): Node[] {
    const { standing: said } = words
    const orders = loaded.standing.filter(isRunning)
    if (orders.length === 0) return []
    const isAsked = this.#asked?.isAll === true
    const button = this.#askButton(said.stopAll, { orders, isAll: true })
    return [
      element(
        'section',
        { class: 'panel', 'aria-labelledby': 'all' },
        element('h2', { id: 'all' }, said.all),
        element('p', {}, said.allWhat(String(orders.length))),
        ...(isAsked ? this.#question({ orders, isAll: true }, loaded, words) : [button]),
      ),
    ]
  }

  #card(kept: Kept, loaded: Loaded, words: Words, locale: Locale): Node {
    const { standing: said } = words
    const { order } = kept
    const id = idOf(kept)
    const { title } = renderIntent(order, approvalContext(loaded.policy), locale)
    const rows = standingOrderRows(order, locale).flatMap(({ label, value }) => row(label, value))
    const isAsked = this.#asked?.isAll === false && this.#asked.orders.some((each) => idOf(each) === id)
    const asked: Asked = { orders: [kept], isAll: false }
    return element(
      'section',
      { class: 'panel', 'aria-labelledby': `standing-${id}` },
      element('h2', { id: `standing-${id}` }, title),
      this.#stateOf(kept, loaded, words, locale),
      element('p', { class: 'dim' }, said.version(String(order.version), localTime(order.untilMs, locale))),
      this.#folds.fold(`whole-${id}`, said.details, loaded.standing.length <= WHOLE_MAX, element('dl', { class: 'rows' }, ...rows)),
      ...(isAsked ? this.#question(asked, loaded, words) : []),
      isRunning(kept) && !isAsked && this.#askButton(said.stop(order.name), asked),
    )
  }

  #stateOf({ order, stoppedBy }: Kept, { policy }: Loaded, { standing: said }: Words, locale: Locale): Node {
    const nowMs = BigInt(this.#app.clock.nowMs())
    const state = (look: string, text: string) => element('p', { class: look }, element('span', { class: 'standing' }, text))
    if (stoppedBy) return state('no', said.stopped(findPerson(policy, stoppedBy)?.name ?? said.stranger))
    if (nowMs >= order.untilMs) return state('', said.ended)
    return nowMs < order.notBeforeMs ? state('', said.begins(localTime(order.notBeforeMs, locale))) : state('yes', said.running)
  }

  #askButton(label: string, asked: Asked): Node {
    const onclick = () => this.#ask(asked)
    const button = element('button', { type: 'button', id: buttonOf(asked), class: 'danger', disabled: this.#work.isBusy, onclick }, label)
    return element('div', { class: 'actions' }, button)
  }

  /** What stops, in words, and one button for each person who can sign for it: a stop is one signature, and one more tap says that it is meant. */
  #question({ orders, isAll }: Asked, { policy }: Loaded, words: Words): Node[] {
    const { standing: said } = words
    const stoppers = stoppersIn(policy, 'standing', this.#keys, this.#app.origin)
    const [first] = orders
    const buttons = stoppers.map((stopper) => this.#yesButton(stopper, { orders, isAll }, words))
    const known = stoppers.filter(({ knownHere }) => knownHere).length
    // Where this browser knows nobody, there is nothing that others would have to be told from.
    const [shown, folded] = known === 0 ? [buttons, []] : [buttons.slice(0, known), buttons.slice(known)]
    const row = (...some: Node[]) => element('div', { class: 'actions' }, ...some)
    return [
      element('h3', { id: 'sure', tabindex: '-1' }, isAll || !first ? said.sureAll : said.sure(first.order.name)),
      element('p', {}, said.effect),
      element('ul', { class: 'lines' }, ...orders.map(({ order }) => element('li', {}, said.line(order.name, String(order.version))))),
      element('p', {}, said.goesOn),
      this.#reasonField(buttons, words),
      ...(stoppers.length === 0 ? [element('p', { class: 'notice' }, said.nobody)] : []),
      ...this.#notice(words),
      row(...shown, element('button', { type: 'button', id: 'stop-no', disabled: this.#work.isBusy, onclick: () => this.#ask(undefined) }, words.stop.no)),
      ...(folded.length > 0 ? [element('details', {}, element('summary', {}, words.stop.others), row(...folded))] : []),
    ]
  }

  #reasonField(buttons: readonly HTMLButtonElement[], { standing: said }: Words): Node {
    const field = element('textarea', { id: 'reason', rows: '2', maxlength: String(REASON_MAX_BYTES), 'aria-describedby': 'reason-note' }, this.#reason)
    const note = element('p', { id: 'reason-note', class: 'dim', role: 'status' })
    const show = () => {
      const fits = fitsReason(this.#reason)
      note.textContent = fits ? '' : said.tooLong
      for (const button of buttons) button.disabled = this.#work.isBusy || !fits
    }
    field.addEventListener('input', () => {
      this.#reason = field.value
      show()
    })
    show()
    return element('div', { class: 'field' }, element('label', { for: 'reason' }, said.reason), field, note)
  }

  #yesButton(stopper: Stopper, asked: Asked, words: Words): HTMLButtonElement {
    const { name } = stopper.person
    const { kind } = stopper.method
    const onclick = () => void this.#stop(stopper, asked)
    const label = this.#work.isBusy ? words.order.signing : `${words.standing.yes(name)} (${words.method[kind]})`
    return element('button', { type: 'button', id: `yes-${kind}-${name}`, class: 'danger', onclick }, label)
  }
}

/** The button that asks for it, by its id. */
const buttonOf = ({ orders: [first], isAll }: Asked): string => (isAll || !first ? 'stop-all' : `stop-${idOf(first)}`)

function doneTitle({ orders: [first], isAll, isOvertaken }: Done, { standing: said }: Words): string {
  if (isOvertaken) return said.overtaken
  return isAll || !first ? said.doneAll : said.done(first.order.name)
}

function doneSection(done: Done, words: Words): Node {
  const { passed, isOvertaken } = done
  const { stop, standing } = words
  const look = isOvertaken ? 'bad' : passed ? 'good' : 'warn'
  const sentences = isOvertaken ? [standing.stopNewer] : [passed ? stop.passed : stop.notPassed, standing.again]
  return element(
    'section',
    { class: `panel ${look}`, id: 'done', tabindex: '-1' },
    element('h2', {}, doneTitle(done, words)),
    ...sentences.map((sentence) => element('p', {}, sentence)),
  )
}
