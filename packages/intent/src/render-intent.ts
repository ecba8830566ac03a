import { digest, list, struct, text, toHex } from '@holdfast/encoding'
import { intentHash, kindOf } from './intent.ts'
import type { Intent } from './kinds/index.ts'
import { ORDER_WORDS } from './order-rows.ts'
import type { Locale, RenderContext, Rendering } from './rendering.ts'

const renderingShape = struct('holdfast/rendering/v1', { locale: text(8), lines: list(text(1 << 20), 1 << 14) })

/** The hash an approval binds, so that evidence says which words the approver was to see. */
export function renderHash(rendering: Rendering): Uint8Array {
  const lines = [rendering.title, ...rendering.rows.flatMap((row) => [row.label, row.value]), ...rendering.warnings]
  return digest(renderingShape, { locale: rendering.locale, lines })
}

/**
 * The intent in words: deterministic, exact to the last digit, whole addresses.
 */
export function renderIntent(intent: Intent, context: RenderContext, locale: Locale): Rendering {
  return identified(kindOf(intent).render(intent, context, locale), intent)
}

/** The words of an order for who decides it in the place of somebody of this name: they begin with that. */
export function renderFor(rendering: Rendering, name: string): Rendering {
  return { ...rendering, title: IN_PLACE_OF[rendering.locale](name, rendering.title) }
}

const IN_PLACE_OF: Record<Locale, (name: string, title: string) => string> = {
  'en-US': (name, title) => `You decide for ${name}. ${title}`,
  'zh-CN': (name, title) => `您代 ${name} 审批。${title}`,
}

/**
 * The words over which an approval of an order counts: the present ones, and those before them, which say the same in terms that are not used any more; of two
 * times when words were put better. What people approved before the product was brought up to date stays approved. Words are put together when they are asked
 * for: nearly every approval is of the first.
 */
export function* wordings(intent: Intent, context: RenderContext, locale: Locale): Generator<Rendering, void> {
  yield renderIntent(intent, context, locale)
  const last: RenderContext = { ...context, isLast: true }
  yield renderIntent(intent, last, locale)
  yield renderIntent(intent, { ...last, isFormer: true }, locale)
}

/**
 * The words that an order had in earlier versions of this product and that said less than the present ones, where there were any. An approval over them
 * proves what its approver read then, and gets no signature any more.
 */
export function earlierRenderings(intent: Intent, context: RenderContext, locale: Locale): Rendering[] {
  const earlier = kindOf(intent).earlierWords?.(intent, context, locale) ?? []
  return earlier.map((each) => identified(each, intent))
}

/** The words of an order with which order it is: the last rows of every one. */
function identified(rendering: Rendering, intent: Intent): Rendering {
  const words = ORDER_WORDS[rendering.locale]
  const identity = [
    { label: words.order, value: toHex(intent.orderId), isTechnical: true as const },
    { label: words.hash, value: toHex(intentHash(intent)), isTechnical: true as const },
  ]
  return { ...rendering, rows: [...rendering.rows, ...identity] }
}
