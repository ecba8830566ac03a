import { equalBytes, toHex } from '@holdfast/encoding'
import type { Locale } from '@holdfast/intent'
import type { Person } from '@holdfast/policy'
import { known } from '@holdfast/units'
import type { App, View } from '../app.ts'
import { daysOf, delegateAs, type Delegator, delegatorsIn, deputiesIn, type Terms } from '../delegation.ts'
import { localTime } from '../format-time.ts'
import type { KeyRecord } from '../keys/key-store.ts'
import { sentenceOf } from '../page-error.ts'
import { type Organisation, readOrganisation } from '../read/read-organisation.ts'
import type { DelegationReply } from '../read/signer-api.ts'
import type { Prefilled } from '../route.ts'
import type { Words } from '../words/en-us.ts'
import { element, row } from './element.ts'
import { stopLinks } from './home-view.ts'
import { Work } from './work.ts'

/** Where somebody of the organisation with this fingerprint says who decides for them, or ends it. `prefilled` is what a link proposes; nothing of it is trusted. */
export function delegationView(app: App, genesis: string, prefilled: Prefilled | null): View {
  return new DelegationPage(app, genesis, prefilled)
}

type Loaded = Organisation & { heard: ReadonlyMap<string, bigint> }
/** What somebody is asked once more whether they mean it: whom they name, or null that they end it. */
type Asked = { delegator: Delegator; terms: Terms | null }
type Done = Asked & { reply: DelegationReply }

class DelegationPage implements View {
  readonly #app: App
  readonly #work: Work
  readonly #fingerprint: string
  #loaded: Loaded | undefined
  #keys: KeyRecord[] = []
  #chosen: Prefilled
  #asked: Asked | undefined
  #done: Done | undefined
  #problem: unknown

  constructor(app: App, fingerprint: string, prefilled: Prefilled | null) {
    this.#app = app
    this.#work = new Work(app)
    this.#fingerprint = fingerprint
    const today = dayOf(app.clock.nowMs())
    this.#chosen = prefilled ?? { delegate: '', first: today, last: today }
    void this.#load()
  }

  stop(): void {
    this.#work.isStopped = true
  }

  readonly #keep = (problem: unknown) => (this.#problem = problem)

