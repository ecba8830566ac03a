import type { App, View } from '../app.ts'
import { known } from '@holdfast/units'
import type { KeyRecord } from '../keys/key-store.ts'
import { sentenceOf } from '../page-error.ts'
import { type Organisation, readOrganisation } from '../read/read-organisation.ts'
import type { StopReply } from '../read/signer-api.ts'
import { fitsReason, freezeAs, REASON_MAX_BYTES, type Stopper, stoppersIn } from '../stop.ts'
import type { Words } from '../words/en-us.ts'
import { element } from './element.ts'
import { standingLink } from './home-view.ts'
import { Work } from './work.ts'

/** One person stops all signing of the organisation with this fingerprint. */
export function stopView(app: App, genesis: string): View {
  return new StopPage(app, genesis)
}

type Loaded = Organisation & { frozen: number }

class StopPage implements View {
  readonly #app: App
  readonly #work: Work
  readonly #fingerprint: string
  #organisation: Loaded | undefined
  #keys: KeyRecord[] = []
  #reason = ''
  /** Who is asked once more whether they mean it. */
  #asked: Stopper | undefined
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
      this.#organisation = { ...readOrganisation(this.#fingerprint, reply, this.#app.origin), frozen: reply.frozen.length }
      // A browser without a key store can still sign with a passkey.
      this.#keys = await this.#app.keys.all().catch(() => [])
    })
  }

  async #freeze(stopper: Stopper): Promise<void> {
    await this.#work.run(this.#keep, async () => {
      this.#done = await freezeAs(this.#app, {
        fingerprint: this.#fingerprint,
        policy: known(this.#organisation, 'the organisation that was shown').policy,
        stopper,
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
      standingLink(this.#fingerprint, words),
    ]
  }

  #form({ policy }: Loaded, words: Words): Node[] {
    const stoppers = stoppersIn(policy, 'signing', this.#keys, this.#app.origin)
    const here = stoppers.filter(({ knownHere }) => knownHere)
    const others = stoppers.filter(({ knownHere }) => !knownHere)
    if (stoppers.length === 0) return [element('p', { class: 'notice' }, words.stop.nobody)]
    const field = element('textarea', { id: 'reason', rows: '3', maxlength: String(REASON_MAX_BYTES), 'aria-describedby': 'reason-note' }, this.#reason)
    const note = element('p', { id: 'reason-note', class: 'dim', role: 'status' })
    const buttons = stoppers.map((stopper) => this.#askButton(stopper, words))
    const show = () => {
      note.textContent = fitsReason(this.#reason) ? '' : words.standing.tooLong
      for (const button of buttons) (button.firstChild as HTMLButtonElement).disabled = !isReason(this.#reason)
    }
    field.addEventListener('input', () => {
      this.#reason = field.value
      show()
    })
    show()
    const row = (list: Node[]) => element('div', { class: 'actions' }, ...list)
    return [
      element('div', { class: 'field' }, element('label', { for: 'reason' }, words.stop.reason), field, note),
      ...(here.length > 0 ? [row(buttons.slice(0, here.length))] : []),
      ...(others.length > 0
        ? [element('details', { open: here.length === 0 }, element('summary', {}, words.stop.others), row(buttons.slice(here.length)))]
        : []),
    ]
  }

  #askButton(stopper: Stopper, words: Words): HTMLElement {
    const { name } = stopper.person
    const ask = () => {
      this.#asked = stopper
      this.#app.redraw()
      this.#app.reveal('sure')
    }
    const button = element('button', { type: 'button', id: `stop-${stopper.method.kind}-${name}`, class: 'danger', onclick: ask }, words.stop.as(name))
    return element('span', {}, button, element('span', { class: 'dim' }, ` ${words.method[stopper.method.kind]}`))
  }

  #question(stopper: Stopper, words: Words): Node[] {
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
          { type: 'button', id: 'stop-yes', class: 'danger', disabled: this.#work.isBusy, onclick: () => void this.#freeze(stopper) },
          words.stop.yes(stopper.person.name),
        ),
        element('button', { type: 'button', id: 'stop-no', disabled: this.#work.isBusy, onclick: back }, words.stop.no),
      ),
    ]
  }
}

const isReason = (text: string): boolean => text.trim() !== '' && fitsReason(text)
