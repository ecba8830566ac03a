import { AppError, type Language, sentenceOf } from '@holdfast/contract'
import { CodedRefusal } from '@holdfast/intent'
import * as z from 'zod'

type Answer = { status: number; body: unknown }

const SENTENCES = {
  noCall: { en_US: 'There is no such call.', zh_CN: '没有此调用。' },
  shape: { en_US: 'The request does not have the agreed shape.', zh_CN: '请求格式不符。' },
  failed: {
    en_US: 'This could not be done. Try again; if it happens again, tell whoever runs the server.',
    zh_CN: '未能完成，请重试；若再次出现，请告知服务器管理员。',
  },
} as const satisfies Record<string, Record<Language, string>>

/** The language that a signer passes on with a call of its page; English where it names none. */
const languageIn = (body: unknown): Language =>
  body !== null && typeof body === 'object' && (body as { language?: unknown }).language === 'zh_CN' ? 'zh_CN' : 'en_US'

/**
 * Answers the approval page: a refusal in a sentence, in the language of whoever reads it, and anything unforeseen without details. A refusal by the rules for
 * signatures, which the page shares, goes along by its code: the page says it in its own words.
 */
export function answerPages(
  calls: Record<string, (body: unknown) => Promise<unknown>>,
  refusalOf: (cause: unknown) => AppError | undefined,
  report: (cause: unknown) => void,
): (method: string, body: unknown) => Promise<Answer> {
  return async (method, body) => {
    const language = languageIn(body)
    const call = Object.hasOwn(calls, method) ? calls[method] : undefined
    if (!call) return { status: 404, body: { error: SENTENCES.noCall[language] } }
    try {
      return { status: 200, body: await call(body) }
    } catch (cause) {
      const refusal = refusalOf(cause)
      if (refusal) return { status: refusal.httpStatus, body: { error: sentenceOf(refusal, language) } }
      if (cause instanceof AppError)
        return { status: 400, body: { error: sentenceOf(cause, language), ...(cause.cause instanceof CodedRefusal ? cause.cause.refusal : {}) } }
      if (cause instanceof z.ZodError) return { status: 400, body: { error: SENTENCES.shape[language] } }
      report(cause)
      return { status: 500, body: { error: SENTENCES.failed[language] } }
    }
  }
}
