import { encode, fromHex, toHex } from '@holdfast/encoding'
import { waitingChallenge, waitingShape } from '@holdfast/intent'
import type { App, View } from '../app.ts'
import { signWith } from '../decide.ts'
import { passkeysOffered } from '../keys/passkey.ts'
import { sentenceOf } from '../page-error.ts'
import { nameOf, pushesOffered, switchPush, toldHere } from '../push.ts'
import type { Method } from '../read/list-approvers.ts'
import type { WaitingReply } from '../read/signer-api.ts'
import { element } from './element.ts'
import type { KeyRecord } from '../keys/key-store.ts'
import { personRow } from './person-row.ts'
import { Work } from './work.ts'
import type { Words } from '../words/en-us.ts'

/** What this page is, what waits for whoever asks with a key of theirs, and which keys this browser has. */
export function homeView(app: App): View {
  return new HomePage(app)
}

class HomePage implements View {
  readonly #app: App
  readonly #work: Work
  /** Null if the browser keeps none for us; undefined until they are read. */
  #keys: readonly KeyRecord[] | null | undefined
  /** The keys that are told on this device, by their names. */
  #told: readonly string[] = []
  #switched: 'on' | 'off' | undefined
  #pushProblem: unknown
  #empty: string | undefined
  #problem: unknown

  constructor(app: App) {
    this.#app = app
    this.#work = new Work(app)
    void this.#load()
  }

  stop(): void {
    this.#work.isStopped = true
  }

