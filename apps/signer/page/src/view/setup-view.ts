import type { Locale } from '@holdfast/intent'
import { known } from '@holdfast/units'
import type { App, View } from '../app.ts'
import { element } from './element.ts'
import { consoleLink } from '../console-link.ts'
import { acceptFounding, enrolMember } from '../found.ts'
import { foundingSection } from './founding-section.ts'
import { PageError, sentenceOf } from '../page-error.ts'
import { passkeysOffered } from '../keys/passkey.ts'
import { personRow } from './person-row.ts'
import { founderOf, type Founding, readFounding } from '../read/read-founding.ts'
import type { Member, Setup, SetupState } from '../read/signer-api.ts'
import type { Words } from '../words/en-us.ts'

const POLL_MS = 1000
const STATES: readonly SetupState[] = ['enrolling', 'accepting', 'pinning', 'ready']

/** Founding an organisation: keys for the members this link may act for, then their acceptance of the document. */
export function setupView(app: App, token: string): View {
  return new SetupPage(app, token)
}

class SetupPage implements View {
  readonly #app: App
  readonly #token: string
  readonly #stopped = new AbortController()
  #setup: Setup | undefined
  #founding: Founding | null = null
  #problem: unknown
  #busy = false
  /** The demo goes through all steps by itself once its button was pressed. */
  #demoRuns = false

  constructor(app: App, token: string) {
    this.#app = app
    this.#token = token
    void this.#poll()
  }

  stop(): void {
    this.#stopped.abort()
  }