  #load(): Promise<void> {
    return this.#work.read(this.#keep, async () => {
      const { heard, ...documents } = await this.#app.api.getDelegations(this.#fingerprint)
      const sequences = new Map(heard.map(({ person, sequence }) => [person, sequence]))
      this.#loaded = { ...readOrganisation(this.#fingerprint, documents, this.#app.origin), heard: sequences }
      // A browser without a key store can still sign with a passkey.
      this.#keys = await this.#app.keys.all().catch(() => [])
    })
  }

  #ask(asked: Asked | undefined): void {
    this.#asked = asked
    this.#problem = undefined
    this.#app.redraw()
    this.#app.reveal(asked ? 'sure' : 'title')
  }

  async #sign(asked: Asked): Promise<void> {
    await this.#work.run(this.#keep, async () => {
      const { policy, heard } = known(this.#loaded, 'the organisation that was shown')
      const last = heard.get(toHex(asked.delegator.person.id)) ?? 0n
      this.#done = { ...asked, reply: await delegateAs(this.#app, { ...asked, fingerprint: this.#fingerprint, policy, heard: last }) }
      const done = this.#done
      this.#app.say((words) => doneTitle(done, words))
      this.#app.reveal('title')
    })
  }

  draw(words: Words, locale: Locale): Node[] {
    const { delegation: said } = words
    const title = (text: string) => element('h1', { tabindex: '-1', id: 'title' }, text)
    const problem = this.#problem === undefined ? [] : [element('p', { class: 'notice bad', role: 'alert' }, sentenceOf(this.#problem, words))]
    const loaded = this.#loaded
    if (!loaded) {
      const again = element('div', { class: 'actions' }, element('button', { type: 'button', id: 'again', onclick: () => void this.#load() }, words.tryAgain))
      return [title(words.pageName), ...problem, this.#problem === undefined ? element('p', { class: 'dim' }, words.loading) : again]
    }
    const eyebrow = element('p', { class: 'eyebrow' }, loaded.genesis.name)
    if (this.#done) {
      const { passed } = this.#done.reply
      const told = element('p', { class: passed ? '' : 'notice warn' }, passed ? said.passed : said.notPassed)
      return [eyebrow, title(doneTitle(this.#done, words)), told, ...(this.#done.terms ? [element('p', {}, said.endAnyTime)] : [])]
    }
    const asked = this.#asked
    return [
      eyebrow,
      title(said.title),
      element('p', { class: 'lead' }, said.what),
      ...problem,
      ...(asked ? [element('section', { class: 'panel' }, ...this.#question(asked, words, locale))] : this.#choices(loaded, words)),
      stopLinks(this.#fingerprint, words),
    ]
  }

  #choices({ policy }: Loaded, words: Words): Node[] {
    const { delegation: said } = words
    const delegators = delegatorsIn(policy, this.#keys, this.#app.origin)
    const deputies = deputiesIn(policy)
    if (delegators.length === 0) return [element('p', { class: 'notice' }, said.nobodyHere)]
    return [
      element(
        'section',
        { class: 'panel', 'aria-labelledby': 'name' },
        element('h2', { id: 'name' }, said.name),
        ...(deputies.length === 0 ? [element('p', { class: 'notice' }, said.noDeputies)] : this.#form(deputies, delegators, words)),
      ),
      element(
        'section',
        { class: 'panel', 'aria-labelledby': 'end' },
        element('h2', { id: 'end' }, said.end),
        element('p', { class: 'dim' }, said.endWhy),
        ...this.#buttons('end', delegators, words, (delegator) => this.#ask({ delegator, terms: null })),
      ),
    ]
  }

  #form(deputies: readonly Person[], delegators: readonly Delegator[], words: Words): Node[] {
    const { delegation: said } = words
    const { delegate, first, last } = this.#chosen
    const options = deputies.map(({ id, name }) => {
      const option = element('option', {}, name)
      option.value = toHex(id)
      option.selected = option.value === delegate
      return option
    })
    const nobody = element('option', {}, said.choose)
    nobody.value = ''
    const select = element('select', { id: 'delegate' }, nobody, ...options)
    const chose = (part: Partial<Prefilled>) => {
      this.#chosen = { ...this.#chosen, ...part }
      this.#app.redraw()
    }
    select.addEventListener('change', () => chose({ delegate: select.value }))
    const day = (id: 'first' | 'last', value: string) => {
      const field = element('input', { id, type: 'date' })
      field.value = value
      field.addEventListener('change', () => chose({ [id]: field.value }))
      return element('div', { class: 'field' }, element('label', { for: id }, said[id]), field)
    }
    const days = daysOf(first, last, this.#app.clock.nowMs())
    const deputy = deputies.find(({ id }) => toHex(id) === delegate)
    const others = delegators.filter(({ person }) => deputy === undefined || !equalBytes(person.id, deputy.id))
    return [
      element('div', { class: 'field' }, element('label', { for: 'delegate' }, said.whom), select),
      day('first', first),
      day('last', last),
      ...(days === undefined ? [element('p', { class: 'notice warn', role: 'status' }, said.daysWrong)] : []),
      ...(deputy && days
        ? this.#buttons('name', others, words, (delegator) => this.#ask({ delegator, terms: { delegate: deputy, ...days } }))
        : [element('p', { class: 'dim' }, said.chooseFirst)]),
    ]
  }

  /** A button for each person: those whose key this browser knows, and behind a fold the others. */
  #buttons(what: 'name' | 'end', delegators: readonly Delegator[], words: Words, press: (delegator: Delegator) => void): Node[] {
    const { delegation: said } = words
    const button = (delegator: Delegator) => {
      const { name } = delegator.person
      const id = `${what}-${delegator.method.kind}-${name}`
      const look = what === 'end' ? 'danger' : 'primary'
      const made = element(
        'button',
        { type: 'button', id, class: look, onclick: () => press(delegator) },
        what === 'end' ? said.endAs(name) : said.nameAs(name),
      )
      return element('span', {}, made, element('span', { class: 'dim' }, ` ${words.method[delegator.method.kind]}`))
    }
    const actions = (some: readonly Delegator[]) => element('div', { class: 'actions' }, ...some.map(button))
    const here = delegators.filter(({ knownHere }) => knownHere)
    const others = delegators.filter(({ knownHere }) => !knownHere)
    return [
      ...(here.length > 0 ? [actions(here)] : []),
      ...(others.length > 0 ? [element('details', { open: here.length === 0 }, element('summary', {}, words.stop.others), actions(others))] : []),
    ]
  }

  /** What is signed, in words, before it is. */
  #question(asked: Asked, words: Words, locale: Locale): Node[] {
    const { delegation: said } = words
    const { delegator, terms } = asked
    const { name } = delegator.person
    const read = terms
      ? [
          element(
            'dl',
            { class: 'rows' },
            ...row(said.who, name),
            ...row(said.whom, terms.delegate.name),
            ...row(said.from, localTime(terms.fromMs, locale)),
            ...row(said.until, localTime(terms.untilMs, locale)),
          ),
          element('ul', { class: 'lines' }, ...said.covers(name, terms.delegate.name).map((line) => element('li', {}, line))),
          element('p', { class: 'notice warn' }, said.endsEarlier),
        ]
      : [element('p', {}, said.endWhat(name))]
    const { isBusy } = this.#work
    return [
      element('h2', { id: 'sure', tabindex: '-1' }, terms ? said.sure(terms.delegate.name, name) : said.sureEnd(name)),
      ...read,
      element(
        'div',
        { class: 'actions' },
        element(
          'button',
          { type: 'button', id: 'sign', class: terms ? 'primary' : 'danger', disabled: isBusy, onclick: () => void this.#sign(asked) },
          isBusy ? words.order.signing : said.sign(name),
        ),
        element('button', { type: 'button', id: 'back', disabled: isBusy, onclick: () => this.#ask(undefined) }, words.stop.no),
      ),
    ]
  }
}

const doneTitle = ({ delegator, terms }: Done, { delegation }: Words): string =>
  terms ? delegation.done(terms.delegate.name, delegator.person.name) : delegation.doneEnd(delegator.person.name)

/** The day by the reader's clock, as a field for days has it. */
function dayOf(ms: number): string {
  const day = new Date(ms)
  return [day.getFullYear(), String(day.getMonth() + 1).padStart(2, '0'), String(day.getDate()).padStart(2, '0')].join('-')
}