  async #load(): Promise<void> {
    this.#keys = await this.#app.keys.all().catch(() => null)
    this.#told = await toldHere().catch(() => [])
    this.#work.redraw()
  }

  async #ask(method: Method['method']): Promise<void> {
    this.#empty = undefined
    const keep = (problem: unknown) => (this.#problem = problem)
    await this.#work.run(keep, async () => {
      const { name, hashes } = await askWaiting(this.#app, method)
      if (hashes.length > 0) this.#app.open(`#/review/${hashes.join(',')}`)
      else this.#empty = name
    })
  }

  draw(words: Words): Node[] {
    const keys = this.#keys ?? []
    return [
      element('h1', { tabindex: '-1', id: 'title' }, words.home.title),
      element('p', { class: 'lead' }, words.home.what),
      this.#waitingSection(keys, words),
      this.#pushSection(keys, words),
      element('p', {}, words.home.how),
      element('p', {}, words.home.keys),
      element('section', { class: 'panel', 'aria-labelledby': 'here' }, element('h2', { id: 'here' }, words.home.here), ...keyList(this.#keys, words)),
      ...stopSection(keys, words),
    ]
  }

  #waitingSection(keys: readonly KeyRecord[], words: Words): Node {
    const { home } = words
    const button = (id: string, label: string, method: Method['method']) =>
      element('button', { type: 'button', id, disabled: this.#work.isBusy, onclick: () => void this.#ask(method) }, label)
    return element(
      'section',
      { class: 'panel', 'aria-labelledby': 'waiting' },
      element('h2', { id: 'waiting' }, home.waiting),
      element('p', { class: 'dim' }, home.waitingWhy),
      element(
        'div',
        { class: 'actions' },
        ...deviceKeys(keys).map((key) => button(`waiting-${key.id}`, home.askAs(key.personName), { kind: 'device', key })),
        passkeysOffered() && button('waiting-passkey', home.askWithPasskey, this.#passkey(keys)),
      ),
      this.#empty !== undefined && element('p', { class: 'notice', role: 'status' }, home.nothing(this.#empty)),
      this.#problem !== undefined && element('p', { class: 'notice bad', role: 'alert' }, sentenceOf(this.#problem, words)),
    )
  }

  /** A passkey that this browser has never seen may be on a phone or a stick: the person's own device offers what it has. */
  #passkey(keys: readonly KeyRecord[]): Method['method'] {
    return { kind: 'passkey', credentialIds: keys.filter(({ kind }) => kind === 'webauthn').map(({ id }) => fromHex(id)), rpId: this.#app.rpId }
  }

  async #switch(method: Method['method'], on: boolean): Promise<void> {
    this.#switched = undefined
    const keep = (problem: unknown) => (this.#pushProblem = problem)
    await this.#work.run(keep, async () => {
      try {
        await switchPush(this.#app, method, on)
        this.#switched = on ? 'on' : 'off'
      } finally {
        this.#told = await toldHere().catch(() => [])
      }
    })
  }

  #pushSection(keys: readonly KeyRecord[], words: Words): Node {
    const { home } = words
    const button = (method: Method['method'], label: (on: boolean) => string) => {
      const isOn = this.#told.includes(nameOf(method))
      const onclick = () => void this.#switch(method, !isOn)
      return element('button', { type: 'button', id: `push-${nameOf(method)}`, disabled: this.#work.isBusy, onclick }, label(!isOn))
    }
    const buttons = [
      ...deviceKeys(keys).map((key) => button({ kind: 'device', key }, (on) => (on ? home.pushOn : home.pushOff)(key.personName))),
      passkeysOffered() && button(this.#passkey(keys), (on) => (on ? home.pushOnWithPasskey : home.pushOffWithPasskey)),
    ]
    return element(
      'section',
      { class: 'panel', 'aria-labelledby': 'push' },
      element('h2', { id: 'push' }, home.push),
      element('p', { class: 'dim' }, pushesOffered() ? home.pushWhy : words.errors.noPush),
      pushesOffered() && element('div', { class: 'actions' }, ...buttons),
      this.#switched !== undefined && element('p', { class: 'notice', role: 'status' }, this.#switched === 'on' ? home.pushIsOn : home.pushIsOff),
      this.#pushProblem !== undefined && element('p', { class: 'notice bad', role: 'alert' }, sentenceOf(this.#pushProblem, words)),
    )
  }
}

/** Keys that this browser can sign with by itself. */
function deviceKeys(keys: readonly KeyRecord[]): KeyRecord[] {
  return keys.filter(({ kind, privateKey }) => kind === 'device' && privateKey !== null)
}

/** Asks the signer what waits, with a signature that proves who asks and can never be an approval. Throws PageError. */
async function askWaiting(app: App, method: Method['method']): Promise<WaitingReply> {
  const statement = { atMs: BigInt(app.clock.nowMs()), nonce: app.random.bytes(32) }
  const assertion = await signWith(app, method, waitingChallenge(statement))
  return app.api.getWaiting(toHex(encode(waitingShape, { statement, assertion })))
}

function keyList(keys: readonly KeyRecord[] | null | undefined, words: Words): Node[] {
  if (keys === undefined) return [element('p', { class: 'dim' }, words.loading)]
  if (keys === null) return [element('p', {}, words.errors.noKeyStore)]
  if (keys.length === 0) return [element('p', { class: 'dim' }, words.home.none)]
  const rows = keys.map((key) => personRow(key.personName, words.method[key.kind === 'device' ? 'device' : 'passkey']))
  return [element('ul', { class: 'people' }, ...rows)]
}

/** For every organisation that keys of this browser have accepted, the ways to stop its signing. */
function stopSection(keys: readonly KeyRecord[], words: Words): Node[] {
  const known = [...new Set(keys.flatMap(({ acceptedGenesis }) => acceptedGenesis ?? []))]
  if (known.length === 0) return []
  return [
    element(
      'section',
      { class: 'stop', 'aria-label': words.stop.open },
      element('p', { class: 'dim' }, words.stop.where),
      ...known.map((each) => stopLinks(each, words)),
    ),
  ]
}

/** The ways to the pages on which one person stops all signing of an organisation, or what it does without asking. */
export function stopLinks(genesis: string, words: Words): Node {
  return element('div', { class: 'stop-links' }, freezeLink(genesis, words), standingLink(genesis, words), delegationLink(genesis, words))
}

/** The way to the page on which one person stops all signing of an organisation. */
export function freezeLink(genesis: string, words: Words): Node {
  return element('p', {}, element('a', { class: 'stop-link', href: `#/stop/${genesis}` }, words.stop.open))
}

/** The way to the page on which somebody says who decides for them. */
function delegationLink(genesis: string, words: Words): Node {
  return element('p', {}, element('a', { class: 'stop-link', href: `#/delegation/${genesis}` }, words.delegation.open))
}

/** The way to what the signers of an organisation do without asking. */
export function standingLink(genesis: string, words: Words): Node {
  return element('p', {}, element('a', { class: 'stop-link', href: `#/standing/${genesis}` }, words.standing.open))
}

/** A sentence where a view cannot be shown. */
export function sentenceView(sentence: (words: Words) => string): View {
  return {
    draw: (words) => [element('h1', { tabindex: '-1', id: 'title' }, words.pageName), element('p', { class: 'notice bad', role: 'alert' }, sentence(words))],
    stop: () => {},
  }
}
