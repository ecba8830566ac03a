import type { ChainCodec, Effects } from '@holdfast/chain-core'
import type { Infer, StructShape } from '@holdfast/encoding'
import type { Locale, RenderContext, Rendering } from '../rendering.ts'
import type { Act } from './act.ts'

/** What every kind of order says of itself: whoever has an order in hand asks its kind, and does not ask which kind it is. */
export type IntentKind<S extends StructShape = StructShape> = {
  /** Its bytes. */
  shape: S
  /** Why the parts of an order do not fit together; undefined if they do. */
  fault(intent: Infer<S>): string | undefined
  /** An order in words: everything it says but which order it is, which `renderIntent` adds to each. */
  render(intent: Infer<S>, context: RenderContext, locale: Locale): Rendering
  /** The words it had in earlier versions of this product that said less, in the same way; absent if there are none. */
  earlierWords?(intent: Infer<S>, context: RenderContext, locale: Locale): Rendering[]
}

/** What bytes can do that an order has to be for: transfers, a call, an order about stake, an inscription that is made on the way, an authorization. */
export type Does = 'transfers' | 'call' | 'stake' | 'inscribes' | 'authorizes'

/** What a kind of order says of itself that a transaction of the chain carries out. */
export type TransactionKind<S extends StructShape = StructShape> = IntentKind<S> & {
  /** What its bytes do. They do nothing that is not named here. */
  does: readonly Does[]
  /** How many transfers or calls the bytes make, and of how many assets. */
  moves(intent: Infer<S>): { count: number; assets: number }
  /** What the rules of a policy look at, by the order. */
  act(intent: Infer<S>): Act
  /** The same by what the bytes do; undefined if they are of another kind. */
  done(intent: Infer<S>, effects: Effects): Act | undefined
  /** Where bytes that do nothing else than `does` are not those of the order, in words; undefined if they are. */
  mismatch(intent: Infer<S>, effects: Effects, codec: ChainCodec): string | undefined
  /** Why nothing takes the place of its transaction while that waits; absent if something may. */
  irreplaceable?: string
}
