import { known } from '@holdfast/units'
import type { App, View } from '../app.ts'
import { element, withKeys } from './element.ts'
import type { KeyRecord } from '../keys/key-store.ts'
import { makeKey } from '../keys/make-key.ts'
import { sentenceOf } from '../page-error.ts'
import { passkeysOffered } from '../keys/passkey.ts'
import type { KeyOffer } from '../read/signer-api.ts'
import { Work } from './work.ts'
import type { Words } from '../words/en-us.ts'

/** A member of an organisation makes a key to approve with, by a link of one use. */
export function keyView(app: App, token: string): View {
  return new KeyPage(app, token)
}

class KeyPage implements View {
  readonly #app: App
  readonly #work: Work
  readonly #token: string
  #offer: KeyOffer | undefined
  #made: KeyRecord | undefined
  /** A key that was made here and that the signer may not have heard of: handed in again, never made again. */
  #unsent: { key: KeyRecord; credential: string } | undefined
  #problem: unknown

  constructor(app: App, token: string) {
    this.#app = app
    this.#work = new Work(app)
    this.#token = token
    void this.#load()
  }

  stop(): void {
    this.#work.isStopped = true
  }

  readonly #keep = (problem: unknown) => (this.#problem = problem)

  #load(): Promise<void> {
    return this.#work.read(this.#keep, async () => {
      this.#offer = await this.#app.api.getKeyOffer(this.#token)
    })
  }

  async #make(kind: KeyRecord['kind']): Promise<void> {
    await this.#work.run(this.#keep, async () => {
      const { personId, name, organisation } = known(this.#offer, 'the link that was shown')
      this.#unsent ??= await makeKey(this.#app, { personId, personName: name, organisation }, kind)
      await this.#app.api.enrolKey(this.#token, this.#unsent.credential)
      this.#made = this.#unsent.key
      this.#app.say((words) => words.key.made(name))
      this.#app.reveal('title')
    })
  }

  draw(words: Words): Node[] {
    const problem = this.#problem === undefined ? [] : [element('p', { class: 'notice bad', role: 'alert' }, sentenceOf(this.#problem, words))]
    const offer = this.#offer
    if (!offer) {
      const again = element('button', { type: 'button', id: 'again', onclick: () => void this.#load() }, words.tryAgain)
      return [
        element('h1', { tabindex: '-1', id: 'title' }, words.pageName),
        ...problem,
        problem.length > 0 ? element('div', { class: 'actions' }, again) : element('p', { class: 'dim' }, words.loading),
      ]
    }
    if (this.#made) return madeSection(this.#made, offer, words)
    const passkeys = passkeysOffered()
    const button = (kind: KeyRecord['kind'], label: string, look: string) =>
      element('button', { type: 'button', id: kind, class: look, disabled: this.#work.isBusy, onclick: () => void this.#make(kind) }, label)
    const device = button('device', words.setup.makeDeviceKey(offer.name), passkeys ? '' : 'primary')
    return [
      element('p', { class: 'eyebrow' }, offer.organisation),
      element('h1', { tabindex: '-1', id: 'title' }, words.setup.enrolTitle(offer.name)),
      element('p', { class: 'lead' }, words.setup.enrolWhy),
      element('p', {}, words.key.countsLater),
      ...problem,
      element(
        'section',
        { class: 'panel' },
        element('div', { class: 'actions' }, ...(passkeys ? [button('webauthn', words.setup.makePasskey(offer.name), 'primary'), device] : [device])),
        element('p', { class: 'dim' }, passkeys ? words.setup.deviceKeyIs : words.setup.noPasskeys),
      ),
    ]
  }
}

/** The public half of the key, for people to compare with what a change of the policy says. */
function madeSection(key: KeyRecord, offer: KeyOffer, words: Words): Node[] {
  return [
    element('p', { class: 'eyebrow' }, offer.organisation),
    element('h1', { tabindex: '-1', id: 'title' }, words.key.made(offer.name)),
    element('p', { class: 'lead' }, words.key.countsLater),
    element(
      'section',
      { 'aria-labelledby': 'public' },
      element('h2', { id: 'public' }, words.key.fingerprint),
      element('p', { class: 'fingerprint' }, ...withKeys(key.publicKey)),
      element('p', { class: 'notice' }, words.key.compare),
    ),
  ]
}
