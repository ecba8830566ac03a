import type { Locale } from '@holdfast/intent'
import type { Clock, Random, Timer } from '@holdfast/ports'
import type { KeyStore } from './keys/key-store.ts'
import type { SignerApi } from './read/signer-api.ts'
import type { Words } from './words/en-us.ts'

/** What a view has to work with. */
export type App = {
  clock: Clock
  random: Random
  timer: Timer
  api: SignerApi
  keys: KeyStore
  /** Scheme, host and port of this page, as assertions name it. */
  origin: string
  /** The relying party of passkeys made here: the host without its port. */
  rpId: string
  /** Opens another view, by its part of the address. */
  open(route: string): void
  /** Draws the view again, because something it shows has changed. */
  redraw(): void
  /** Says a sentence to people who use a screen reader. */
  say(sentence: (words: Words) => string): void
  /** Brings a part of the page to the person's eyes and keyboard. */
  reveal(id: string): void
}

/** A page: draws itself from its state, in the language given, as often as it is asked. */
export type View = { draw(words: Words, locale: Locale): Node[]; stop(): void }
