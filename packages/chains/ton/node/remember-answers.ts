import type { Rpc } from './rpc.ts'

/** What never changes once it is said: blocks and what is in them. */
const LASTING = new Set(['lookupBlock', 'shards', 'getBlockHeader', 'getBlockTransactionsExt', 'tryLocateSourceTx'])
const ANSWERS_MAX = 2_000

/**
 * Reading one block takes many questions. Where one of them gets no answer, those answered before are not asked again at the next try, so that
 * a shaky connection slows the reading down and never stops it. What did not fit together is forgotten, as is everything once a block is read.
 */
export function rememberAnswers(rpc: Rpc): { ask: Rpc; during<T>(read: () => Promise<T>): Promise<T> } {
  const answers = new Map<string, unknown>()
  const failures = new WeakSet<object>()
  return {
    ask: async (method, params) => {
      const key = JSON.stringify([method, params])
      if (answers.has(key)) return answers.get(key)
      try {
        const answer = await rpc(method, params)
        if (answers.size >= ANSWERS_MAX) answers.clear()
        if (LASTING.has(method)) answers.set(key, answer)
        return answer
      } catch (cause) {
        failures.add(cause as object)
        throw cause
      }
    },
    during: async (read) => {
      try {
        const result = await read()
        answers.clear()
        return result
      } catch (cause) {
        if (!failures.has(cause as object)) answers.clear()
        throw cause
      }
    },
  }
}