  async #poll(): Promise<void> {
    while (!this.#stopped.signal.aborted) {
      if (!this.#busy) await this.#refresh()
      if (this.#setup?.state === 'ready') return
      await this.#app.timer.sleep(POLL_MS, this.#stopped.signal).catch(() => {})
    }
  }

  async #refresh(): Promise<void> {
    try {
      const setup = await this.#app.api.getSetup(this.#token)
      // Something the person started meanwhile knows better than an answer asked for before it.
      if (this.#busy) return
      await this.#take(setup)
      if (this.#problem instanceof PageError && this.#problem.code === 'noAnswer') this.#problem = undefined
      if (this.#demoRuns && setup.state === 'accepting' && this.#founding) void this.#act(() => this.#runDemo())
      if (this.#demoRuns && (setup.state === 'pinning' || setup.state === 'ready')) this.#demoRuns = false
    } catch (error) {
      this.#fail(error)
    }
  }

  async #take(setup: Setup): Promise<void> {
    const changed = JSON.stringify(setup) !== JSON.stringify(this.#setup)
    if (!changed) return
    if (this.#setup && this.#setup.state !== setup.state) this.#app.say((words) => `${words.setup.steps[setup.state]}. ${saidOf(setup.state, words)}`)
    this.#setup = setup
    this.#founding = readFounding(setup, this.#app.origin)
    // Checked as soon as the document is there, not only when somebody accepts.
    const keys = await this.#app.keys.all()
    if (this.#founding) for (const member of this.#mine(setup, (each) => !each.accepted)) founderOf(this.#founding, member, keys)
    this.#app.redraw()
  }

  #fail(error: unknown): void {
    const before = this.#problem instanceof PageError ? this.#problem.message : this.#problem
    this.#problem = error
    this.#demoRuns = false
    if ((error instanceof PageError ? error.message : error) !== before) this.#app.redraw()
  }

  /** Runs what a button asks for: one thing at a time, with its failure shown. */
  async #act(work: () => Promise<void>): Promise<void> {
    if (this.#busy) return
    this.#busy = true
    this.#problem = undefined
    this.#app.redraw()
    try {
      await work()
    } catch (error) {
      this.#fail(error)
    } finally {
      this.#busy = false
      this.#app.redraw()
    }
  }

  get #shown(): Setup {
    return known(this.#setup, 'the setup that is shown')
  }

  async #enrol(member: Member, kind: 'device' | 'webauthn'): Promise<void> {
    await this.#take(await enrolMember(this.#app, this.#token, this.#shown, member, kind))
  }

  async #accept(): Promise<void> {
    for (const member of this.#shown.members.filter((each) => each.mine && !each.accepted)) {
      await this.#take(await acceptFounding(this.#app, this.#token, known(this.#founding, 'the founding document that was shown'), member))
    }
  }

  async #runDemo(): Promise<void> {
    this.#demoRuns = true
    for (const member of this.#shown.members.filter((each) => each.mine && !each.enrolled)) await this.#enrol(member, 'device')
    if (this.#shown.state === 'accepting' && this.#founding) await this.#accept()
  }

  draw(words: Words, locale: Locale): Node[] {
    const problem = this.#problem === undefined ? [] : [element('p', { class: 'notice bad', role: 'alert' }, sentenceOf(this.#problem, words))]
    const setup = this.#setup
    if (!setup) {
      return [
        element('h1', { tabindex: '-1', id: 'title' }, words.pageName),
        ...problem,
        ...(problem.length > 0 ? [] : [element('p', { class: 'dim' }, words.loading)]),
      ]
    }
    return [
      ...(setup.demo ? [element('p', { class: 'badge' }, words.setup.demoBadge)] : []),
      element('h1', { tabindex: '-1', id: 'title' }, words.setup.title(setup.name)),
      stepList(setup.state, words),
      ...problem,
      ...this.#section(setup, words),
      memberList(setup, words),
      ...(this.#founding ? [foundingSection(this.#founding, words, locale, this.#acceptance(setup, words))] : []),
    ]
  }

  #section(setup: Setup, words: Words): Node[] {
    if (setup.state === 'ready') return [readySection(setup, this.#otherPages(), words)]
    if (setup.state === 'pinning') return [notice(words.setup.pinning)]
    if (setup.demo) return [this.#demoSection(setup, words)]
    if (setup.state === 'accepting') return this.#mine(setup, (member) => !member.accepted).length > 0 ? [] : [notice(words.setup.waitAcceptances)]
    const toEnrol = this.#mine(setup, (member) => !member.enrolled)
    return toEnrol.length > 0 ? toEnrol.map((member) => this.#enrolSection(member, words)) : [notice(words.setup.waitKeys)]
  }

  /** Where approvals count by the founding document beside this page. */
  #otherPages(): string[] {
    const origins = this.#founding?.genesis.policy.origins ?? []
    return origins.flatMap(({ origin }) => (origin === this.#app.origin ? [] : [origin]))
  }

  #mine(setup: Setup, wanted: (member: Member) => boolean): Member[] {
    return setup.members.filter((member) => member.mine && wanted(member))
  }

  #demoSection(setup: Setup, words: Words): Node {
    const done = this.#mine(setup, (member) => !member.accepted).length === 0
    return element(
      'section',
      { class: 'panel' },
      element('p', {}, words.setup.demoWhat),
      done || this.#demoRuns
        ? element('p', { class: 'dim', role: 'status' }, done ? words.setup.demoDone : words.setup.demoGoesOn)
        : this.#button('demo', words.setup.demoButton, 'primary', () => this.#runDemo()),
    )
  }

  #enrolSection(member: Member, words: Words): Node {
    const offered = passkeysOffered()
    const passkey = this.#button(`passkey-${member.person_id}`, words.setup.makePasskey(member.name), 'primary', () => this.#enrol(member, 'webauthn'))
    const enrolDevice = () => this.#enrol(member, 'device')
    const device = this.#button(`device-${member.person_id}`, words.setup.makeDeviceKey(member.name), offered ? '' : 'primary', enrolDevice)
    return element(
      'section',
      { class: 'panel', 'aria-labelledby': `enrol-${member.person_id}` },
      element('h2', { id: `enrol-${member.person_id}` }, words.setup.enrolTitle(member.name)),
      element('p', {}, words.setup.enrolWhy),
      element('div', { class: 'actions' }, ...(offered ? [passkey, device] : [device])),
      element('p', { class: 'dim' }, offered ? words.setup.deviceKeyIs : words.setup.noPasskeys),
    )
  }

  /** The button under the document, while somebody of this browser has yet to accept. */
  #acceptance(setup: Setup, words: Words): Node[] {
    const open = this.#mine(setup, (member) => !member.accepted)
    if (setup.state !== 'accepting' || open.length === 0 || setup.demo) return []
    const others = setup.members.length > 1
    const stopped = this.#problem instanceof PageError && STOPS_ACCEPTANCE.has(this.#problem.code)
    const label = open.length === 1 ? words.setup.accept : words.setup.acceptAs(open.map((member) => member.name).join(words.comma))
    return [
      element('p', { class: 'notice warn' }, others ? words.setup.compare : words.setup.compareAlone),
      element(
        'div',
        { class: 'actions' },
        this.#button('accept', label, 'primary', () => this.#accept(), stopped),
      ),
    ]
  }

  #button(id: string, label: string, className: string, work: () => Promise<void>, stopped = false): HTMLButtonElement {
    return element('button', { type: 'button', id, class: className, disabled: this.#busy || stopped, onclick: () => void this.#act(work) }, label)
  }
}

const STOPS_ACCEPTANCE: ReadonlySet<string> = new Set([
  'keyElsewhere',
  'ownKeyMissing',
  'foreignKey',
  'personMissing',
  'fingerprintDiffers',
  'badDocument',
  'otherOrigin',
])

function saidOf(state: SetupState, words: Words): string {
  return { enrolling: words.setup.waitKeys, accepting: words.setup.documentWhy, pinning: words.setup.pinning, ready: words.setup.ready }[state]
}

function notice(sentence: string): Node {
  return element('p', { class: 'notice', role: 'status' }, sentence)
}

function stepList(state: SetupState, words: Words): Node {
  const at = STATES.indexOf(state)
  const items = STATES.map((each, i) => {
    if (i === at && state !== 'ready') return element('li', { class: 'now', 'aria-current': 'step' }, words.setup.steps[each])
    return element('li', { class: i <= at ? 'done' : '' }, words.setup.steps[each])
  })
  return element('ol', { class: 'steps', 'aria-label': words.setup.stepsName }, ...items)
}

function memberList(setup: Setup, words: Words): Node {
  const rows = setup.members.map((member) => {
    const done = setup.state === 'enrolling' ? member.enrolled : member.accepted
    return personRow(member.name, standingOf(member, setup.state, words), { remark: member.mine && !setup.demo && words.setup.you, class: done ? 'yes' : '' })
  })
  const title = element('h2', { id: 'members' }, words.setup.members)
  return element('section', { 'aria-labelledby': 'members' }, title, element('ul', { class: 'people' }, ...rows))
}

function standingOf(member: Member, state: SetupState, words: Words): string {
  if (state === 'enrolling') return member.enrolled ? words.setup.enrolled : words.setup.notEnrolled
  return member.accepted ? words.setup.accepted : words.setup.notAccepted
}

function readySection(setup: Setup, otherPages: readonly string[], words: Words): Node {
  const link = consoleLink(setup)
  return element(
    'section',
    { class: 'panel good' },
    element('h2', {}, words.setup.ready),
    element('p', {}, words.setup.readyWhat),
    otherPages.length > 0 && element('p', {}, words.setup.otherPages(otherPages.join(words.comma))),
    !setup.demo && setup.invite === null && element('p', {}, words.setup.inviteFrom),
    link !== null && element('div', { class: 'actions' }, element('a', { class: 'button primary', href: link }, words.setup.toConsole)),
  )
}
